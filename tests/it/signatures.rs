//! What a tool's signature may look like.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use tool_runtime::{CallContext, Registry, State, ToolCall, tool, toolset};

use crate::support::{block_on, input, text};

/// Adds.
#[tool]
async fn add(
    /// A
    a: i64,
    /// B
    #[arg(default = 5)]
    b: u8,
) -> i64 {
    a + i64::from(b)
}

/// Borrows.
#[tool(docs(optional))]
async fn borrows(a: &str, b: Option<&str>, c: &[u8], d: Cow<'_, str>, e: &Path) -> String {
    format!("{a} {b:?} {c:?} {d} {e:?}")
}

#[test]
fn f029_borrowed_parameters_work() {
    assert_eq!(text::<borrows>(r#"{"a":"x","c":[1,2],"d":"d","e":"/x"}"#), r#""x None [1, 2] d \"/x\"""#);
    assert_eq!(text::<add>(r#"{"a":1}"#), "6");
    assert_eq!(text::<add>(r#"{"a":1,"b":300}"#), "");
    assert_eq!(input::<add>(), "");
}

#[derive(Debug)]
struct Service;

#[toolset]
impl Service {
    /// Greets.
    #[tool]
    async fn greet(
        &self,
        cx: &CallContext,
        /// Name.
        name: &str,
        factor: State<u8>,
        #[state] other: &u16,
        #[state] third: Arc<u32>,
    ) -> Result<String, std::io::Error> {
        tokio::task::yield_now().await;
        Ok(format!("{name} {} {} {other} {third} {self:?}", cx.call_id(), *factor))
    }
}

#[test]
fn toolset_works() {
    let registry = Registry::builder()
        .state(1_u8)
        .state(2_u16)
        .state(3_u32)
        .register_all(Service)
        .build()
        .expect("builds");
    let result = block_on(registry.call(ToolCall::new("c", "greet", r#"{"name":"ada"}"#)));
    assert_eq!(result.text(), "");
}

#[test]
fn every_tool_of_the_tests_is_proved() {
    tool_runtime::testing::check_all();
}
