//! Rendering: what a model reads of a value, where that is not its JSON text.

use std::fmt::{self, Display, Write as _};
use std::sync::Arc;

use super::ContentBlock;

/// Turns a value into what a model reads of it.
///
/// `#[derive(Render)]` writes the implementation from a template that is checked while compiling; a type that needs
/// more writes it by hand. Without it a model reads the JSON text of the value.
///
/// # Examples
/// ```
/// use std::fmt::{self, Write};
/// use tool_runtime::output::Render;
///
/// struct Weather {
///     city: String,
///     temperature: f64,
/// }
///
/// impl Render for Weather {
///     fn render_into(&self, out: &mut String) -> fmt::Result {
///         write!(out, "{}: {:.1} °C", self.city, self.temperature)
///     }
/// }
///
/// let paris = Weather { city: "Paris".into(), temperature: 21.46 };
/// assert_eq!(paris.render()?, ["Paris: 21.5 °C".into()]);
/// # Ok::<(), fmt::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no text for a model",
    label = "neither `Display` nor `Render`",
    note = "put `#[derive(Render)]` on it, or implement `Display`"
)]
pub trait Render {
    /// Writes the text at the end of `out`.
    ///
    /// # Errors
    /// Returns [`fmt::Error`] if a part of the value cannot be formatted; the model then reads the JSON text.
    fn render_into(&self, out: &mut String) -> fmt::Result;

    /// The content blocks that the model reads: by default one block with the text.
    ///
    /// # Errors
    /// As [`Render::render_into`].
    fn render(&self) -> Result<Vec<ContentBlock>, fmt::Error> {
        let mut text = String::new();
        self.render_into(&mut text)?;
        Ok(vec![ContentBlock::Text(text)])
    }
}

/// One line an element.
impl<T: Render> Render for [T] {
    fn render_into(&self, out: &mut String) -> fmt::Result {
        for (position, element) in self.iter().enumerate() {
            if position > 0 {
                out.push('\n');
            }
            element.render_into(out)?;
        }
        Ok(())
    }
}

/// One line an element.
impl<T: Render> Render for Vec<T> {
    fn render_into(&self, out: &mut String) -> fmt::Result {
        self.as_slice().render_into(out)
    }
}

/// `None` reads `null`.
impl<T: Render> Render for Option<T> {
    fn render_into(&self, out: &mut String) -> fmt::Result {
        match self {
            Some(value) => value.render_into(out),
            None => out.write_str(NOTHING),
        }
    }

    fn render(&self) -> Result<Vec<ContentBlock>, fmt::Error> {
        match self {
            Some(value) => value.render(),
            None => Ok(vec![ContentBlock::text(NOTHING)]),
        }
    }
}

/// What a model reads of `None`.
const NOTHING: &str = "null";

macro_rules! pointers {
    ($($pointer:ty),*) => {$(
        impl<T: Render + ?Sized> Render for $pointer {
            fn render_into(&self, out: &mut String) -> fmt::Result {
                (**self).render_into(out)
            }

            fn render(&self) -> Result<Vec<ContentBlock>, fmt::Error> {
                (**self).render()
            }
        }
    )*};
}

pointers! { &T, Box<T>, Arc<T> }

/// A field in a template: `Shown(&self.field).shown()` finds what it reads as.
///
/// The first of these that fits, by the order of method resolution: its own `Display` (so `{field:.1}` works), the elements'
/// `Display` for lists and options, `Render`. A type with none gets the message on [`Render`].
///
/// Used by generated code.
#[doc(hidden)]
#[derive(Debug)]
pub struct Shown<'a, T: ?Sized>(pub &'a T);

impl<'a, T: Display + ?Sized> Shown<'a, T> {
    /// Used by generated code.
    #[doc(hidden)]
    pub fn shown(self) -> &'a T {
        self.0
    }
}

/// Used by generated code.
#[doc(hidden)]
pub trait ShownParts<'a> {
    /// The type of the elements.
    type Part: Display + 'a;

    /// Used by generated code.
    fn shown(self) -> Parts<'a, Self::Part>;
}

impl<'a, T: Display> ShownParts<'a> for Shown<'a, Option<T>> {
    type Part = T;

    fn shown(self) -> Parts<'a, T> {
        Parts { parts: self.0.as_slice(), empty: NOTHING }
    }
}

impl<'a, T: Display> ShownParts<'a> for Shown<'a, Vec<T>> {
    type Part = T;

    fn shown(self) -> Parts<'a, T> {
        Parts { parts: self.0, empty: "" }
    }
}

impl<'a, T: Display> ShownParts<'a> for Shown<'a, [T]> {
    type Part = T;

    fn shown(self) -> Parts<'a, T> {
        Parts { parts: self.0, empty: "" }
    }
}

impl<'a, T: Display, const N: usize> ShownParts<'a> for Shown<'a, [T; N]> {
    type Part = T;

    fn shown(self) -> Parts<'a, T> {
        Parts { parts: self.0, empty: "" }
    }
}

/// Parts joined by commas, each in the format that the template gives.
///
/// Used by generated code.
#[doc(hidden)]
#[derive(Debug)]
pub struct Parts<'a, T> {
    parts: &'a [T],
    empty: &'static str,
}

impl<T: Display> Display for Parts<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.parts.is_empty() {
            return f.write_str(self.empty);
        }
        for (position, part) in self.parts.iter().enumerate() {
            if position > 0 {
                f.write_str(", ")?;
            }
            part.fmt(f)?;
        }
        Ok(())
    }
}

/// Used by generated code.
#[doc(hidden)]
pub trait ShownRender<'a> {
    /// The type of the field.
    type Value: ?Sized + 'a;

    /// Used by generated code.
    fn shown(self) -> Rendered<'a, Self::Value>;
}

// Without a bound, so that the one error for a type with neither is on `Rendered`, with `Render`'s message.
impl<'a, T: ?Sized> ShownRender<'a> for &Shown<'a, T> {
    type Value = T;

    fn shown(self) -> Rendered<'a, T> {
        Rendered(self.0)
    }
}

/// The rendered text of a nested value.
///
/// Used by generated code.
#[doc(hidden)]
#[derive(Debug)]
pub struct Rendered<'a, T: ?Sized>(&'a T);

impl<T: Render + ?Sized> Display for Rendered<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.0.render_into(&mut text)?;
        f.pad(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Wind {
        speed: f64,
    }

    impl Render for Wind {
        fn render_into(&self, out: &mut String) -> fmt::Result {
            write!(out, "{} m/s", Shown(&self.speed).shown())
        }
    }

    /// Both; `Display` wins.
    struct Both;

    impl Display for Both {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("displayed")
        }
    }

    impl Render for Both {
        fn render_into(&self, out: &mut String) -> fmt::Result {
            out.write_str("rendered")
        }
    }

    /// As the derive expands generic types: the bound decides.
    struct Generic<'a, D, R> {
        displayed: D,
        rendered: &'a R,
    }

    impl<D: Display, R: Render> Render for Generic<'_, D, R> {
        fn render_into(&self, out: &mut String) -> fmt::Result {
            let (displayed, rendered) = (Shown(&self.displayed), Shown(&self.rendered));
            write!(out, "{} {}", displayed.shown(), rendered.shown())
        }
    }

    macro_rules! shown {
        ($format:literal, $field:expr) => {
            format!($format, Shown(&$field).shown())
        };
    }

    #[test]
    fn fields_read_by_display_then_parts_then_render() {
        let name = String::from("Paris");
        assert_eq!(shown!("{}", name), "Paris");
        assert_eq!(shown!("{}", name.as_str()), "Paris");
        assert_eq!(shown!("{:.1}", 21.46), "21.5");
        assert_eq!(shown!("{}", Both), "displayed");
        assert_eq!(shown!("{}", Box::new(Both)), "displayed");
        assert_eq!(shown!("{:.1}", Some(2.25)), "2.2");
        assert_eq!(shown!("{}", None::<i32>), "null");
        assert_eq!(shown!("{:02}", vec![1, 2, 3]), "01, 02, 03");
        assert_eq!(shown!("[{}]", Vec::<String>::new()), "[]");
        assert_eq!(shown!("{}", ["a", "b"]), "a, b");
        assert_eq!(shown!("{:>8}", Wind { speed: 3.5 }), " 3.5 m/s");
        assert_eq!(shown!("{}", &Wind { speed: 3.5 }), "3.5 m/s");
        assert_eq!(shown!("{}", Some(Wind { speed: 3.5 })), "3.5 m/s");
        assert_eq!(shown!("{}", None::<Wind>), "null");
        assert_eq!(shown!("{}", vec![Wind { speed: 1.0 }, Wind { speed: 2.0 }]), "1 m/s\n2 m/s");
    }

    #[test]
    fn containers_render_what_they_hold() -> fmt::Result {
        let wind = || Wind { speed: 3.5 };
        assert_eq!(vec![wind(), wind()].render()?, ["3.5 m/s\n3.5 m/s".into()]);
        assert_eq!(Some(Box::new(wind())).render()?, ["3.5 m/s".into()]);
        assert_eq!(None::<Wind>.render()?, ["null".into()]);
        let shared: Arc<dyn Render> = Arc::new(wind());
        assert_eq!(Generic { displayed: 1, rendered: &shared }.render()?, ["1 3.5 m/s".into()]);
        Ok(())
    }
}
