//! The projections that a schema keeps.

use std::fmt;
use std::sync::{Arc, OnceLock};

use super::{Dialect, DialectError, Projection};

/// The projections of one schema, each made when it is first asked for and kept as long as the schema.
///
/// A list that only grows, by at most one link a dialect, so that a schema that nobody lists holds nothing and readers
/// wait for none but the first.
#[derive(Default)]
pub(crate) struct Projections(OnceLock<Box<Link>>);

/// What became of a schema in a dialect.
pub(crate) type Kept = Result<Arc<Projection>, DialectError>;

struct Link {
    dialect: Dialect,
    projection: Kept,
    next: Projections,
}

impl Projections {
    /// The projection of `schema`, which is always the same text.
    pub(crate) fn get(&self, dialect: Dialect, schema: &str) -> &Kept {
        let mut list = self;
        loop {
            let link = list.0.get_or_init(|| {
                let projection = dialect.project(schema).map(Arc::new);
                Box::new(Link { dialect, projection, next: Self::default() })
            });
            if link.dialect == dialect {
                return &link.projection;
            }
            list = &link.next;
        }
    }
}

impl fmt::Debug for Projections {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let links = std::iter::successors(self.0.get(), |link| link.next.0.get());
        f.debug_list().entries(links.map(|link| link.dialect)).finish()
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
        for _ in 0..2 {
            for dialect in Dialect::ALL {
                let first = kept.get(dialect, SCHEMA).as_ref().expect("has a projection");
                let second = kept.get(dialect, SCHEMA).as_ref().expect("has a projection");
                assert!(Arc::ptr_eq(first, second));
                assert_eq!(Ok(&**first), dialect.project(SCHEMA).as_ref());
            }
        }
        assert_eq!(format!("{kept:?}"), format!("{:?}", Dialect::ALL));
    }

    #[test]
    fn threads_get_the_same() {
        let kept = Projections::default();
        let places: Vec<Vec<usize>> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4)
                .map(|turn| {
                    let kept = &kept;
                    scope.spawn(move || {
                        let mut order: Vec<usize> = (0..Dialect::ALL.len()).collect();
                        order.rotate_left(turn * 3);
                        let mut places = vec![0; order.len()];
                        for index in order {
                            places[index] = std::ptr::from_ref(kept.get(Dialect::ALL[index], SCHEMA)).addr();
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
