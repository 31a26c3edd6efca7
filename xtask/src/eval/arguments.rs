//! `eval arguments`: what models send, read against a schema.

use serde_json::Value;
use tool_runtime::arguments::{ReadOptions, Repair, read_arguments};
use tool_runtime::schema::ForeignSchema;

use super::text;

/// Whether a case is accepted, repaired or refused as its label says, to the value that it says.
pub(super) fn judge(case: &Value) -> Result<(), String> {
    let schema = case.get("schema").ok_or("no schema")?;
    let tool = schema.get("x-tool-name").and_then(Value::as_str).unwrap_or("tool");
    let schema = ForeignSchema::parse(&schema.to_string()).map_err(|error| format!("the schema: {error}"))?;
    let options = ReadOptions::for_tool(tool).defaults(false);
    let read = read_arguments(text(case, "raw_arguments"), &schema, options);
    let should = text(case, "should");
    match read {
        Err(_) if should == "reject" => Ok(()),
        Err(error) => Err(format!("should {should}, was refused: {error}")),
        Ok(read) => {
            let repairs: Vec<String> = read.repairs.iter().map(Repair::to_string).collect();
            let outcome = if repairs.is_empty() { "accept" } else { "repair" };
            let told = format!("{outcome} {} {repairs:?}", read.value);
            if outcome != should {
                return Err(format!("should {should}, was {told}"));
            }
            match case.get("value") {
                Some(value) if *value != read.value => Err(format!("should be {value}, was {told}")),
                _ => Ok(()),
            }
        }
    }
}
