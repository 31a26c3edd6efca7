//! The formats that the validator asserts.
//!
//! `tool-macros` has the same file, since a macro crate and its runtime can share no code; a test there compares the
//! two.

use std::net::{Ipv4Addr, Ipv6Addr};

/// A `format` of the executable subset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    DateTime,
    Date,
    Time,
    Uuid,
    Ipv4,
    Ipv6,
    Email,
    Uri,
    Hostname,
}

impl Format {
    pub(crate) const NAMES: [&'static str; 9] =
        ["date-time", "date", "time", "uuid", "ipv4", "ipv6", "email", "uri", "hostname"];

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "date-time" => Self::DateTime,
            "date" => Self::Date,
            "time" => Self::Time,
            "uuid" => Self::Uuid,
            "ipv4" => Self::Ipv4,
            "ipv6" => Self::Ipv6,
            "email" => Self::Email,
            "uri" => Self::Uri,
            "hostname" => Self::Hostname,
            _ => return None,
        })
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::DateTime => "date-time",
            Self::Date => "date",
            Self::Time => "time",
            Self::Uuid => "uuid",
            Self::Ipv4 => "ipv4",
            Self::Ipv6 => "ipv6",
            Self::Email => "email",
            Self::Uri => "uri",
            Self::Hostname => "hostname",
        }
    }

    /// What a right text is, in words.
    pub(crate) const fn expected(self) -> &'static str {
        match self {
            Self::DateTime => "an RFC 3339 date-time such as 2026-01-31T12:00:00Z",
            Self::Date => "a date such as 2026-01-31",
            Self::Time => "an RFC 3339 time such as 12:00:00Z",
            Self::Uuid => "a UUID such as 123e4567-e89b-12d3-a456-426614174000",
            Self::Ipv4 => "an IPv4 address such as 192.0.2.1",
            Self::Ipv6 => "an IPv6 address such as 2001:db8::1",
            Self::Email => "an email address such as name@example.com",
            Self::Uri => "a URI such as https://example.com/",
            Self::Hostname => "a host name such as example.com",
        }
    }

    /// A right text.
    pub(crate) const fn example(self) -> &'static str {
        match self {
            Self::DateTime => "2026-01-31T12:00:00Z",
            Self::Date => "2026-01-31",
            Self::Time => "12:00:00Z",
            Self::Uuid => "123e4567-e89b-12d3-a456-426614174000",
            Self::Ipv4 => "192.0.2.1",
            Self::Ipv6 => "2001:db8::1",
            Self::Email => "name@example.com",
            Self::Uri => "https://example.com/",
            Self::Hostname => "example.com",
        }
    }

    /// Whether the text is of the format.
    pub(crate) fn fits(self, text: &str) -> bool {
        match self {
            Self::DateTime => is_date_time(text),
            Self::Date => is_date(text),
            Self::Time => is_time(text),
            Self::Uuid => is_uuid(text),
            Self::Ipv4 => text.parse::<Ipv4Addr>().is_ok(),
            Self::Ipv6 => text.parse::<Ipv6Addr>().is_ok(),
            Self::Email => is_email(text),
            Self::Uri => is_uri(text),
            Self::Hostname => is_hostname(text),
        }
    }
}

fn is_date_time(text: &str) -> bool {
    match (text.get(..10), text.get(10..11), text.get(11..)) {
        (Some(date), Some("T" | "t"), Some(time)) => is_date(date) && is_time(time),
        _ => false,
    }
}

/// Exactly `width` digits.
fn digits(text: Option<&str>, width: usize) -> Option<u32> {
    text.filter(|text| text.len() == width && text.bytes().all(|byte| byte.is_ascii_digit()))?.parse().ok()
}

fn is_date(text: &str) -> bool {
    let (Some(year), Some(month), Some(day)) =
        (digits(text.get(..4), 4), digits(text.get(5..7), 2), digits(text.get(8..), 2))
    else {
        return false;
    };
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return false,
    };
    text.get(4..5) == Some("-") && text.get(7..8) == Some("-") && (1..=days).contains(&day)
}

fn is_time(text: &str) -> bool {
    let (Some(hour), Some(minute), Some(second)) =
        (digits(text.get(..2), 2), digits(text.get(3..5), 2), digits(text.get(6..8), 2))
    else {
        return false;
    };
    if text.get(2..3) != Some(":") || text.get(5..6) != Some(":") || hour > 23 || minute > 59 || second > 60 {
        return false;
    }
    let mut rest = text.get(8..).unwrap_or_default();
    if let Some(fraction) = rest.strip_prefix('.') {
        let after = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
        if after.len() == fraction.len() {
            return false;
        }
        rest = after;
    }
    let east = match rest {
        "Z" | "z" => 0,
        _ => {
            let (Some(hours), Some(minutes)) = (digits(rest.get(1..3), 2), digits(rest.get(4..), 2)) else {
                return false;
            };
            if rest.get(3..4) != Some(":") || hours > 23 || minutes > 59 {
                return false;
            }
            let offset = hours * 60 + minutes;
            match rest.get(..1) {
                Some("+") => offset,
                Some("-") => 1440 - offset,
                _ => return false,
            }
        }
    };
    // A leap second is the last one of a day in UTC.
    second < 60 || (hour * 60 + minute + 1440 - east) % 1440 == 1439
}

fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(index, byte)| match index {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    let is_atom = |atom: &str| {
        !atom.is_empty()
            && atom.chars().all(|c| c.is_ascii_alphanumeric() || "!#$%&'*+-/=?^_`{|}~".contains(c))
    };
    let quoted = local.len() > 1
        && local.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).is_some_and(|inner| {
            inner.bytes().all(|byte| (0x20..0x7F).contains(&byte) && byte != b'"' && byte != b'\\')
        });
    let literal = domain.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).is_some_and(|address| {
        address.strip_prefix("IPv6:").map_or_else(|| Format::Ipv4.fits(address), |v6| Format::Ipv6.fits(v6))
    });
    local.len() <= 64 && (quoted || local.split('.').all(is_atom)) && (literal || is_hostname(domain))
}

fn is_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let mut letters = scheme.chars();
    letters.next().is_some_and(|c| c.is_ascii_alphabetic())
        && letters.all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
        && is_after_scheme(rest)
}

fn is_after_scheme(rest: &str) -> bool {
    let mut at = rest.bytes();
    let mut fragment = false;
    while let Some(byte) = at.next() {
        match byte {
            b'%' => {
                let hex = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_hexdigit());
                if !(hex(at.next()) && hex(at.next())) {
                    return false;
                }
            }
            b'#' if fragment => return false,
            b'#' => fragment = true,
            b'[' | b']' => {}
            plain if plain.is_ascii_alphanumeric() || b"-._~:/?@!$&'()*+,;=".contains(&plain) => {}
            _ => return false,
        }
    }
    // Brackets stand only around an IPv6 host.
    let (host, after) = match rest.strip_prefix("//") {
        Some(authority) => {
            let end = authority.find(['/', '?', '#']).unwrap_or(authority.len());
            authority.split_at(end)
        }
        None => ("", rest),
    };
    let host =
        host.rsplit_once('@').map_or(host, |(user, host)| if user.contains(['[', ']']) { "[" } else { host });
    let (host, port) = match host.strip_prefix('[') {
        Some(address) => match address.split_once(']') {
            Some((address, after)) if Format::Ipv6.fits(address) => ("", after),
            _ => return false,
        },
        None => host.find(':').map_or((host, ""), |colon| host.split_at(colon)),
    };
    let port_fits = port.is_empty()
        || port.strip_prefix(':').is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
    port_fits && !host.contains(['[', ']']) && !after.contains(['[', ']'])
}

fn is_hostname(text: &str) -> bool {
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
            && (label.get(2..4) != Some("--")
                || label.get(..2).is_some_and(|start| start.eq_ignore_ascii_case("xn")))
    };
    text.len() <= 253 && text.split('.').all(is_label)
}
