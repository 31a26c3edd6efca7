//! What following the references of a foreign schema may cost.

use super::super::link::MAX_CHAIN;
use super::survey::Survey;

/// The most schemas after each reference is written out, circles once.
const MAX_EXPANDED: usize = 20_000;

/// The most schemas on any way that does not turn back: a builder may hold each on its stack.
const MAX_PATH: usize = 500;

/// Finds references that lead in a circle, chains that are too long, and schemas that grow when written out.
///
/// Returns the most schemas that one value passes before a property or an item.
pub(super) fn check(survey: &mut Survey<'_>) -> usize {
    let count = survey.places.len();
    let in_place = |survey: &Survey<'_>, place: usize| -> Vec<(usize, bool)> {
        let Some(place) = survey.places.get(place) else { return Vec::new() };
        let inside = place.inside.iter().map(|child| (*child, false));
        inside.chain(place.links.iter().map(|target| (*target, true))).collect()
    };
    let walk = Walk::new(count, 0..count, |place| in_place(survey, place));
    if let Some((from, _)) = walk.circles.first() {
        let hint = "let one of the references stand at a property or an item";
        survey.fault(*from, "$ref", "the references lead in a circle that no value can leave", hint);
        return 0;
    }
    // Links, and schemas, on the longest way from each place.
    let mut longest = vec![(0_usize, 0_usize); count];
    for place in walk.order {
        let mut own = (0, 0);
        for (next, is_link) in in_place(survey, place) {
            let (links, schemas) = longest.get(next).copied().unwrap_or_default();
            own = (own.0.max(links + usize::from(is_link)), own.1.max(schemas + 1));
        }
        if own.0 > MAX_CHAIN {
            let problem = format!("more than {MAX_CHAIN} references follow one another");
            survey.fault(place, "$ref", problem, "refer to the last one directly");
            return 0;
        }
        if let Some(slot) = longest.get_mut(place) {
            *slot = own;
        }
    }
    expanded(survey);
    longest.into_iter().map(|(_, schemas)| schemas).max().unwrap_or(0)
}

/// Finds schemas that grow too large, or too deep, when their references are written out.
fn expanded(survey: &mut Survey<'_>) {
    let count = survey.places.len();
    let all = |place: usize| -> Vec<(usize, bool)> {
        let Some(place) = survey.places.get(place) else { return Vec::new() };
        place.inside.iter().chain(&place.below).chain(&place.links).map(|next| (*next, false)).collect()
    };
    let reversed = |place: usize| {
        let mut next = all(place);
        next.reverse();
        next
    };
    let walk = Walk::new(count, 0..1, all);
    if walk.longest.max(Walk::new(count, 0..count, reversed).longest) > MAX_PATH {
        let problem = format!("more than {MAX_PATH} schemas lead from one to the next");
        return survey.fault(0, "", problem, "make it smaller");
    }
    let mut sizes = vec![1_usize; count];
    for place in walk.order {
        let size = all(place)
            .into_iter()
            .map(|(next, _)| sizes.get(next).copied().unwrap_or(1))
            .fold(1_usize, usize::saturating_add);
        if let Some(slot) = sizes.get_mut(place) {
            *slot = size;
        }
    }
    if sizes.first().is_some_and(|size| *size > MAX_EXPANDED) {
        let problem =
            format!("there are more than {MAX_EXPANDED} schemas in it when its references are followed");
        survey.fault(0, "", problem, "make it smaller");
    }
}

/// A walk in depth, without recursion.
struct Walk {
    /// Every place after all that it leads to.
    order: Vec<usize>,
    /// Steps back to a place that the walk has not left.
    circles: Vec<(usize, usize)>,
    /// The most places that were open at once.
    longest: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Open,
    Done,
}

impl Walk {
    fn new(
        count: usize,
        starts: impl Iterator<Item = usize>,
        next: impl Fn(usize) -> Vec<(usize, bool)>,
    ) -> Self {
        let mut walk = Self { order: Vec::with_capacity(count), circles: Vec::new(), longest: 0 };
        let mut states = vec![State::New; count];
        for start in starts {
            if states.get(start) != Some(&State::New) {
                continue;
            }
            let mut open = vec![(start, next(start))];
            set(&mut states, start, State::Open);
            while let Some((place, pending)) = open.last_mut() {
                let place = *place;
                let Some((step, _)) = pending.pop() else {
                    set(&mut states, place, State::Done);
                    walk.order.push(place);
                    open.pop();
                    continue;
                };
                match states.get(step) {
                    Some(State::New) => {
                        set(&mut states, step, State::Open);
                        open.push((step, next(step)));
                        walk.longest = walk.longest.max(open.len());
                    }
                    Some(State::Open) => walk.circles.push((place, step)),
                    _ => {}
                }
            }
        }
        walk
    }
}

fn set(states: &mut [State], place: usize, state: State) {
    if let Some(slot) = states.get_mut(place) {
        *slot = state;
    }
}
