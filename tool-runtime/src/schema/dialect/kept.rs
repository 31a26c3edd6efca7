//! The projections that a schema keeps.

use std::fmt;
use std::sync::Arc;

use super::verbatim::verbatim;
use super::{Dialect, DialectError, Projection};
use crate::schema::Schema;
use crate::sync;

/// The projections of one schema, each made when it is first asked for and kept as long as the schema.
pub(crate) struct Projections(sync::Kept<Dialect, Kept>);

/// What became of a schema in a dialect.
pub(crate) type Kept = Result<Arc<Projection>, DialectError>;

impl Default for Projections {
    fn default() -> Self {
        Self(sync::Kept::new())
    }
}

impl Projections {
    /// The projection of `schema`, which is always the same.
    pub(crate) fn get(&self, dialect: Dialect, schema: &Schema) -> &Kept {
        self.0.get(dialect, || {
            let verbatim = verbatim(dialect, schema).map(Ok);
            debug_assert!(verbatim.is_none() || verbatim == Some(dialect.project(schema.text())));
            verbatim.unwrap_or_else(|| dialect.project(schema.text())).map(Arc::new)
        })
    }
}

impl fmt::Debug for Projections {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Projections").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCHEMA: &str =
        r#"{"type":"object","properties":{"n":{"type":"integer","default":5}},"additionalProperties":false}"#;

    #[test]
    fn each_dialect_is_made_once_and_is_what_it_would_be() {
        let kept = Projections::default();
        let schema = Schema::parse(SCHEMA).expect("a schema");
        for _ in 0..2 {
            for dialect in Dialect::ALL {
                let first = kept.get(dialect, &schema).as_ref().expect("has a projection");
                let second = kept.get(dialect, &schema).as_ref().expect("has a projection");
                assert!(Arc::ptr_eq(first, second));
                assert_eq!(Ok(&**first), dialect.project(SCHEMA).as_ref());
            }
        }
    }

    #[test]
    fn ordinary_schemas_go_out_without_being_read_anew() {
        let schema = Schema::parse(SCHEMA).expect("a schema");
        let dialects = Dialect::ALL.into_iter().filter(|dialect| verbatim(*dialect, &schema).is_some());
        assert_eq!(dialects.collect::<Vec<_>>(), [Dialect::OpenAi, Dialect::Anthropic, Dialect::Bedrock]);
    }

    #[test]
    fn threads_get_the_same() {
        let kept = Projections::default();
        let schema = &Schema::parse(SCHEMA).expect("a schema");
        let places: Vec<Vec<usize>> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4)
                .map(|turn| {
                    let kept = &kept;
                    scope.spawn(move || {
                        let mut order: Vec<usize> = (0..Dialect::ALL.len()).collect();
                        order.rotate_left(turn * 3);
                        let mut places = vec![0; order.len()];
                        for index in order {
                            places[index] = std::ptr::from_ref(kept.get(Dialect::ALL[index], schema)).addr();
                        }
                        places
                    })
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().expect("does not panic")).collect()
        });
        assert!(places.windows(2).all(|pair| pair[0] == pair[1]));
    }
}
