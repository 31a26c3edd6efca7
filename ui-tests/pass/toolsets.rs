//! Impl blocks (F026, F027, F033). Nothing that an expansion adds is unused, under `deny(warnings)` (F044).
use std::fmt::Display;
use std::sync::Arc;

use tool_runtime::{CallContext, Registry, State, ToolCall, tool, toolset};

use crate::block_on;

struct Service {
    base: u8,
}

#[toolset]
impl Service {
    const STEP: u8 = 1;

    /// By reference.
    #[tool]
    async fn by_reference(&self, cx: &CallContext) -> String {
        format!("{} {}", self.base, cx.tool())
    }

    /// By `Arc`.
    #[tool]
    fn by_arc(self: Arc<Self>) -> u8 {
        self.base
    }

    /// Without `self`.
    #[tool(docs(optional))]
    fn associated(a: u8) -> u8 {
        a + Self::STEP
    }

    /// Returns `Self`'s parts, with every key a method has.
    #[tool(name = "keyed", effect = read, idempotent, timeout = "1s", docs(optional), render = Service::shown)]
    fn keyed(&self, #[arg(default = Self::STEP, minimum = 1)] a: u8, b: State<u16>) -> u16 {
        u16::from(a + self.base) + *b
    }

    /// Is no tool.
    fn shown(value: &u16) -> String {
        format!("shown {value}")
    }

    /// Is compiled out.
    #[cfg(any())]
    #[tool]
    fn absent(&self) -> Missing {}

    /// Is one of two.
    #[cfg(not(any()))]
    #[tool(docs(optional))]
    fn chosen(&self, #[cfg(any())] x: Missing, #[cfg(not(any()))] y: u8) -> u8 {
        y
    }

    /// Is one of two.
    #[cfg(not(all()))]
    #[tool]
    fn chosen(&self) -> Missing {}
}

struct Operator {
    base: u8,
}

trait Operations {
    fn operate(&self, a: u8) -> u8;
    fn plain(&self) -> u8;
}

#[toolset]
impl Operations for Operator {
    /// Of a trait.
    #[tool(docs(optional))]
    fn operate(&self, a: u8) -> u8 {
        a + self.plain()
    }

    fn plain(&self) -> u8 {
        self.base
    }
}

struct Generic<T> {
    value: T,
}

#[toolset]
impl<T: Display + Send + Sync + 'static> Generic<T>
where
    T: Clone,
{
    /// Of a generic type.
    #[tool(docs(optional))]
    async fn display(&self, a: &str) -> String {
        format!("{a} {}", self.value)
    }
}

mod qualified {
    pub(super) struct Qualified;

    #[tool_runtime::toolset(crate = ::tool_runtime)]
    impl Qualified {
        /// By full paths.
        #[tool_runtime::tool]
        pub(super) fn qualified(&self) -> u8 {
            1
        }

        /// A second one.
        #[::tool_runtime::tool]
        pub(super) async fn second(&self) -> u8 {
            2
        }
    }
}

#[test]
fn toolsets_of_every_kind() {
    let registry = Registry::builder()
        .state(100_u16)
        .register_all(Service { base: 1 })
        .build()
        .unwrap_or_else(|error| panic!("{error}"));
    let call =
        |name: &str, arguments: &str| block_on(registry.call(ToolCall::new("id", name, arguments))).text();
    assert_eq!(call("by_arc", "{}"), "1");
    assert_eq!(call("associated", r#"{"a":1}"#), "2");
    assert_eq!(call("keyed", "{}"), "shown 102");
    assert_eq!(call("chosen", r#"{"y":7}"#), "7");
    assert_eq!(call("by_reference", "{}"), "\"1 by_reference\"");
    assert!(registry.definition("absent").is_none());
}

#[test]
fn f026_f027_traits_and_generic_toolsets_are_made_concrete_by_registering() {
    let registry = Registry::builder()
        .register_all(Operator { base: 1 })
        .register_all(Generic { value: 5 })
        .register_all(qualified::Qualified)
        .build()
        .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(block_on(registry.call(ToolCall::new("id", "display", r#"{"a":"x"}"#))).text(), "\"x 5\"");
    assert_eq!(block_on(registry.call(ToolCall::new("id", "operate", r#"{"a":1}"#))).text(), "2");
    assert_eq!(block_on(registry.call(ToolCall::new("id", "second", "{}"))).text(), "2");
}
