//! What a repair changes, apart from the value that it changes.

use std::rc::Rc;

use serde_json::Value;

use super::{Repair, RepairKind};
use crate::value::Pointer;

/// The change of one value. Values that stay are not in it, so that it is no larger than what it changes.
#[derive(Debug, PartialEq)]
pub(super) enum Change {
    /// Another value stands in its place, itself perhaps changed.
    Whole(Kind, Rc<Value>, Option<Rc<Change>>),
    Object(Vec<(String, MemberChange)>),
    Array(Vec<(usize, Rc<Change>)>),
}

#[derive(Debug, PartialEq)]
pub(super) enum MemberChange {
    Inner(Rc<Change>),
    /// The member goes.
    Drop,
    /// A default comes.
    Insert(Rc<Value>),
}

impl Change {
    /// The changes of an object's members, in an order that does not hang on how its map is built; `None` without
    /// any.
    pub(super) fn object(mut members: Vec<(String, MemberChange)>) -> Option<Rc<Self>> {
        members.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        (!members.is_empty()).then(|| Rc::new(Self::Object(members)))
    }
}

/// Two readings of one value are the same whatever the rules are called by which they were made.
#[derive(Debug, Clone, Copy)]
pub(super) struct Kind(pub(super) RepairKind);

impl PartialEq for Kind {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// The most places that are recorded, and the most bytes of them: names may be long.
const MOST: usize = 1_000;
const MOST_BYTES: usize = 1 << 20;

/// Makes changes, and records them.
pub(super) struct Changer<'r> {
    repairs: &'r mut Vec<Repair>,
    pointer: Pointer,
    bytes: usize,
}

impl<'r> Changer<'r> {
    pub(super) fn new(repairs: &'r mut Vec<Repair>) -> Self {
        Self { repairs, pointer: Pointer::root(), bytes: 0 }
    }

    fn record(&mut self, kind: RepairKind) {
        let pointer = self.pointer.as_str();
        self.bytes += pointer.len();
        if self.repairs.len() < MOST && self.bytes < MOST_BYTES {
            self.repairs.push(Repair { kind, pointer: pointer.to_owned() });
        }
    }

    pub(super) fn apply(&mut self, change: &Change, value: Value) -> Value {
        match (change, value) {
            (Change::Whole(kind, new, then), _) => {
                self.record(kind.0);
                let new = Value::clone(new);
                match then {
                    Some(then) => self.apply(then, new),
                    None => new,
                }
            }
            (Change::Object(changes), Value::Object(mut members)) => {
                for (name, change) in changes {
                    self.pointer.push(name);
                    match change {
                        MemberChange::Inner(change) => {
                            if let Some(slot) = members.get_mut(name) {
                                *slot = self.apply(change, slot.take());
                            }
                        }
                        MemberChange::Drop => {
                            members.remove(name);
                            self.record(RepairKind::NullAbsent);
                        }
                        MemberChange::Insert(value) => {
                            members.insert(name.clone(), Value::clone(value));
                        }
                    }
                    self.pointer.pop();
                }
                Value::Object(members)
            }
            (Change::Array(changes), Value::Array(mut items)) => {
                for (index, change) in changes {
                    self.pointer.push_index(*index);
                    if let Some(slot) = items.get_mut(*index) {
                        *slot = self.apply(change, slot.take());
                    }
                    self.pointer.pop();
                }
                Value::Array(items)
            }
            (_, value) => value,
        }
    }
}
