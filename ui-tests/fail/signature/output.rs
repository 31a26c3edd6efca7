//! Return types that the spelling alone refuses.
use std::future::Future;
use std::pin::Pin;

use tool_runtime::{Registry, tool, toolset};

/// A
#[tool]
fn opaque() -> impl Clone {
    1
}

/// B
#[tool]
fn future() -> impl Future<Output = u8> {
    async { 1 }
}

/// F032: C, as `#[async_trait]` makes it when it stands above.
#[tool]
fn boxed() -> Pin<Box<dyn Future<Output = u8> + Send>> {
    Box::pin(async { 1 })
}

/// D
#[tool]
fn borrowed(
    /// A
    a: &str,
) -> &str {
    a
}

/// E
#[tool]
async fn within(
    /// A
    a: &str,
) -> Result<Vec<&str>, String> {
    Ok(vec![a])
}

/// F
#[tool]
fn never() -> ! {
    loop {}
}

/// G
#[tool]
fn nested() -> Vec<impl Clone> {
    vec![1]
}

/// H
#[tool]
fn cow<'a>(
    /// A
    a: &'a str,
) -> std::borrow::Cow<'a, str> {
    a.into()
}

trait Operations {
    fn operation<'a>(&'a self) -> Pin<Box<dyn Future<Output = u8> + Send + 'a>>;
}

struct Service;

#[toolset]
impl Operations for Service {
    /// F032
    #[tool]
    fn operation<'a>(&'a self) -> Pin<Box<dyn Future<Output = u8> + Send + 'a>> {
        Box::pin(async { 1 })
    }
}

fn main() {
    let _ = (opaque(), future(), boxed(), borrowed(""), within(""), nested(), cow(""), Service.operation());
    let _ = Registry::builder()
        .register::<opaque>()
        .register::<future>()
        .register::<boxed>()
        .register::<borrowed>()
        .register::<within>()
        .register::<never>()
        .register::<nested>()
        .register::<cow>()
        .register_all(Service)
        .build();
}
