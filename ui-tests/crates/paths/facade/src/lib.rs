//! Passes the SDK on.
#![deny(warnings)]

pub use tool_runtime;

/// Makes a tool that returns a constant.
#[macro_export]
macro_rules! constant_tool {
    ($name:ident: $type:ty = $value:expr, $docs:literal) => {
        #[doc = $docs]
        #[$crate::tool_runtime::tool(crate = $crate::tool_runtime, effect = read)]
        pub fn $name() -> $type {
            $value
        }
    };
}

constant_tool!(own: u8 = 1, "Is made at home.");
