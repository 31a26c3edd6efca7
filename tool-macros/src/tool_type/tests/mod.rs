//! Messages as lists, and a few expansions.

mod attributes;
mod expansions;
mod items;

use expect_test::Expect;
use proc_macro2::TokenStream;

use crate::diagnostics::messages;
use crate::tool_type::expand;

/// The mistakes in an item, in their order.
fn check(attr: &TokenStream, item: &TokenStream, expected: &Expect) {
    expected.assert_eq(&messages(expand(attr.clone(), item.clone())));
}

fn mistakes(item: &TokenStream, expected: &Expect) {
    check(&TokenStream::new(), item, expected);
}
