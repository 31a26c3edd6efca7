//! Where a tool may stand (F146: a function's body is collected from, a generic impl never is).
use tool_runtime::{Registry, ToolHandle, tool};

use crate::text;

mod first {
    use tool_runtime::tool;

    /// One of two of a name, in two modules.
    #[tool]
    pub(super) fn lookup() -> u8 {
        1
    }

    pub(crate) mod nested {
        /// The other, by a full path.
        #[tool_runtime::tool(name = "nested-lookup")]
        pub(crate) fn lookup() -> u8 {
            2
        }
        pub(crate) type Handle = lookup;
    }
}

use self::first::lookup;

/// The function of a module of its own name needs another handle.
mod search {
    pub(crate) fn count() -> u8 {
        3
    }
}

/// Searches.
#[tool(handle = Search)]
fn search() -> u8 {
    search::count()
}

/// Has no handle.
#[tool(handle = off)]
fn no_handle() -> u8 {
    4
}

/// Is called like a primitive type.
#[tool(handle = Str)]
fn str() -> u8 {
    5
}

/// Is called like a type of the prelude.
#[tool]
#[allow(non_snake_case, reason = "a test of the name")]
fn Foo() -> u8 {
    6
}

/// Differs by case.
#[tool]
fn foo() -> u8 {
    7
}

/// Keywords.
#[tool]
fn r#match(
    /// A
    r#type: u8,
    /// B
    r#gen: u8,
) -> u8 {
    r#type + r#gen
}

#[cfg(any())]
/// Is compiled out.
#[tool]
fn absent() -> Missing {}

/// Is one of two under opposite conditions.
#[cfg(not(test))]
#[tool]
fn chosen() -> u8 {
    0
}

/// Is one of two under opposite conditions.
#[tool]
#[cfg(test)]
fn chosen() -> u8 {
    8
}

#[test]
fn tools_stand_anywhere() {
    /// Stands in a function.
    #[tool]
    fn local() -> u8 {
        9
    }
    assert_eq!(text::<local>("{}"), "9");
    assert_eq!(text::<lookup>("{}"), "1");
    assert_eq!(text::<first::nested::Handle>("{}"), "2");
    assert_eq!(text::<Search>("{}"), "3");
    assert_eq!(text::<Str>("{}"), "5");
    assert_eq!(text::<Foo>("{}"), "6");
    assert_eq!(text::<foo>("{}"), "7");
    assert_eq!(text::<chosen>("{}"), "8");
    assert_eq!(text::<r#match>(r#"{"type":1,"gen":2}"#), "3");
    assert_eq!(r#match::SPEC.name(), "match");
    assert_eq!((search(), no_handle(), str()), (3, 4, 5));
    let all = Registry::builder()
        .state(1_u8)
        .state(1_u16)
        .state(1_u32)
        .collect()
        .unwrap_or_else(|error| panic!("{error}"));
    assert!(all.definition("no_handle").is_some() && all.definition("absent").is_none());
}
