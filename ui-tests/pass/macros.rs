//! Tools that `macro_rules!` makes: types come in invisible groups, names from both sides.
use tool_runtime::{tool, tool_type, toolset};

use crate::text;

macro_rules! identity {
    ($($name:ident: $type:ty = $docs:literal;)*) => { $(
        #[doc = $docs]
        #[tool(docs(optional))]
        fn $name(value: $type) -> $type {
            value
        }
    )* };
}

identity! {
    same_number: u8 = "A number.";
    same_text: String = "A text.";
    same_list: Vec<Option<u8>> = "A list.";
}

macro_rules! borrowing {
    ($name:ident, $wire:literal, $type:ty, $default:expr, $limit:literal) => {
        #[doc = concat!("Is called ", $wire, ".")]
        #[tool(name = $wire, docs(optional), description = concat!("Is ", $wire))]
        async fn $name(
            text: $type,
            #[arg(default = $default, maximum = $limit)] count: u8,
        ) -> Result<String, String> {
            Ok(text.repeat(count.into()))
        }
    };
}

borrowing!(repeat_text, "repeat-text", &str, 2, 9);

macro_rules! item {
    ($item:item) => {
        $item
    };
}

item! {
    /// Passes through a macro.
    #[tool]
    fn passed(
        /// A
        a: &[u8],
    ) -> usize {
        a.len()
    }
}

macro_rules! services {
    ($($service:ident $method:ident $type:ty;)*) => { $(
        struct $service;

        #[toolset]
        impl $service {
            /// Made by a macro.
            #[tool(docs(optional))]
            fn $method(&self, a: $type) -> String {
                a.to_string()
            }
        }
    )* };
}

services! {
    First first_method u8;
    Second second_method &str;
}

macro_rules! types {
    ($name:ident { $($field:ident: $type:ty,)* }) => {
        /// Made by a macro.
        #[tool_type]
        #[derive(Debug)]
        struct $name {
            $(
                /// Made by a macro.
                $field: $type,
            )*
        }
    };
}

types! { Made { a: u8, b: Option<String>, } }

/// Takes what a macro made.
#[tool]
fn takes_made(
    /// A
    made: Made,
) -> String {
    format!("{made:?} {:?}", (made.a, &made.b))
}

/// Many in one module (F014).
mod defaults {
    use tool_runtime::tool;

    macro_rules! with_default {
        ($($name:ident)*) => { $(
            /// Has a default.
            #[tool(docs(optional))]
            fn $name(#[arg(default = Vec::new())] c: Vec<u8>) -> usize {
                c.len()
            }
        )* };
    }
    with_default! { one_default other_default }

    #[test]
    fn f014_defaults_have_names_of_their_own() {
        assert_eq!(crate::text::<one_default>("{}"), "0");
        assert_eq!(crate::text::<other_default>(r#"{"c":[1]}"#), "1");
    }
}

#[test]
fn made_tools_work() {
    assert_eq!(text::<same_number>(r#"{"value":1}"#), "1");
    assert_eq!(text::<same_text>(r#"{"value":"x"}"#), "\"x\"");
    assert_eq!(text::<same_list>(r#"{"value":[1,null]}"#), "[1,null]");
    assert_eq!(text::<repeat_text>(r#"{"text":"x"}"#), "\"xx\"");
    assert_eq!(text::<passed>(r#"{"a":[1]}"#), "1");
    assert_eq!(text::<takes_made>(r#"{"made":{"a":1}}"#), r#""Made { a: 1, b: None } (1, None)""#);
    let registry = tool_runtime::Registry::builder().register_all(First).register_all(Second).build();
    assert_eq!(registry.map(|registry| registry.definitions().len()).ok(), Some(2));
}
