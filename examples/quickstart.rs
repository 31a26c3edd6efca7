//! The whole way: annotate functions, show their definitions to a model, answer its calls.
//!
//! ```text
//! cargo run --example quickstart                  the calls recorded in data/calls.jsonl
//! cargo run --example quickstart -- calls.jsonl   your own file: one assistant message a line
//! cargo run --example quickstart -- -             the same from standard input
//! ```
#![expect(clippy::print_stdout, reason = "an example shows what it does")]
#![expect(clippy::needless_pass_by_value, clippy::unused_async, reason = "tools take what they are given")]

use std::collections::BTreeMap;
use std::error::Error;
use std::io::Read;
use std::sync::Mutex;

use tool_runtime::provider::{anthropic, openai};
use tool_runtime::{Registry, Render, State, ToolCall, ToolResult, tool, tool_type, toolset};

// A plain function: no `async`, no state. It stays callable as it is.

/// Convert a temperature from one unit to another.
#[tool(effect = read, parallel)]
fn convert_temperature(
    /// The temperature, in the unit `from`.
    #[arg(minimum = -1000, maximum = 10000, example = 21.5)]
    value: f64,
    /// The unit of `value`.
    from: Unit,
    /// The unit to convert to.
    #[arg(default = Unit::Celsius)]
    to: Unit,
) -> f64 {
    let celsius = match from {
        Unit::Celsius => value,
        Unit::Fahrenheit => (value - 32.0) / 1.8,
    };
    match to {
        Unit::Celsius => celsius,
        Unit::Fahrenheit => celsius * 1.8 + 32.0,
    }
}

/// A unit of temperature.
#[tool_type]
enum Unit {
    /// Degrees Celsius.
    Celsius,
    /// Degrees Fahrenheit.
    Fahrenheit,
}

// An asynchronous function that can fail, and whose value the model reads by a template.

/// Look up the weather in a city.
///
/// Knows a handful of capitals only.
#[tool(effect = read, parallel, timeout = "10s", keywords = ["forecast", "temperature"])]
async fn weather_lookup(
    /// City name, for example "Paris".
    #[arg(min_length = 1, max_length = 80)]
    city: &str,
) -> Result<Weather, UnknownCity> {
    tokio::task::yield_now().await; // a real one would ask a service here
    let (temperature, sky) = match city.to_lowercase().as_str() {
        "paris" => (21.46, Sky::Clear),
        "oslo" => (-3.2, Sky::Snow { centimeters: 12 }),
        _ => return Err(UnknownCity(city.to_owned())),
    };
    Ok(Weather { city: city.to_owned(), temperature, sky })
}

/// The weather in a city.
#[tool_type]
#[derive(Render)]
#[render("{city}: {temperature:.1} °C, {sky}")]
struct Weather {
    city: String,
    temperature: f64,
    sky: Sky,
}

/// What the sky does.
#[tool_type]
#[derive(Render)]
enum Sky {
    /// No clouds.
    #[render("clear")]
    Clear,
    /// It snows.
    #[render("{centimeters} cm of snow")]
    Snow {
        /// How deep it lies.
        centimeters: u32,
    },
}

#[derive(Debug)]
struct UnknownCity(String);

impl std::fmt::Display for UnknownCity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "no weather station in {}; try Paris or Oslo", self.0)
    }
}

impl Error for UnknownCity {}

// State of the program, injected: the model never sees it.

#[derive(Default)]
struct Notebook(Mutex<Vec<String>>);

/// Write down a note.
#[tool]
fn add_note(
    notebook: State<Notebook>,
    /// The text of the note.
    #[arg(min_length = 1)]
    text: String,
) -> Result<usize, &'static str> {
    let mut notes = notebook.0.lock().map_err(|_| "the notebook is out of order")?;
    notes.push(text);
    Ok(notes.len())
}

// Nested types, with constraints of their own.

/// A stop of a trip.
#[tool_type]
struct Stop {
    /// The city to stay in.
    city: String,
    /// How many nights to stay.
    #[arg(minimum = 1, maximum = 30)]
    nights: u8,
}

/// Add up the nights of a trip.
#[tool(effect = read)]
fn plan_trip(
    /// The stops, in order.
    #[arg(min_items = 1)]
    stops: Vec<Stop>,
    /// Price of a night, if it is known.
    price_per_night: Option<f64>,
) -> Plan {
    let nights = stops.iter().map(|stop| u32::from(stop.nights)).sum();
    Plan {
        route: stops.into_iter().map(|stop| stop.city).collect(),
        nights,
        price: price_per_night.map(|price| price * f64::from(nights)),
    }
}

/// A trip, added up.
#[tool_type]
struct Plan {
    route: Vec<String>,
    nights: u32,
    price: Option<f64>,
}

// Methods: the registry keeps the value that they are called on.

struct Library {
    shelves: BTreeMap<&'static str, &'static str>,
}

#[toolset]
impl Library {
    /// Find the shelf of a book.
    #[tool(effect = read)]
    async fn find_book(
        &self,
        /// The book's title.
        title: &str,
    ) -> Option<String> {
        self.shelves.get(title).map(|shelf| (*shelf).to_owned())
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let library = Library { shelves: BTreeMap::from([("Dune", "A3"), ("Emma", "B1")]) };
    let registry = Registry::builder().state(Notebook::default()).register_all(library).collect()?;

    println!("# Definitions, as a request to OpenAI carries them\n\n{}\n", openai_tools(&registry));
    println!("# The same for Anthropic\n\n{}\n", anthropic_tools(&registry));

    println!("# Calls and results");
    for (number, line) in input()?.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        println!("\n{line}");
        match answer(&registry, line).await {
            Ok(messages) => println!("  → {messages}"),
            Err(error) => println!("  ✗ line {}: {error}", number + 1),
        }
    }
    Ok(())
}

fn openai_tools(registry: &Registry) -> String {
    openai::Chat::plain().tools(&registry.definitions())
}

fn anthropic_tools(registry: &Registry) -> String {
    anthropic::Messages::plain().tools(&registry.definitions())
}

/// Runs every call of one assistant message, and makes the messages that answer it in the same vendor's form.
async fn answer(registry: &Registry, message: &str) -> Result<String, Box<dyn Error>> {
    let is_openai = {
        let message: serde_json::Value = serde_json::from_str(message)?;
        message.get("tool_calls").is_some() || message.get("choices").is_some()
    };
    if is_openai {
        let chat = openai::Chat::plain();
        Ok(chat.results(&run(registry, chat.calls(message)?).await))
    } else {
        let messages = anthropic::Messages::plain();
        Ok(messages.results(&run(registry, messages.calls(message)?).await))
    }
}

async fn run(registry: &Registry, calls: Vec<ToolCall>) -> Vec<ToolResult> {
    let mut results = Vec::with_capacity(calls.len());
    for call in calls {
        let result = registry.call(call).await;
        let mark = if result.is_error() { "✗" } else { "✓" };
        println!("  {mark} {}: {}", result.name(), result.text().replace('\n', "\n    "));
        results.push(result);
    }
    results
}

/// The recorded calls, the file that the command line names, or standard input.
fn input() -> Result<String, Box<dyn Error>> {
    match std::env::args().nth(1).as_deref() {
        None => Ok(include_str!("data/calls.jsonl").to_owned()),
        Some("-") => {
            let mut text = String::new();
            std::io::stdin().read_to_string(&mut text)?;
            Ok(text)
        }
        Some(path) => {
            std::fs::read_to_string(path).map_err(|error| format!("cannot read {path}: {error}").into())
        }
    }
}
