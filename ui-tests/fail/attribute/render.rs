//! `#[derive(Render)]`: what a template can name.
use tool_runtime::Render;

#[derive(Render)]
struct NoTemplate {
    city: String,
}

#[derive(Render)]
#[render("{ctiy}: {temperature}")]
struct NoField {
    city: String,
    temperature: f64,
}

#[derive(Render)]
#[render("{city")]
struct Open {
    city: String,
}

#[derive(Render)]
#[render("city}")]
struct Close {
    city: String,
}

#[derive(Render)]
#[render("{}")]
struct Positional {
    city: String,
}

#[derive(Render)]
#[render("{self.city} {city.len()}")]
struct Expressions {
    city: String,
}

#[derive(Render)]
#[render(concat!("a", "b"))]
struct Concat {
    city: String,
}

#[derive(Render)]
#[render("{city}", city)]
struct Arguments {
    city: String,
}

#[derive(Render)]
#[render]
struct Nothing {
    city: String,
}

#[derive(Render)]
#[render("{city}")]
#[render("{city}")]
struct Two {
    city: String,
}

#[derive(Render)]
#[render("{city}")]
enum OnEnum {
    A { city: String },
}

#[derive(Render)]
#[render("{city}", colour = "red")]
struct Key {
    city: String,
}

#[derive(Render)]
#[render("{city:zz}")]
struct Format {
    city: String,
}

#[derive(Render)]
#[render("a")]
struct OnField {
    #[render("{city}")]
    city: String,
}

fn main() {
    let shown = NoTemplate { city: String::new() };
    let _ = tool_runtime::output::Render::render(&shown);
    let _ = NoField { city: shown.city, temperature: 1.0 };
}
