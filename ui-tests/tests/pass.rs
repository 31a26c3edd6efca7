//! What must compile, and what it then does.
