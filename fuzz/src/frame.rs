//! Frames of Amazon's event stream, which random bytes never are: their checksums must be right.

/// A frame with one event.
pub(crate) fn event(kind: &str, payload: &str) -> Vec<u8> {
    let mut head = Vec::new();
    for (name, value) in [(":event-type", kind), (":message-type", "event")] {
        head.push(u8::try_from(name.len()).unwrap_or_default());
        head.extend_from_slice(name.as_bytes());
        head.push(7);
        head.extend_from_slice(&u16::try_from(value.len()).unwrap_or_default().to_be_bytes());
        head.extend_from_slice(value.as_bytes());
    }
    let mut out = Vec::new();
    for length in [16 + head.len() + payload.len(), head.len()] {
        out.extend_from_slice(&u32::try_from(length).unwrap_or_default().to_be_bytes());
    }
    out.extend_from_slice(&crc32(&out).to_be_bytes());
    out.extend_from_slice(&head);
    out.extend_from_slice(payload.as_bytes());
    let sum = crc32(&out);
    out.extend_from_slice(&sum.to_be_bytes());
    out
}

/// The checksum of IEEE 802.3.
fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 };
        }
    }
    !crc
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_that_of_the_standard() {
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
    }
}
