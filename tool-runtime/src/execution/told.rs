//! What a body tells while it runs: how far it is, and its output so far.

/// The most of one stream of output that is kept, in bytes; the end of it.
const MAX_OUTPUT: usize = 256 * 1024;

/// The most streams of one call; what is written to others joins the first.
const MAX_STREAMS: usize = 8;

/// What the body of one call has told.
#[derive(Debug, Clone, Default)]
pub(crate) struct Told {
    /// The last word on how far it is.
    pub(crate) progress: String,
    streams: Vec<Stream>,
}

/// One stream of output.
#[derive(Debug, Clone)]
pub(crate) struct Stream {
    /// Its name; empty for the usual one.
    pub(crate) name: String,
    text: String,
    /// Bytes before the text that are gone.
    lost: usize,
}

impl Told {
    pub(super) fn write(&mut self, stream: &str, text: &str) {
        let known = self.streams.iter().position(|known| known.name == stream);
        let index = known.unwrap_or_else(|| {
            if self.streams.len() >= MAX_STREAMS {
                return 0;
            }
            self.streams.push(Stream { name: stream.to_owned(), text: String::new(), lost: 0 });
            self.streams.len() - 1
        });
        if let Some(stream) = self.streams.get_mut(index) {
            stream.write(text);
        }
    }

    /// Its streams, the first that was written to first.
    pub(crate) fn streams(&self) -> &[Stream] {
        &self.streams
    }
}

impl Stream {
    fn write(&mut self, text: &str) {
        // Only the end of a long text can stay.
        let end = &text[text.ceil_char_boundary(text.len().saturating_sub(MAX_OUTPUT))..];
        self.lost += text.len() - end.len();
        self.text.push_str(end);
        // Cut rarely, so that many small pieces cost no more than they are long.
        if self.text.len() > 2 * MAX_OUTPUT {
            let from = self.start();
            self.text.drain(..from);
            self.lost += from;
        }
    }

    fn start(&self) -> usize {
        self.text.ceil_char_boundary(self.text.len().saturating_sub(MAX_OUTPUT))
    }

    /// What is kept of it, and how many bytes before that are gone.
    pub(crate) fn kept(&self) -> (&str, usize) {
        let start = self.start();
        (self.text.get(start..).unwrap_or_default(), self.lost + start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_each_stream_is_kept_and_the_rest_is_counted() {
        let mut told = Told::default();
        let mut all = String::new();
        for number in 0..200_000 {
            let piece = format!("{number}€\n");
            told.write("", &piece);
            all.push_str(&piece);
        }
        told.write("stderr", "oh");
        let (kept, lost) = told.streams()[0].kept();
        assert!(kept.len() <= MAX_OUTPUT && kept.len() + 3 > MAX_OUTPUT);
        assert!(all.ends_with(kept));
        assert_eq!(lost + kept.len(), all.len());
        assert_eq!((told.streams()[1].name.as_str(), told.streams()[1].kept()), ("stderr", ("oh", 0)));
        told.write("", &all);
        assert!(all.ends_with(told.streams()[0].kept().0));
        assert_eq!(told.streams()[0].kept().1 + told.streams()[0].kept().0.len(), 2 * all.len());
    }

    #[test]
    fn there_are_not_more_streams_than_eight() {
        let mut told = Told::default();
        for number in 0..100 {
            told.write(&number.to_string(), "x");
        }
        assert_eq!(told.streams().len(), MAX_STREAMS);
        assert_eq!(told.streams()[0].kept().0.len(), 93);
    }
}
