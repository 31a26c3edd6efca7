//! Generic functions: a model cannot choose a type.
use tool_runtime::{Registry, tool, toolset};

/// A
#[tool]
fn of_type<T>() {}

/// B
#[tool]
fn of_const<const N: usize>() {}

/// C
#[tool]
fn of_both<T: Clone, const N: usize>(
    /// A
    a: T,
) {
    let _ = a;
}

/// D
#[tool]
fn argument(
    /// A
    a: impl Into<String>,
    /// B
    b: Vec<impl Clone>,
) {
    let _ = (a.into(), b);
}

struct Service;

#[toolset]
impl Service {
    /// E
    #[tool]
    fn method<T: Default>(&self) {
        let _ = T::default();
    }
}

struct Borrowing<'a>(&'a str);

#[toolset]
impl<'a> Borrowing<'a> {
    /// F
    #[tool]
    fn len(&self) -> usize {
        self.0.len()
    }
}

fn main() {
    of_type::<u8>();
    of_const::<1>();
    argument("", vec![1]);
    Service.method::<u8>();
    Borrowing("").len();
    let _ = Registry::builder()
        .register::<of_type>()
        .register::<of_const>()
        .register::<of_both>()
        .register::<argument>()
        .register_all(Service)
        .build();
}
