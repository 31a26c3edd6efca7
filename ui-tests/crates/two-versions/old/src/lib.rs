//! An older version.
