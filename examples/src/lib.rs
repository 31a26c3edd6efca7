//! Unpublished.
