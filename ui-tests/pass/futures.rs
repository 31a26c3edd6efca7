//! Futures whose `Send` is hard to see (F024).
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};

use tool_runtime::tool;

use crate::text;

async fn pause() {
    tokio::task::yield_now().await;
}

/// An async closure.
#[tool(docs(optional))]
async fn closure(a: &str) -> usize {
    let length = async |text: &str| {
        pause().await;
        text.len()
    };
    length(a).await
}

async fn each<F>(texts: &[&str], mut callback: F) -> usize
where
    F: for<'a> FnMut(&'a str) -> Pin<Box<dyn Future<Output = usize> + Send + 'a>>,
{
    let mut sum = 0;
    for text in texts {
        sum += callback(text).await;
    }
    sum
}

/// A callback over any lifetime.
#[tool(docs(optional))]
async fn callback(a: &str, b: &str) -> usize {
    each(&[a, b], |text| Box::pin(async move { text.len() })).await
}

/// A guard dropped before the await.
#[tool]
async fn guard() -> u8 {
    let lock = Mutex::new(1);
    let value = {
        let held = lock.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        *held
    };
    pause().await;
    value
}

/// A spawned future.
#[tool(docs(optional))]
async fn spawned(a: String) -> String {
    let shared = Arc::new(a);
    let other = Arc::clone(&shared);
    let handle = tokio::task::spawn_blocking(move || other.len());
    format!("{shared} {}", handle.await.unwrap_or_default())
}

/// A boxed future within.
#[tool(docs(optional))]
async fn boxed_future(a: &[u8]) -> usize {
    let future: Pin<Box<dyn Future<Output = usize> + Send + '_>> = Box::pin(async move {
        pause().await;
        a.len()
    });
    future.await
}

/// Recursion.
#[tool(docs(optional))]
async fn recursive(a: u8) -> u8 {
    if a == 0 { 0 } else { Box::pin(recursive(a - 1)).await + 1 }
}

#[test]
fn f024_futures_are_send_enough() {
    assert_eq!(text::<closure>(r#"{"a":"xyz"}"#), "3");
    assert_eq!(text::<callback>(r#"{"a":"xyz","b":"x"}"#), "4");
    assert_eq!(text::<guard>("{}"), "1");
    assert_eq!(text::<spawned>(r#"{"a":"xyz"}"#), "\"xyz 3\"");
    assert_eq!(text::<boxed_future>(r#"{"a":[1]}"#), "1");
    assert_eq!(text::<recursive>(r#"{"a":3}"#), "3");
}
