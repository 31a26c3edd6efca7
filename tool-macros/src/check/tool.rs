//! Rules for one tool.

use std::collections::HashMap;

use syn::Expr;

use super::{constraints, names};
use crate::ast::{Parameter, Passing, ToolFn};
use crate::attr::literal::Literal;
use crate::diagnostics::Diagnostics;

/// Checks what holds for functions and methods alike.
pub(crate) fn check(d: &Diagnostics, tool: &ToolFn) {
    if let Some(fault) = names::tool_name(&tool.name()) {
        let hint = if tool.keys.name.is_set() { "" } else { ", for example by `#[tool(name = \"…\")]`" };
        d.error(tool.name_tokens(), format!("{fault}{hint}"));
    }
    description(d, tool);
    for (key, given) in [("title", &tool.keys.title), ("owner", &tool.keys.owner)] {
        if let Some(text) = given.get().filter(|text| text.value().trim().is_empty()) {
            d.error(text, format!("this {key} is empty; remove it"));
        }
    }
    if let Some(key) = tool.keys.blocking.key()
        && tool.is_async
    {
        d.error(key, "`blocking` is for functions that are not `async`; remove it, or the `async`");
    }
    let mut seen: HashMap<&str, &Parameter> = HashMap::new();
    for parameter in &tool.parameters {
        if parameter.passing.is_injected() {
            injected(d, parameter);
            continue;
        }
        argument(d, tool, parameter);
        if parameter.arg.flatten.is_set() {
            continue;
        }
        // Two parameters of one name under opposite `cfg`s are the user's way to choose one.
        match seen.get(parameter.name.as_str()) {
            Some(other) if other.cfgs.is_empty() && parameter.cfgs.is_empty() => d.push(syn::Error::new(
                parameter.span,
                format!(
                    "two arguments are called `{}`; rename one by `#[arg(rename = \"…\")]`",
                    parameter.name
                ),
            )),
            _ => {
                seen.insert(&parameter.name, parameter);
            }
        }
    }
    let mut flattened = tool.parameters.iter().filter(|parameter| parameter.arg.flatten.is_set());
    if let (Some(_), Some(second)) = (flattened.next(), flattened.next())
        && let Some(key) = second.arg.flatten.key()
    {
        d.error(
            key,
            "one struct can be flattened into the arguments; take this one as a parameter of its own",
        );
    }
}

/// The parameters of a tool with mistakes that are in order themselves, so that the compiler can check them against
/// their types. What is wrong with a name or a description says nothing of the type.
pub(crate) fn in_order(tool: &ToolFn) -> Vec<&Parameter> {
    let in_order = |parameter: &&Parameter| {
        !tool.is_generic
            && parameter.is_understood
            && is_well_flattened(parameter)
            && constraints::are_in_order(&parameter.arg, &parameter.name)
    };
    tool.parameters.iter().filter(in_order).collect()
}

/// Checks what holds for free functions only.
pub(crate) fn free(d: &Diagnostics, tool: &ToolFn) {
    if !tool.has_primitive_handle() {
        return;
    }
    match tool.keys.handle.get() {
        Some(handle) => d.error(
            handle,
            format!("a tool's handle is a type, and `{handle}` is one already; write another name, or `off`"),
        ),
        None => d.error(
            &tool.ident,
            format!(
                "a tool's handle is a type of the function's name, and `{}` is a type already; write \
                 `#[tool(handle = OtherName)]`, `#[tool(handle = off)]`, or rename the function",
                tool.ident
            ),
        ),
    }
}

impl ToolFn {
    /// Whether the handle would hide a type of the language.
    pub(crate) fn has_primitive_handle(&self) -> bool {
        const PRIMITIVES: &[&str] = &[
            "bool", "char", "str", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64",
            "i128", "isize", "f32", "f64",
        ];
        let handle = self.keys.handle.get().unwrap_or(&self.ident);
        PRIMITIVES.iter().any(|primitive| handle == primitive)
    }
}

fn description(d: &Diagnostics, tool: &ToolFn) {
    match tool.keys.description.get() {
        Some(expression) => {
            if let Some(Literal::String(text)) = Literal::of(expression) {
                if text.trim().is_empty() {
                    d.error(
                        expression,
                        "this description is empty; say what the tool does, models choose by it",
                    );
                }
            } else if matches!(expression, Expr::Lit(_)) {
                d.error(expression, "a description is a string");
            }
        }
        None if tool.docs.is_empty() && !tool.keys.description.is_tried() => d.error(
            &tool.ident,
            format!(
                "tool `{}` has no description; say in a doc comment what it does, models choose by it",
                tool.name()
            ),
        ),
        None => {}
    }
}

fn injected(d: &Diagnostics, parameter: &Parameter) {
    let arg = &parameter.arg;
    let keys =
        [arg.rename.key(), arg.description.key(), arg.default.key(), arg.secret.key(), arg.flatten.key()]
            .into_iter()
            .flatten()
            .chain(arg.examples.iter().map(|(key, _)| key))
            .chain(arg.constraints.iter().map(|constraint| &constraint.key));
    for key in keys {
        d.error(key, "an injected parameter is no argument, so the model never sees this; remove it");
    }
}

fn is_well_flattened(parameter: &Parameter) -> bool {
    !parameter.arg.flatten.is_set() || matches!(parameter.passing, Passing::Owned(_))
}

fn argument(d: &Diagnostics, tool: &ToolFn, parameter: &Parameter) {
    let arg = &parameter.arg;
    constraints::check(d, arg, &parameter.name);
    if arg.flatten.is_set() {
        if !is_well_flattened(parameter) {
            d.push(syn::Error::new(parameter.span, "a flattened struct is taken by value"));
        }
        return;
    }
    if let Some(fault) = names::argument_name(&parameter.name, !arg.rename.is_set()) {
        d.push(syn::Error::new(parameter.span, fault));
    }
    match arg.description.get() {
        Some(expression) => {
            if let Some(Literal::String(text)) = Literal::of(expression) {
                if text.trim().is_empty() {
                    d.error(expression, "this description is empty; say what the argument means");
                }
            } else if matches!(expression, Expr::Lit(_)) {
                d.error(expression, "a description is a string");
            }
        }
        None if parameter.docs.is_empty()
            && !arg.description.is_tried()
            && !tool.keys.docs_optional.is_tried() =>
        {
            d.push(syn::Error::new(
                parameter.span,
                format!(
                    "parameter `{}` has no description; say in a doc comment what it means, or allow it by \
                 `#[tool(docs(optional))]`",
                    parameter.name
                ),
            ));
        }
        None => {}
    }
}
