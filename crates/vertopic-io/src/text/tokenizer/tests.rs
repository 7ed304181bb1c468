use proptest::prelude::*;

use super::*;

fn words(text: &str) -> Vec<String> {
    Tokenizer::new(&TokenizerOptions::default()).expect("defaults are good").words(text)
}

fn with(change: impl FnOnce(&mut TokenizerOptions), text: &str) -> Vec<String> {
    let mut options = TokenizerOptions::default();
    change(&mut options);
    Tokenizer::new(&options).expect("good options").words(text)
}

fn language(code: &str) -> Stopwords {
    Stopwords::Language(code.to_owned())
}

#[test]
fn text_is_split_folded_and_sieved() {
    assert_eq!(words("The quick (\"brown\") FOX, don't jump!"), ["quick", "brown", "fox", "jump"]);
    assert_eq!(
        words("_stress_ foo_bar subject:weather"),
        ["stress", "foo_bar", "subject", "weather"]
    );
    assert_eq!(words("soft\u{ad}ware"), ["software"]);
    assert_eq!(words(""), [""; 0]);
}

#[test]
fn curly_apostrophes_match_the_stop_list_and_possessives_go() {
    assert_eq!(words("We don’t, they’re, it's, that’s, who'd've"), ["who'd've"]);
    assert_eq!(words("The dog’s and the king's O'Brien"), ["dog", "king", "o'brien"]);
}

#[test]
fn numbers_and_short_words_go_unless_asked_for() {
    assert_eq!(words("x 1984 mp3 3.14 42nd ab"), ["mp3", "42nd", "ab"]);
    assert_eq!(with(|o| o.numbers = true, "1984 3.14 7"), ["1984", "3.14"]);
    assert_eq!(with(|o| o.min_length = 1, "x 7"), ["x"]);
    assert_eq!(with(|o| o.min_length = 4, "sea seas"), ["seas"]);
}

#[test]
fn length_counts_characters_not_bytes() {
    assert_eq!(words("é öl"), ["öl"]);
}

#[test]
fn case_can_be_kept_and_stop_words_still_go() {
    assert_eq!(with(|o| o.lowercase = false, "The Sea and THE sea’s"), ["Sea", "sea"]);
}

#[test]
fn unicode_words_are_kept_as_segmented() {
    let none = |o: &mut TokenizerOptions| o.stopwords = Stopwords::None;
    assert_eq!(with(none, "Größe Straße ÜBER"), ["größe", "straße", "über"]);
    assert_eq!(with(none, "ΟΔΟΣ ΣΟΦΙΑ Σ"), ["οδος", "σοφια"]);
    assert_eq!(with(none, "naïve Café São"), ["naïve", "café", "são"]);
    assert_eq!(with(none, "Привет, мир"), ["привет", "мир"]);
    assert_eq!(with(none, "東京へ行く カタカナ"), ["東", "京", "へ", "行", "く", "カタカナ"]);
    assert_eq!(with(none, "한국어 문서"), ["한국어", "문서"]);
    assert_eq!(with(none, "sun 🌞 sea 👩‍👩‍👧 \u{fffd}"), ["sun", "sea"]);
}

#[test]
fn a_final_sigma_is_lowered_as_the_standard_library_lowers_it() {
    let mut out = String::new();
    for word in ["ΟΔΟΣ", "ΣΣ", "Σ", "ΑΣ'Σ", "ΣΑΣ", "ÀΣ"] {
        fold(word, true, &mut out);
        assert_eq!(out, word.to_lowercase(), "{word}");
    }
}

#[test]
fn elided_articles_go_where_the_language_elides() {
    let french = |text| with(|o| o.stopwords = language("fr"), text);
    assert_eq!(french("L'homme qu’elle aujourd'hui d'une l’été s'est"), ["homme", "aujourd'hui"]);
    assert_eq!(with(|o| o.stopwords = language("it"), "dell'arte l'uomo"), ["arte", "uomo"]);
    assert_eq!(words("d'artagnan"), ["d'artagnan"]);
}

#[test]
fn the_english_list_keeps_words_that_a_topic_can_hang_on() {
    let text = "computer research system world fire web novel state member invention bill test";
    assert_eq!(words(text).join(" "), text);
    assert_eq!(words("would could also may however whether one upon us e.g. i.e. cannot"), [""; 0]);
}

#[test]
fn every_language_listed_has_a_stop_list() {
    for code in Stopwords::languages() {
        assert!(!language(code).set().expect("listed").is_empty(), "{code}");
    }
    assert_eq!(
        with(|o| o.stopwords = language("de"), "Der Mensch und die Welt"),
        ["mensch", "welt"]
    );
}

#[test]
fn stems_come_after_stop_words() {
    let stem = |o: &mut TokenizerOptions| o.stem = Some("en".to_owned());
    assert_eq!(with(stem, "running runs doing fishes"), ["run", "run", "fish"]);
}

#[test]
fn every_stemmer_takes_the_words_of_every_language_and_their_pieces() {
    let lists: Vec<&[&str]> =
        Stopwords::languages().iter().map(|code| stop_words::get(code)).collect();
    for code in stem_languages() {
        let stemmer = Stemmer::create(algorithm(code).expect("listed"));
        for pair in lists.iter().flat_map(|list| list.windows(2)) {
            let joined = format!("{}{}", pair[0], pair[1]);
            for (at, _) in joined.char_indices() {
                stemmer.stem(&joined[at..]);
                stemmer.stem(&joined[..at]);
            }
        }
    }
}

#[test]
fn unknown_languages_are_named_with_those_that_are_known() {
    let options = TokenizerOptions { stem: Some("xx".into()), ..TokenizerOptions::default() };
    let text = Tokenizer::new(&options).expect_err("no such stemmer").to_string();
    assert!(text.starts_with("there is no stemmer for the language \"xx\"; known are ar, da, de"));
    let text = "nosuch".parse::<Stopwords>().expect_err("no such list").to_string();
    assert!(text.contains("\"nosuch\"") && text.contains(" de, el, en, "), "{text}");
    let options = TokenizerOptions { stopwords: language("xx"), ..TokenizerOptions::default() };
    assert!(Tokenizer::new(&options).is_err());
}

#[test]
fn stemming_without_lower_case_is_refused() {
    let options = TokenizerOptions {
        stem: Some("en".into()),
        lowercase: false,
        ..TokenizerOptions::default()
    };
    assert!(matches!(Tokenizer::new(&options), Err(IoError::Usage { .. })));
}

#[test]
fn a_file_of_stop_words_is_read_and_kept() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let path = folder.path().join("stop.txt");
    std::fs::write(&path, "\u{feff}Sea\r\n\nO’Clock\nsea\n").expect("written");
    let list: Stopwords = path.to_str().expect("UTF-8").parse().expect("a file");
    assert_eq!(with(|o| o.stopwords = list.clone(), "the SEA at o'clock"), ["the", "at"]);
    let json = serde_json::to_string(&list).expect("plain data");
    assert_eq!(serde_json::from_str::<Stopwords>(&json).expect("same"), list);
}

#[test]
fn options_survive_json_and_unknown_ones_are_refused() {
    let options = TokenizerOptions { stem: Some("de".into()), numbers: true, ..Default::default() };
    let json = serde_json::to_string(&options).expect("plain data");
    assert_eq!(serde_json::from_str::<TokenizerOptions>(&json).expect("same"), options);
    let default: TokenizerOptions = serde_json::from_str("{}").expect("all have defaults");
    assert_eq!(default, TokenizerOptions::default());
    assert!(serde_json::from_str::<TokenizerOptions>(r#"{"bigrams": true}"#).is_err());
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![any::<String>(), "[a-zA-Z'’_:.0-9 ßéΣσ東カ\u{ad}\r\n-]{0,40}"]
}

fn any_options() -> impl Strategy<Value = TokenizerOptions> {
    let stem = prop::option::of(prop::sample::select(stem_languages()));
    let stop = prop::sample::select(vec!["none", "en", "fr", "ja"]);
    (stem, stop, 0_usize..4, any::<bool>(), any::<bool>()).prop_map(
        |(stem, stop, min_length, numbers, lowercase)| TokenizerOptions {
            lowercase: lowercase || stem.is_some(),
            stopwords: stop.parse().expect("known"),
            stem: stem.map(str::to_owned),
            min_length,
            numbers,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_text_is_split_without_a_panic_or_an_empty_word(
        text in any_text(),
        options in any_options(),
    ) {
        let words = Tokenizer::new(&options).expect("good options").words(&text);
        prop_assert!(words.iter().all(|w| !w.is_empty()), "{words:?}");
    }

    #[test]
    fn a_newline_always_separates(a in any_text(), b in any_text(), options in any_options()) {
        let tokenizer = Tokenizer::new(&options).expect("good options");
        let mut apart = tokenizer.words(&a);
        apart.extend(tokenizer.words(&b));
        prop_assert_eq!(tokenizer.words(&format!("{a}\n{b}")), apart);
    }
}
