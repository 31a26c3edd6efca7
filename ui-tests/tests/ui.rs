//! Every mistake, and the message it gets.
//!
//! One test a folder; `cargo test -p ui-tests --test ui params` runs one. `TRYBUILD=overwrite` writes the `.stderr`
//! files anew; read them before committing.

/// Compiles the mistakes of one folder.
fn fail(folder: &str) {
    trybuild::TestCases::new().compile_fail(format!("fail/{folder}/*.rs"));
}

macro_rules! folders {
    ($($folder:ident)*) => { $(
        #[rustversion::attr(not(stable(1.95)), ignore = "stderr is blessed on 1.95")]
        #[test]
        fn $folder() {
            fail(stringify!($folder));
        }
    )* };
}

folders! { attribute signature params types output bounds hygiene }
