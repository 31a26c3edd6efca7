//! From a text that is not one JSON object to the one object that it can only mean.
//!
//! One outer repair at most (a fence, a string around it, something after it, objects in front of it), and any
//! spelling of JSON5 or Python that has one reading. What was cut off is never completed.

use super::tolerant::{Rewritten, Unreadable, rewrite};
use super::{Repair, RepairKind};
use crate::arguments::text::says_nothing;
use crate::value::{Fault, Json, ParseError, ParseLimits, Prefix, canonical, parse_collapsing, parse_prefix};

/// What chat templates write after the arguments of a call.
const TOKENS: [&str; 56] = [
    "</tool_call>",
    "</tool_calls>",
    "</tool_use>",
    "</tool>",
    "</function>",
    "</function_call>",
    "</function_calls>",
    "</functions>",
    "</invoke>",
    "</parameter>",
    "</parameters>",
    "</arguments>",
    "</args>",
    "</input>",
    "</action>",
    "</s>",
    "<|im_end|>",
    "<|endoftext|>",
    "<|end|>",
    "<|eot_id|>",
    "<|eom_id|>",
    "<|eot|>",
    "<|eos|>",
    "<eos>",
    "<|end_of_text|>",
    "<|end_of_turn|>",
    "<end_of_turn>",
    "<|end_of_message|>",
    "<|call|>",
    "<|return|>",
    "<|/tool_call|>",
    "<|tool_call_end|>",
    "<|tool_calls_end|>",
    "<|tool_call_argument_end|>",
    "<|tool_calls_section_end|>",
    "<|observation|>",
    "<|user|>",
    "<|END_ACTION|>",
    "<|END_OF_TURN_TOKEN|>",
    "<｜tool▁call▁end｜>",
    "<｜tool▁calls▁end｜>",
    "<｜end▁of▁sentence｜>",
    "<|tool▁call▁end|>",
    "<|tool▁calls▁end|>",
    "[/TOOL_CALLS]",
    "</minimax:tool_call>",
    "<tool_call|>",
    "</arg_value>",
    "</TOOLCALL>",
    "</seed:tool_call>",
    "<|python_end|>",
    "<|action_end|>",
    "<end_function_call>",
    "<|END_RESPONSE|>",
    "<｜tool_call_end｜>",
    "<｜tool_calls_end｜>",
];

/// Reads the object that a text can only mean; `Err` with the fault that is worth telling, if another than the
/// strict reader's.
pub(super) fn read(text: &str, limits: &ParseLimits) -> Result<(Json, Vec<Repair>), Option<ParseError>> {
    let mut repairs = Vec::new();
    let mut text = text;
    if let Some(rest) = text.strip_prefix('\u{feff}') {
        repairs.push(Repair::of_text(RepairKind::ByteOrderMark));
        text = rest;
        if says_nothing(text) {
            repairs.push(Repair::of_text(RepairKind::Empty));
            return Ok((Json::Object(Vec::new()), repairs));
        }
    }
    let inner = fenced(text);
    if inner.is_some() {
        repairs.push(Repair::of_text(RepairKind::Fence));
    }
    let may_be_outer = inner.is_none();
    let read = spelled(inner.unwrap_or(text), limits, &mut repairs)?;
    let json = match read {
        Read::Whole(json @ Json::Object(_)) => json,
        Read::Whole(Json::String(content)) if may_be_outer => {
            repairs.push(Repair::of_text(RepairKind::StringLayer));
            match spelled(&content, limits, &mut repairs)? {
                Read::Whole(json @ Json::Object(_)) => json,
                _ => return Err(None),
            }
        }
        Read::Prefix(json @ Json::Object(_), rest) if may_be_outer => {
            let (json, kind) = with_rest(json, &rest, limits)?;
            repairs.push(Repair::of_text(kind));
            json
        }
        _ => return Err(None),
    };
    Ok((json, repairs))
}

/// What a text begins with.
enum Read {
    Whole(Json),
    /// A value, and the text after it.
    Prefix(Json, String),
}

/// Reads a text in any spelling that has one reading.
fn spelled(text: &str, limits: &ParseLimits, repairs: &mut Vec<Repair>) -> Result<Read, Option<ParseError>> {
    // The text as it is comes first: nothing is rewritten that is right.
    let error = match attempt(text, limits, repairs) {
        Ok(Read::Prefix(json, rest)) => {
            return Ok(match rewrite(&rest) {
                Ok(Rewritten { text, kinds }) if text.trim().is_empty() => {
                    repairs.extend(kinds.into_iter().map(Repair::of_text));
                    Read::Whole(json)
                }
                // Another object, spelled in another way.
                Ok(Rewritten { text, kinds }) if !kinds.is_empty() && text.trim_start().starts_with('{') => {
                    repairs.extend(kinds.into_iter().map(Repair::of_text));
                    Read::Prefix(json, text)
                }
                _ => Read::Prefix(json, rest),
            });
        }
        Ok(whole) => return Ok(whole),
        Err(error) => error,
    };
    match error.fault {
        // Nothing that is rewritten changes these.
        Fault::CutOff | Fault::TooLarge | Fault::TooDeep | Fault::TooMany | Fault::ConflictingDuplicate => {
            return Err(Some(error));
        }
        _ => {}
    }
    // A place in the rewritten text is no place in the text; that it ends too soon has none.
    let cut_off = || Some(ParseError { fault: Fault::CutOff, offset: text.len(), path: Vec::new() });
    if ends_within_word(text, &error) {
        return Err(cut_off());
    }
    let Rewritten { text: rewritten, kinds } = rewrite(text).map_err(|reason| match reason {
        Unreadable::CutOff => cut_off(),
        Unreadable::Ambiguous => None,
    })?;
    if kinds.is_empty() {
        return Err(None);
    }
    let read = attempt(&rewritten, limits, repairs).map_err(|error| {
        let is_cut = error.fault == Fault::CutOff || ends_within_word(&rewritten, &error);
        if is_cut { cut_off() } else { None }
    })?;
    repairs.extend(kinds.into_iter().map(Repair::of_text));
    Ok(read)
}

/// Whether nothing but a word that another spelling may go on with keeps a text from ending too soon.
fn ends_within_word(text: &str, error: &ParseError) -> bool {
    let rest = text.get(error.offset..).unwrap_or_default();
    let is_part = |c: char| c == '_' || c == '$' || c.is_alphanumeric();
    let is_word = !rest.is_empty() && rest.chars().all(is_part);
    error.fault == Fault::Unexpected && error.offset > 0 && (is_word || matches!(rest, "/" | "\\"))
}

/// Reads a text strictly, but for equal duplicates and what stands after the value.
fn attempt(text: &str, limits: &ParseLimits, repairs: &mut Vec<Repair>) -> Result<Read, ParseError> {
    let mut read = |text: &str| -> Result<Json, ParseError> {
        let (json, collapsed) = parse_collapsing(text, limits)?;
        repairs.extend(
            collapsed
                .into_iter()
                .map(|place| Repair { kind: RepairKind::EqualDuplicate, pointer: place.as_str().to_owned() }),
        );
        Ok(json)
    };
    match read(text) {
        Err(error) if error.fault == Fault::Trailing => {
            let (value, rest) = text.split_at_checked(error.offset).ok_or(error)?;
            Ok(Read::Prefix(read(value)?, rest.to_owned()))
        }
        outcome => outcome.map(Read::Whole),
    }
}

/// The content of a text that is one Markdown fence.
fn fenced(text: &str) -> Option<&str> {
    let text = text.trim();
    let mark = ["```", "~~~"].into_iter().find(|mark| text.starts_with(mark))?;
    let inner = text.strip_prefix(mark)?.strip_suffix(mark)?;
    let is_info = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '+' | '.');
    let content = inner.trim_start_matches(is_info);
    content.trim_start().starts_with(['{', '/']).then_some(content)
}

/// What an object and the text after it mean together; `Err` with the fault that is worth telling, if there is one.
fn with_rest(
    object: Json,
    rest: &str,
    limits: &ParseLimits,
) -> Result<(Json, RepairKind), Option<ParseError>> {
    if is_noise(rest) {
        return Ok((object, RepairKind::Trailing));
    }
    let is_empty = |json: &Json| matches!(json, Json::Object(members) if members.is_empty());
    let mut rest = rest;
    // What all of them hold together is counted, as if it stood in one.
    let mut limits = *limits;
    let mut next = || {
        let Prefix { value, end, nodes } = parse_prefix(rest, &limits)
            .map_err(|error| Some(error).filter(|error| error.fault == Fault::TooMany))?;
        limits.nodes = limits.nodes.saturating_sub(nodes);
        rest = rest.get(end..).unwrap_or_default();
        if matches!(value, Json::Object(_)) { Ok((value, rest.is_empty())) } else { Err(None) }
    };
    if is_empty(&object) {
        return loop {
            let (json, is_last) = next()?;
            match (is_empty(&json), is_last) {
                (false, true) => break Ok((json, RepairKind::LeadingEmpty)),
                (true, true) => break Ok((json, RepairKind::Repeated)),
                (false, false) => break Err(None),
                (true, false) => {}
            }
        };
    }
    let text = canonical(&object.clone().into_value());
    loop {
        let (json, is_last) = next()?;
        if canonical(&json.into_value()) != text {
            return Err(None);
        }
        if is_last {
            return Ok((object, RepairKind::Repeated));
        }
    }
}

/// Whether a text has nothing but surplus closers and the tokens of chat templates.
fn is_noise(text: &str) -> bool {
    let is_closer = |c: char| matches!(c, '}' | ']') || c.is_whitespace();
    let mut rest = text.trim_start_matches(is_closer);
    while !rest.is_empty() {
        let Some(after) = TOKENS.iter().find_map(|token| rest.strip_prefix(token)) else { return false };
        rest = after.trim_start_matches(is_closer);
    }
    true
}
