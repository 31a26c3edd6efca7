//! What only the compiler knows of a template: what its fields can show.
use tool_runtime::Render;

struct Plain;

struct Nested {
    name: String,
}

#[derive(Render)]
#[render("{plain}")]
struct NoDisplay {
    plain: Plain,
}

#[derive(Render)]
#[render("{nested.nam}")]
struct NoNested {
    nested: Nested,
}

#[derive(Render)]
#[render("{name:.1} {number:x}")]
struct Formats {
    name: Plain,
    number: f64,
}

#[derive(Render)]
enum Variants {
    #[render("{plain}")]
    A { plain: Plain },
    #[render("{0}")]
    B(Plain),
}

fn main() {
    let nested = Nested { name: String::new() };
    let _ = nested.name;
}
