//! Splitting of command lines into words.

/// The error for a command line that cannot be split.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CommandLineError {
    /// The line has no words.
    #[error("the command line is empty: expected a program and its arguments")]
    Empty,
    /// A quote is not closed.
    #[error("{0:?}: a quote is not closed")]
    Quote(String),
}

/// Splits a command line into words as a shell would: at spaces, except in quotes and after a backslash. Nothing is
/// expanded: there are no variables, patterns or substitutions.
///
/// ```
/// let words = gtp::words(r#"engine --name 'two words' a\ b "say \"hi\"""#).unwrap();
/// assert_eq!(words, ["engine", "--name", "two words", "a b", "say \"hi\""]);
/// ```
///
/// # Errors
/// If there is no word, or a quote is not closed.
pub fn words(line: &str) -> Result<Vec<String>, CommandLineError> {
    let unclosed = || CommandLineError::Quote(line.to_owned());
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (Some(open), _) if character == open => quote = None,
            (Some('\''), _) => word.get_or_insert_default().push(character),
            (Some(_), '\\') => {
                let escaped = characters.next().ok_or_else(unclosed)?;
                let word = word.get_or_insert_default();
                // Within double quotes, a backslash is literal except before these two.
                if !matches!(escaped, '"' | '\\') {
                    word.push('\\');
                }
                word.push(escaped);
            }
            (None, '\\') => word.get_or_insert_default().push(characters.next().ok_or_else(unclosed)?),
            (None, '\'' | '"') => {
                word.get_or_insert_default();
                quote = Some(character);
            }
            (None, _) if character.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(character),
        }
    }
    if quote.is_some() {
        return Err(unclosed());
    }
    words.extend(word);
    if words.is_empty() { Err(CommandLineError::Empty) } else { Ok(words) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_as_a_shell_would() {
        for (line, expected) in [
            ("gnugo --mode gtp", &["gnugo", "--mode", "gtp"][..]),
            ("  a\t b  ", &["a", "b"]),
            (r#"a "" b"#, &["a", "", "b"]),
            (r#"x"y z"'w v'u"#, &["xy zw vu"]),
            (r#""a\b\\c""#, &[r"a\b\c"]),
            (r"'a\b'", &[r"a\b"]),
            (r"a\\b \'", &[r"a\b", "'"]),
            ("é 'ü ö'", &["é", "ü ö"]),
            ("a $HOME *.c ; b", &["a", "$HOME", "*.c", ";", "b"]),
        ] {
            assert_eq!(
                words(line).as_deref(),
                Ok(expected.iter().map(ToString::to_string).collect::<Vec<_>>().as_slice()),
                "{line}"
            );
        }
    }

    #[test]
    fn empty_lines_and_open_quotes_are_refused() {
        for line in ["'a", "a \"b", "a\\", "\"a\\"] {
            assert_eq!(words(line), Err(CommandLineError::Quote(line.to_owned())), "{line}");
        }
        assert_eq!(words(" \t"), Err(CommandLineError::Empty));
    }
}
