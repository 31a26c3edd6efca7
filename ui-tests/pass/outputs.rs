//! Everything that a tool can return (F010, F011, F114, F117).
use std::collections::{BTreeMap, HashMap};
use std::fmt;

use tool_runtime::{ContentBlock, ToolError, tool};

use crate::{call, text};

#[derive(Debug)]
struct MyError;

impl fmt::Display for MyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("my error")
    }
}

impl std::error::Error for MyError {}

type Fallible<T> = Result<T, MyError>;
type Nothing = ();

macro_rules! returns {
    ($($name:ident: $type:ty = $value:expr, $text:literal;)*) => {
        $(
            /// Returns it.
            #[tool]
            fn $name() -> $type {
                $value
            }
        )*

        #[test]
        fn outputs_of_every_kind() {
            $(assert_eq!(text::<$name>("{}"), $text, stringify!($name));)*
        }
    };
}

returns! {
    unit: () = (), "ok";
    alias_of_unit: Nothing = (), "ok";
    number: u8 = 1, "1";
    float: f64 = 0.5, "0.5";
    boolean: bool = true, "true";
    string: String = "x".to_owned(), "\"x\"";
    static_string: &'static str = "x", "\"x\"";
    list: Vec<u8> = vec![1], "[1]";
    array: [u8; 2] = [1, 2], "[1,2]";
    some: Option<u8> = Some(1), "1";
    none: Option<u8> = None, "null";
    map: BTreeMap<String, u8> = BTreeMap::from([("a".to_owned(), 1)]), "{\"a\":1}";
    hash_map: HashMap<String, Vec<u8>> = HashMap::new(), "{}";
    value: serde_json::Value = serde_json::json!({"a": [1]}), "{\"a\":[1]}";
    boxed: Box<u8> = Box::new(1), "1";
    result: Result<u8, MyError> = Ok(1), "1";
    alias: Fallible<u8> = Ok(1), "1";
    nothing: Fallible<()> = Ok(()), "ok";
    any: anyhow::Result<u8> = Ok(1), "1";
    io: std::io::Result<u8> = Ok(1), "1";
    text_error: Result<u8, String> = Ok(1), "1";
    static_error: Result<u8, &'static str> = Ok(1), "1";
    boxed_error: Result<u8, Box<dyn std::error::Error + Send + Sync>> = Ok(1), "1";
    tool_error: Result<u8, ToolError> = Ok(1), "1";
    nested: Result<Result<u8, MyError>, String> = Ok(Ok(1)), "1";
    optional_result: Option<Result<u8, MyError>> = Some(Ok(1)), "1";
    no_result: Option<Result<u8, MyError>> = None, "null";
    block: ContentBlock = ContentBlock::text("x"), "x";
    blocks: Vec<ContentBlock> = vec![ContentBlock::text("x")], "x";
    result_of_blocks: Fallible<Vec<ContentBlock>> = Ok(vec![ContentBlock::text("x")]), "x";
}

macro_rules! fails {
    ($($name:ident: $type:ty = $value:expr;)*) => {
        $(
            /// Fails.
            #[tool]
            async fn $name() -> $type {
                $value
            }
        )*

        #[test]
        fn f010_errors_of_every_kind_are_errors() {
            $(assert!(call::<$name>("{}").is_error(), stringify!($name));)*
        }
    };
}

fails! {
    fails_plainly: Result<u8, MyError> = Err(MyError);
    fails_by_alias: Fallible<u8> = Err(MyError);
    fails_by_anyhow: anyhow::Result<()> = Err(anyhow::anyhow!("x"));
    fails_within: Result<Result<u8, MyError>, String> = Ok(Err(MyError));
    fails_outside: Result<Result<u8, MyError>, String> = Err("x".to_owned());
    fails_optionally: Option<Result<u8, MyError>> = Some(Err(MyError));
    fails_with_unit: Result<(), MyError> = Err(MyError);
}
