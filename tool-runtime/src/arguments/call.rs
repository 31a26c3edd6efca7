//! One call, as a model asked for it.

/// A tool call as it came from a model: an id, a tool's name and the text of the arguments.
///
/// # Examples
/// ```
/// use tool_runtime::ToolCall;
///
/// let call = ToolCall::new("call_1", "weather_lookup", r#"{"city":"Paris"}"#);
/// assert_eq!(call.name(), "weather_lookup");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolCall {
    id: String,
    name: String,
    arguments: String,
}

impl ToolCall {
    /// A call by its id, the tool's name, and the arguments as the JSON text that the model sent.
    pub fn new(id: impl Into<String>, name: impl Into<String>, arguments: impl Into<String>) -> Self {
        Self { id: id.into(), name: name.into(), arguments: arguments.into() }
    }

    /// The id under which the result is expected.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The name of the tool, as the model wrote it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text of the arguments, as the model wrote it.
    pub fn arguments(&self) -> &str {
        &self.arguments
    }

    pub(crate) fn into_parts(self) -> (String, String, String) {
        (self.id, self.name, self.arguments)
    }
}
