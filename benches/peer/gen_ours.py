def ours(n, signature=lambda i: ("i64", "String", "Option<f64>")):
    """this SDK; without `signature`, plain's parameters for every tool"""
    s = """#![allow(unused_imports)]
use tool_runtime::{Registry, ToolCall, provider::anthropic::Messages, tool};
fn build() -> Registry { Registry::collect().unwrap() }
fn list(r: &Registry) -> String { Messages::plain().tools(&r.definitions()) }
async fn call(r: &Registry, n: &str, a: &str) -> String { r.call(ToolCall::new("call", n, a)).await.text() }
"""
    for i in range(n):
        params = PARAMS
        body = BODY.format(i=i, p="")
        if signature(i) != ("i64", "String", "Option<f64>"):
            body = body.replace("{} {} {:?}", "{:?} {:?} {:?}")
            for name, old, new in zip("abc", ("i64", "String", "Option<f64>"), signature(i)):
                params = params.replace(f"    {name}: {old},", f"    {name}: {new},")
        s += f"{DOC.format(i=i)}\n#[tool]\nasync fn tool_{i}({params}) -> String {{\n    {body}\n}}\n"
    return s

def ours_varied(n):
    """ours with the signatures of lean_varied: no two alike up to 216"""
    ts = ["i64", "String", "Option<f64>", "bool", "Vec<String>", "u32"]
    def signature(i):
        k = i * 37 % 216
        return (ts[k % 6], ts[k // 6 % 6], ts[k // 36]) if i else ("i64", "String", "Option<f64>")
    return ours(n, signature)
