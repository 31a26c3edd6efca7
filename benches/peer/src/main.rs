//! This SDK: `#[tool]` functions collected into a `Registry`, the extra tools registered under further names.
#![forbid(unsafe_code)]
use common::*;
use tool_runtime::provider::anthropic::Messages;
use tool_runtime::{Registry, tool, tool_type};

// Only `find!`, the body of search_flights; the types are our own, as a user would write them.
#[allow(unused_macros, reason = "the types of the other columns come from the same file")]
#[macro_use]
#[path = "../../../common/types.rs"]
mod types;

#[tool_type]
#[serde(rename_all = "snake_case")]
enum Cabin {
    Economy,
    PremiumEconomy,
    Business,
    First,
}
/// When to fly.
#[tool_type]
struct Dates {
    /// Outbound date, as YYYY-MM-DD
    depart: String,
    /// Return date, as YYYY-MM-DD; none for one way
    return_on: Option<String>,
    /// Days of slack on both ends
    flexible_days: u8,
}
#[tool_type]
struct Flight {
    airline: String,
    flight_no: String,
    depart: String,
    arrive: String,
    stops: u8,
    price: f64,
    seats: u32,
}
#[tool_type]
struct FlightResults {
    results: Vec<Flight>,
    total: u32,
    currency: String,
}

/// Add two integers
#[tool]
async fn add(
    /// First addend
    a: i64,
    /// Second addend
    b: i64,
) -> i64 {
    a + b
}
/// Search flights between two airports
#[tool]
async fn search_flights(
    /// IATA code of the airport to leave from
    origin: String,
    /// IATA code of the airport to arrive at
    destination: String,
    /// When to fly
    dates: Dates,
    /// Number of seats
    passengers: u32,
    /// Cabin class
    cabin: Cabin,
    /// Highest total price
    max_price: Option<f64>,
    /// Airlines to consider, as IATA codes
    airlines: Vec<String>,
    /// Only direct flights
    nonstop_only: bool,
) -> FlightResults {
    let _ = (destination, cabin, max_price, airlines, nonstop_only);
    find!(origin, dates, passengers)
}
/// Takes nothing
#[tool]
async fn no_args() -> String {
    "ok".to_string()
}

struct P(Registry);
impl Peer for P {
    const NAME: &'static str = "ours";
    fn build(n: usize) -> Self {
        let builder = (3..n).fold(Registry::builder(), |builder, i| match i % 3 {
            0 => builder.register_as::<add>(extra_name(i)),
            1 => builder.register_as::<search_flights>(extra_name(i)),
            _ => builder.register_as::<no_args>(extra_name(i)),
        });
        P(builder.collect().unwrap())
    }
    async fn call<'a>(&'a self, tool: &'a str, args: &'a str) -> Result<String, String> {
        let result = self.0.invoke(tool, args).await;
        if result.is_error() { Err(result.into_text()) } else { Ok(result.into_text()) }
    }
    fn defs(&self) -> usize {
        self.0.definitions().len()
    }
    fn list(&self) -> String {
        Messages::plain().tools(&self.0.definitions())
    }
}

fn main() {
    common::main(&[entry::<P>()]);
}
