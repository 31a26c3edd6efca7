//! F037: two tools of one name in one block.
use tool_runtime::{Registry, tool, toolset};

struct Service;

#[toolset]
impl Service {
    /// A
    #[tool]
    fn read(&self) {}

    /// B
    #[tool(name = "read")]
    fn read_file(&self) {}

    /// C
    #[tool(name = "write")]
    fn write_one(&self) {}

    /// D
    #[tool(name = "write")]
    fn write_two(&self) {}
}

fn main() {
    Service.read();
    Service.read_file();
    let _ = Registry::builder().register_all(Service).build();
}
