//! What a tool's signature may look like.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use expect_test::expect;
use tool_runtime::{CallContext, Registry, State, ToolHandle, tool, toolset};

use crate::support::{call, fails, input, run, text, with_definition};

/// Counts from a default.
#[tool(docs(optional))]
fn with_default_c(#[arg(default = 1)] c: u8) -> u8 {
    c
}

/// Counts from another default, under the same name.
#[tool(docs(optional))]
fn another_default_c(#[arg(default = 2)] c: u8) -> u8 {
    c
}

/// Has a computed default, under the same name.
#[tool(docs(optional))]
fn computed_default_c(#[arg(default = vec![with_default_c(3)])] c: Vec<u8>) -> Vec<u8> {
    c
}

#[test]
fn f014_defaults_of_one_name_belong_to_their_tools() {
    assert_eq!(text::<with_default_c>("{}"), "1");
    assert_eq!(text::<another_default_c>("{}"), "2");
    assert_eq!(text::<computed_default_c>("{}"), "[3]");
}

/// Takes keywords.
#[tool(docs(optional))]
async fn r#match(r#type: String, r#fn: Option<u8>, r#gen: &str) -> String {
    format!("{type} {fn:?} {gen}", r#type = r#type, r#fn = r#fn, r#gen = r#gen)
}

#[test]
fn f015_raw_identifiers_are_plain_on_the_wire() {
    assert_eq!(r#match::SPEC.name(), "match");
    assert_eq!(text::<r#match>(r#"{"type":"a","gen":"g"}"#), r#""a None g""#);
    expect![[r#"{"type":"object","properties":{"type":{"type":"string"},"fn":{"type":["integer","null"],"minimum":0,"maximum":255},"gen":{"type":"string"}},"required":["type","gen"],"additionalProperties":false}"#]]
        .assert_eq(&input::<r#match>());
    fails::<r#match>(
        r#"{"type":1,"fn":300}"#,
        expect![[r#"
            INVALID_ARGS
            Error: invalid arguments for "match":
            - /type: expected string, got integer 1
            - /fn: expected integer from 0 to 255 or null, got integer 300
            - missing required property "/gen"
            Call it like: {"type":"text","gen":"text"}"#]],
    );
    fails::<r#match>(
        r#"{"r#type":"a","gen":""}"#,
        expect![[r#"
            INVALID_ARGS
            Error: invalid arguments for "match":
            - missing required property "/type"
            - unknown property "/r#type"; did you mean "type"?
            Call it like: {"type":"text","gen":"text"}"#]],
    );
}

/// Pushes.
#[tool(docs(optional))]
async fn pushes(mut v: Vec<u8>, mut text: String, mut first: Option<Cow<'_, str>>) -> String {
    v.push(1);
    text.push('!');
    if let Some(first) = &mut first {
        first.to_mut().push('?');
    }
    format!("{v:?} {text} {first:?}")
}

#[test]
fn f017_mut_stays_and_never_shows() {
    assert_eq!(text::<pushes>(r#"{"v":[],"text":"a","first":"f"}"#), r#""[1] a! Some(\"f?\")""#);
}

/// Has parameters that this build does not have.
#[tool(docs(optional))]
async fn with_cfg(
    a: u8,
    #[cfg(any())] gone: Missing,
    #[cfg(not(any()))]
    #[arg(default = 2)]
    b: u8,
    #[cfg(any())] gone_too: &str,
    c: &str,
) -> String {
    format!("{a} {b} {c}")
}

/// Has no such tool in this build.
#[cfg(any())]
#[tool]
fn gone_altogether(x: Missing) -> Missing {
    x
}

/// Has a tool under `cfg` below the attribute.
#[tool]
#[cfg(any())]
fn gone_altogether_too(x: Missing) -> Missing {
    x
}

#[test]
fn f018_cfg_takes_field_required_and_argument_along() {
    assert_eq!(text::<with_cfg>(r#"{"a":1,"c":"x"}"#), r#""1 2 x""#);
    expect![[r#"{"type":"object","properties":{"a":{"type":"integer","minimum":0,"maximum":255},"b":{"type":"integer","minimum":0,"maximum":255,"default":2},"c":{"type":"string"}},"required":["a","c"],"additionalProperties":false}"#]]
        .assert_eq(&input::<with_cfg>());
    assert!(call::<with_cfg>(r#"{"a":1,"gone":1,"c":"x"}"#).is_error());
    #[cfg(any())]
    compile_error!("`gone_altogether` is gone");
}

static SPANS: AtomicU32 = AtomicU32::new(0);

mod instrumented {
    /// An attribute-like wrapper that counts what passes it, in place of `tracing::instrument`.
    macro_rules! counted {
        ($(#[$attribute:meta])* fn $name:ident($($arg:ident: $ty:ty),*) -> $out:ty $body:block) => {
            $(#[$attribute])*
            fn $name($($arg: $ty),*) -> $out {
                SPANS.fetch_add(1, Ordering::SeqCst);
                $body
            }
        };
    }
    pub(super) use counted;
}

instrumented::counted! {
    /// Counted.
    #[tool_runtime::tool(docs(optional))]
    #[must_use]
    #[inline]
    #[allow(clippy::let_and_return, reason = "stays where it is")]
    fn counted(n: u8) -> u8 { let n = n + 1; n }
}

/// Is old.
#[tool(docs(optional))]
#[deprecated(note = "use `counted`")]
fn old(n: u8) -> u8 {
    n
}

/// Must be used.
#[must_use = "it is the point"]
#[tool(docs(optional))]
#[inline]
#[allow(clippy::unused_async, reason = "an attribute that stays")]
async fn attributed(n: u8) -> u8 {
    n
}

#[test]
fn f021_other_attributes_stay_on_the_function() {
    assert_eq!(text::<counted>(r#"{"n":1}"#), "2");
    assert_eq!(SPANS.load(Ordering::SeqCst), 1);
    #[expect(deprecated, reason = "the attribute was kept, which this proves")]
    let kept = old(1);
    assert_eq!(kept, 1);
    assert_eq!(text::<attributed>(r#"{"n":1}"#), "1");
}

/// Is synchronous.
#[tool(docs(optional))]
fn sync_thread(n: u8) -> String {
    format!("{n} {:?}", std::thread::current().id())
}

/// Is synchronous and blocks.
#[tool(docs(optional), blocking)]
fn blocking_thread(n: u8, text: &str) -> String {
    format!("{n}{text} {:?}", std::thread::current().id())
}

#[test]
fn f023_sync_functions_run_in_place_or_on_the_blocking_pool() {
    let here = format!("{:?}", std::thread::current().id());
    assert_eq!(text::<sync_thread>(r#"{"n":1}"#), format!("\"1 {here}\""));
    let elsewhere = text::<blocking_thread>(r#"{"n":1,"text":"t"}"#);
    assert!(elsewhere.starts_with("\"1t ThreadId") && elsewhere != format!("\"1t {here}\""), "{elsewhere}");
}

#[test]
fn f023_blocking_tools_run_in_place_without_a_runtime() {
    use std::task::{Context, Poll, Waker};
    let registry = crate::support::only::<blocking_thread>();
    let call = tool_runtime::ToolCall::new("1", "blocking_thread", r#"{"n":1,"text":""}"#);
    let mut future = std::pin::pin!(registry.call(call));
    let Poll::Ready(result) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) else {
        panic!("it waited for a pool that is not there");
    };
    assert_eq!(result.text(), format!("\"1 {:?}\"", std::thread::current().id()));
}

type Callback =
    dyn for<'a> Fn(&'a str) -> std::pin::Pin<Box<dyn Future<Output = usize> + Send + 'a>> + Send + Sync;

/// Holds borrows across awaits in every way that upsets `Send` proofs.
#[tool(docs(optional))]
async fn higher_ranked(text: &str, words: Vec<String>, more: &[String]) -> usize {
    let callback: Box<Callback> = Box::new(|part| {
        Box::pin(async move {
            tokio::task::yield_now().await;
            part.len()
        })
    });
    let closure = async |part: &str| {
        tokio::task::yield_now().await;
        part.len()
    };
    let mut sum = callback(text).await;
    for word in words.iter().map(String::as_str).chain(more.iter().map(String::as_str)) {
        sum += closure(word).await + callback(word).await;
    }
    sum
}

#[test]
fn f024_borrows_across_awaits_compile_and_run() {
    assert_eq!(text::<higher_ranked>(r#"{"text":"abc","words":["a","bc"],"more":["d"]}"#), "11");
}

trait Client: Send + Sync + 'static {
    fn name(&self) -> String;
}
struct Http;
impl Client for Http {
    fn name(&self) -> String {
        "http".to_owned()
    }
}

struct Service<C: Client, const N: usize = 2> {
    client: C,
}

#[toolset]
impl<C: Client, const N: usize> Service<C, N> {
    /// Names the client.
    #[tool(docs(optional))]
    async fn client_name(&self, times: u8) -> String {
        self.client.name().repeat(usize::from(times) * N)
    }
}

#[test]
fn f027_generic_impls_are_made_concrete_at_registration() {
    let registry =
        Registry::builder().register_all(Service::<_, 3> { client: Http }).build().expect("builds");
    assert_eq!(run(&registry, "client_name", r#"{"times":1}"#).text(), r#""httphttphttp""#);
}

/// Borrows.
#[tool(docs(optional))]
async fn borrows(a: &str, b: Option<&str>, c: &[u8], d: Cow<'_, str>, e: &Path, f: Option<&Path>) -> String {
    tokio::task::yield_now().await;
    format!("{a} {b:?} {c:?} {d} {e:?} {f:?}")
}

/// Borrows more.
#[tool(docs(optional))]
fn borrows_more(
    a: &String,
    b: &Vec<String>,
    c: Option<&[String]>,
    d: Option<Cow<'_, str>>,
    e: &[Option<u8>],
    f: Cow<'_, [u8]>,
    #[arg(default = "/a")] g: &Path,
) -> String {
    format!("{a} {b:?} {c:?} {d:?} {e:?} {f:?} {g:?}")
}

#[test]
fn f029_borrowed_parameters_work() {
    assert_eq!(
        text::<borrows>(r#"{"a":"x","c":[1,2],"d":"d","e":"/x","f":"y"}"#),
        r#""x None [1, 2] d \"/x\" Some(\"y\")""#
    );
    assert_eq!(
        text::<borrows>(r#"{"a":"\u0078\n","b":"é","c":[],"d":"\"","e":""}"#),
        r#""x\n Some(\"é\") [] \" \"\" None""#
    );
    assert_eq!(
        text::<borrows_more>(r#"{"a":"a","b":["b"],"e":[1,null],"f":[1]}"#),
        r#""a [\"b\"] None None [Some(1), None] [1] \"/a\"""#
    );
    assert_eq!(
        text::<borrows_more>(r#"{"a":"a","b":["b"],"c":["c"],"d":"d","e":[],"f":[],"g":"/"}"#),
        r#""a [\"b\"] Some([\"c\"]) Some(\"d\") [] [] \"/\"""#
    );
}

/// Renames what has no name of its own.
#[tool(docs(optional))]
fn renames(
    #[arg(rename = "a")] _: u8,
    #[arg(rename = "b")] _b: u8,
    #[arg(rename = "page-size")] size: u8,
) -> u8 {
    size
}

#[test]
fn f030_parameters_without_a_name_take_the_one_that_is_given() {
    assert_eq!(text::<renames>(r#"{"a":1,"b":2,"page-size":3}"#), "3");
    fails::<renames>(
        r#"{"_b":1}"#,
        expect![[r#"
            INVALID_ARGS
            Error: invalid arguments for "renames":
            - missing required property "/a"
            - missing required property "/b"
            - missing required property "/page-size"
            - unknown property "/_b"; did you mean "b"?
            Call it like: {"a":1,"b":1,"page-size":1}"#]],
    );
}

#[derive(Debug)]
struct Greeter;

#[toolset]
impl Greeter {
    /// Greets with everything that can be injected.
    #[tool(docs(optional))]
    async fn greet(
        &self,
        cx: &CallContext,
        name: &str,
        factor: State<u8>,
        #[state] other: &u16,
        #[state] third: Arc<u32>,
        #[context] again: CallContext,
    ) -> Result<String, std::io::Error> {
        tokio::task::yield_now().await;
        let optional = cx.state::<u64>().is_some();
        Ok(format!(
            "{name} {} {} {} {other} {third} {self:?} {optional}",
            cx.call_id(),
            again.tool(),
            *factor
        ))
    }

    /// Shares itself.
    #[tool]
    fn count(self: Arc<Self>) -> usize {
        Arc::strong_count(&self)
    }
}

#[test]
fn f033_injected_values_are_no_arguments_and_self_may_be_shared() {
    let greeter = Arc::new(Greeter);
    let registry = Registry::builder()
        .state(1_u8)
        .state(2_u16)
        .state(3_u32)
        .register_shared(&greeter)
        .build()
        .expect("builds");
    assert_eq!(
        run(&registry, "greet", r#"{"name":"ada"}"#).text(),
        r#""ada call_1 greet 1 2 3 Greeter false""#
    );
    assert!(run(&registry, "greet", r#"{"name":"ada","factor":2}"#).is_error());
    // Here, one for each of two tools, and in the call.
    assert_eq!(run(&registry, "count", "").text(), "4");
    expect![[r#"{"type":"object","properties":{"name":{"type":"string"}},"required":["name"],"additionalProperties":false}"#]]
        .assert_eq(registry.definition("greet").expect("registered").input_schema().text());
}

/// Takes twenty-four.
#[tool(docs(optional))]
#[expect(clippy::too_many_arguments, reason = "as many as there can be")]
fn many(
    a: u8,
    b: u8,
    c: u8,
    d: u8,
    e: u8,
    f: u8,
    g: u8,
    h: u8,
    i: u8,
    j: u8,
    k: u8,
    l: u8,
    m: u8,
    n: u8,
    o: u8,
    p: u8,
    q: u8,
    r: u8,
    s: u8,
    t: u8,
    u: u8,
    v: u8,
    w: u8,
    #[arg(default = 9)] x: u8,
) -> Vec<u8> {
    vec![a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x]
}

#[test]
fn twenty_four_parameters_are_read_in_any_order() {
    let mut members: Vec<String> =
        ('a'..='w').zip(0..).map(|(name, n): (char, u8)| format!("\"{name}\":{n}")).collect();
    let expected = "[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,9]";
    assert_eq!(text::<many>(&format!("{{{}}}", members.join(","))), expected);
    members.reverse();
    assert_eq!(text::<many>(&format!("{{{}}}", members.join(","))), expected);
}

/// Is nested.
#[tool(docs(optional))]
fn maps(map: BTreeMap<String, Vec<Option<u8>>>, path: PathBuf, boxed: Box<str>, list: Box<[u8]>) -> String {
    format!("{map:?} {path:?} {boxed} {list:?}")
}

#[test]
fn owned_types_of_the_standard_library_are_arguments() {
    assert_eq!(
        text::<maps>(r#"{"map":{"a":[1,null]},"path":"p","boxed":"b","list":[1]}"#),
        r#""{\"a\": [Some(1), None]} \"p\" b [1]""#
    );
}

#[test]
fn tools_may_be_declared_inside_functions() {
    /// Lives inside a function.
    #[tool(docs(optional))]
    fn inside_a_function(n: u8) -> u8 {
        n
    }
    assert_eq!(text::<inside_a_function>(r#"{"n":1}"#), "1");
    with_definition::<inside_a_function, _>(|definition| {
        assert_eq!(definition.description(), "Lives inside a function.");
    });
}
