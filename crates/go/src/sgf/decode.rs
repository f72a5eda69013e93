//! Character sets: bytes to text.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// Decodes the bytes of a file by its byte order mark or else by its property `CA`. Without both, a text that is not UTF-8
/// is Latin-1, as the format specifies. Returns the text and what had to be repaired.
///
/// The whole file is decoded before it is parsed, since the bytes of `\` and `]` are part of other characters in some
/// character sets, such as Shift-JIS.
pub(super) fn decode(bytes: &[u8]) -> (String, Option<String>) {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return decode_as(encoding, &bytes[mark..]);
    }
    let utf8 = std::str::from_utf8(bytes).ok();
    let Some(name) = declared(bytes) else {
        return match utf8 {
            Some(text) => (text.to_owned(), None),
            None => decode_as(WINDOWS_1252, bytes),
        };
    };
    let encoding = Encoding::for_label(name.as_bytes())
        // A text in which this property can be read as ASCII is not in one of these, whatever it says.
        .filter(|encoding| *encoding != UTF_16LE && *encoding != UTF_16BE);
    let Some(encoding) = encoding else {
        let (text, _) = match utf8 {
            Some(text) => (text.to_owned(), None),
            None => decode_as(WINDOWS_1252, bytes),
        };
        let set = if utf8.is_some() { "UTF-8" } else { "Latin-1" };
        return (text, Some(format!("CA[{name}] is not a known character set: the text is read as {set}")));
    };
    match (decode_as(encoding, bytes), utf8) {
        ((_, Some(_)), Some(text)) if encoding != UTF_8 => {
            (text.to_owned(), Some(format!("the text is UTF-8, although CA[{name}] says otherwise")))
        }
        (decoded, _) => decoded,
    }
}

fn decode_as(encoding: &'static Encoding, bytes: &[u8]) -> (String, Option<String>) {
    let (text, faulty) = encoding.decode_without_bom_handling(bytes);
    let repair = faulty.then(|| format!("bytes that are not {} are replaced by \u{fffd}", encoding.name()));
    (text.into_owned(), repair)
}

/// The value of the first property `CA`.
fn declared(bytes: &[u8]) -> Option<String> {
    let is_property = |at: usize| {
        let before = at.checked_sub(1).map_or(b';', |before| bytes[before]);
        bytes[at..].starts_with(b"CA[") && !before.is_ascii_alphabetic()
    };
    let start = (0..bytes.len()).find(|&at| is_property(at))? + 3;
    let end = start + bytes[start..].iter().take(40).position(|&byte| byte == b']')?;
    let name = std::str::from_utf8(&bytes[start..end]).ok()?.trim();
    (!name.is_empty()).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_order_mark_decides() {
        assert_eq!(decode(b"\xef\xbb\xbf(;PB[\xc3\xa9])"), ("(;PB[é])".to_owned(), None));
        let text: Vec<u8> = "\u{feff}(;CA[UTF-8]PB[é])".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(decode(&text).0, "(;CA[UTF-8]PB[é])");
    }

    #[test]
    fn the_declared_character_set_is_used() {
        for (name, bytes) in [
            ("Shift_JIS", &b"\x95\x5c\x8e\xa6\x83\x5c"[..]),
            ("EUC-JP", b"\xc9\xbd\xbc\xa8\xa5\xbd"),
            ("UTF-8", "表示ソ".as_bytes()),
        ] {
            let file = [b"(;CA[", name.as_bytes(), b"]PB[", bytes, b"];B[aa])"].concat();
            assert_eq!(decode(&file), (format!("(;CA[{name}]PB[表示ソ];B[aa])"), None));
        }
        assert_eq!(decode(b"(;PB[\xb0\xa2]CA[GB2312])").0, "(;PB[阿]CA[GB2312])");
    }

    #[test]
    fn without_a_declaration_the_text_is_utf8_or_latin1() {
        assert_eq!(decode("(;PB[é])".as_bytes()), ("(;PB[é])".to_owned(), None));
        assert_eq!(decode(b"(;PB[\xe9])"), ("(;PB[é])".to_owned(), None));
        assert_eq!(decode(b"(;CA[]PB[\xe9])").0, "(;CA[]PB[é])");
    }

    #[test]
    fn wrong_declarations_are_repaired_and_named() {
        let (text, repair) = decode("(;CA[EUC-KR]PB[Zoë €])".as_bytes());
        assert!(text.contains("Zoë €") && repair.unwrap().contains("UTF-8"));
        let (text, repair) = decode(b"(;CA[klingon]PB[\xe9])");
        assert!(text.contains('é') && repair.unwrap().contains("CA[klingon]"));
        let (text, repair) = decode(b"(;CA[UTF-8]PB[\xff])");
        assert!(text.contains('\u{fffd}') && repair.is_some());
        assert_eq!(decode(b"(;CA[UTF-16]PB[a])").0, "(;CA[UTF-16]PB[a])");
    }
}
