//! Scopes: each agent sees exactly its tools.
//!
//! A plugin loads, shadows a tool, is restricted, filtered and hidden, is replaced while the program runs, and unloads. After
//! each step the tools that the agent sees are printed. `docs/scopes.md` tells the same in words.
//!
//! ```text
//! cargo run --example scopes
//! ```
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::error::Error;
use std::fmt::Display;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tool_runtime::error::BoxError;
use tool_runtime::{
    Effect, Filter, Registry, Restriction, Scope, Step, ToolCall, ToolDefinition, Tools, Values,
    VisibilityContext, tool, toolset,
};

// What the program itself brings: free functions, for every agent.

/// Read a file of the project.
#[tool(effect = read)]
fn read_file(
    /// Path of the file.
    path: &str,
) -> String {
    format!("the text of {path}")
}

/// Write a file of the project.
#[tool(effect = write)]
fn write_file(
    /// Path of the file.
    path: &str,
    /// What to write.
    text: &str,
) -> String {
    format!("{} bytes to {path}", text.len())
}

/// Search the files of the project.
#[tool(effect = read)]
fn search(
    /// Words to look for.
    query: &str,
) -> String {
    format!("files with {query}")
}

// What the plugin brings: tools that need state of their own, and the methods of a value.

struct Tracker {
    url: &'static str,
}

/// Search the tickets.
#[tool(effect = read, handle = SearchTickets)]
fn search_tickets(
    #[state] tracker: &Tracker,
    /// Words to look for.
    query: &str,
) -> String {
    format!("tickets with {query} at {}", tracker.url)
}

struct Tickets {
    url: &'static str,
}

#[toolset]
impl Tickets {
    /// Open a ticket.
    #[tool(effect = write)]
    fn open(
        &self,
        /// The project that it belongs to.
        project: &str,
        /// What is wrong.
        title: &str,
    ) -> String {
        format!("opened at {}/{project}: {title}", self.url)
    }

    /// Close a ticket.
    #[tool(effect = exec)]
    fn close(
        &self,
        /// The project that it belongs to.
        project: &str,
        /// Its number.
        number: u32,
    ) -> String {
        format!("closed {}/{project}/{number}", self.url)
    }
}

/// What a session may know of its user, for visibility rules and for tools.
struct Maintainer;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let page = Page::default();
    lesson(&page).await?;
    println!("{}", page.text());
    Ok(())
}

async fn lesson(page: &Page) -> Result<(), Box<dyn Error>> {
    page.title("A scope inherits what the registry has");
    let registry =
        Registry::builder().register::<read_file>().register::<write_file>().register::<search>().build()?;
    let agent = registry.scope("agent");
    page.listing(&agent.step());

    page.title("Whoever wants to know is told of changes");
    let told = page.clone();
    agent.on_change(move |change| {
        told.line(format!(
            "  changed: added {:?}, removed {:?}, changed {:?}",
            change.added, change.removed, change.changed
        ));
    })?;
    // The same as a stream: what changes while nobody waits is told at once.
    let mut changes = agent.changes();

    page.title("A plugin loads, all at once, and shadows `search`");
    let plugin = registry.load("tickets", |owner| -> Result<(), BoxError> {
        let scope = agent.owned_by(owner);
        scope.state(Tracker { url: "tickets.example" })?;
        scope.register_as::<SearchTickets>("search")?;
        scope.register_tools(Tools::of(Tickets { url: "tickets.example" }).prefixed("ticket_")?)?;
        Ok(())
    })?;
    page.listing(&agent.step());
    page.call(&agent, "search", r#"{"query":"login"}"#).await;
    page.line("  elsewhere the name still means the files:");
    page.call(&registry, "search", r#"{"query":"login"}"#).await;

    page.title("A restriction takes away inherited tools by their names");
    if let Err(error) = agent.restrict(Restriction::deny(["wite_file"])) {
        page.line(format!("  refused: {error}"));
    }
    agent.restrict(Restriction::deny(["write_file"]))?;
    page.listing(&agent.step());

    page.title("A filter narrows all of it by what the tools are; this one as long as its guard lives");
    let guard = agent.filter(Filter::effects([Effect::Read]))?.into_guard();
    page.listing(&agent.step());
    page.line("  hidden or unknown is one to a model:");
    page.call(&agent, "ticket_close", r#"{"project":"web","number":7}"#).await;
    page.call(&agent, "ticket_close_all", "{}").await;
    drop(guard);

    page.title("A filtered shadow never reveals what it shadows; operators can ask why");
    let handle = agent.filter(Filter::owners(["tickets"]).not())?;
    page.listing(&agent.step());
    page.line(agent.why("search"));
    handle.remove();

    page.title("A visibility rule decides by the session");
    agent.visibility(|tool: &ToolDefinition, session: &VisibilityContext<'_>| {
        tool.effect() != Effect::Exec || session.value::<Maintainer>().is_some()
    })?;
    page.listing(&agent.step());
    let maintainer = agent.step_with(Values::new().with(Maintainer));
    page.line("  and for a maintainer:");
    page.listing(&maintainer);

    page.title("The plugin is replaced at once: nobody sees it half, or not at all");
    plugin.reload(|owner| -> Result<(), BoxError> {
        let scope = agent.owned_by(owner);
        scope.state(Tracker { url: "new.example" })?;
        scope.register_as::<SearchTickets>("search")?;
        // Tools made of others: nobody can send `project` now, nor does a schema tell of it.
        let tickets = Tools::of(Tickets { url: "tickets.example" }).with_fixed_argument("project", "web")?;
        scope.register_tools(tickets.only(|tool| tool.name() == "open").renamed("open", "ticket_open")?)?;
        Ok(())
    })?;
    page.listing(&agent.step());
    page.call(&agent, "ticket_open", r#"{"title":"It is broken"}"#).await;
    page.call(&agent, "ticket_open", r#"{"title":"It is broken","project":"secret"}"#).await;
    page.line("  a step that was listed before calls what is left of it:");
    let gone = maintainer.call(ToolCall::new("1", "ticket_close", r#"{"project":"web","number":7}"#)).await;
    page.line(format!("  {}", gone.text()));

    page.title("A set-up that fails changes nothing");
    let failed = plugin.reload(|owner| -> Result<(), BoxError> {
        agent.owned_by(owner).register_tools(Tools::of(Tickets { url: "tickets.example" }))?;
        Err("the tracker does not answer".into())
    });
    if let Err(error) = failed {
        page.line(format!("  {error:?}"));
    }
    page.listing(&agent.step());

    page.title("The plugin unloads, and takes all of it along");
    // What it brought goes at once; a call of it that runs has its signal, and so long to end.
    let unloaded = plugin.unload(Duration::from_secs(5)).await;
    page.line(format!("  {} things went, {} tools run still", unloaded.removed, unloaded.running.len()));
    page.listing(&agent.step());
    page.call(&agent, "search", r#"{"query":"login"}"#).await;

    page.title("What changed in all, for who waited until now");
    page.line(format!("  {:?}", changes.next().await));
    Ok(())
}

/// What the lesson prints.
#[derive(Clone, Default)]
struct Page(Arc<Mutex<String>>);

impl Page {
    fn line(&self, line: impl Display) {
        let mut text = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        text.push_str(&line.to_string());
        text.push('\n');
    }

    fn title(&self, title: &str) {
        self.line(format!("\n# {title}"));
    }

    fn listing(&self, step: &Step) {
        let lines =
            step.definitions().iter().map(|tool| format!("  - {}: {}", tool.name(), tool.description()));
        self.line(lines.collect::<Vec<_>>().join("\n"));
    }

    async fn call(&self, scope: &Scope, name: &str, arguments: &str) {
        let result = scope.call(ToolCall::new("1", name, arguments)).await;
        self.line(format!("  {name}({arguments}) → {}", result.text().replace('\n', "\n    ")));
    }

    fn text(&self) -> String {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).trim().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::{Page, lesson};

    #[tokio::test]
    async fn the_lesson_says_what_it_did() {
        let page = Page::default();
        lesson(&page).await.expect("the lesson goes well");
        expect_test::expect_file!["data/scopes.txt"].assert_eq(&format!("{}\n", page.text()));
    }
}
