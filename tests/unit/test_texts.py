"""Measures of texts: parts of speech against a count by hand, readings, units."""

from pathlib import Path

import pandas as pd
import pytest
from project import read_study

from turingstats.analysis import texts
from turingstats.data import schema

ROOT = Path(__file__).resolve().parents[2]
STUDY = read_study("zhang2025")
# Determiners, adjectives, nouns, adverbs, verbs, prepositions, counted by hand in each sentence.
BY_HAND = {
    "a plate of carrots and broccoli on a table": (2, 0, 4, 0, 0, 2),
    "a man riding a wave": (2, 0, 2, 0, 1, 0),
    "two dogs are playing happily in the snow": (1, 0, 2, 1, 2, 1),
    "A small brown dog runs along the wet beach.": (2, 3, 2, 0, 1, 1),
    "I don't really know the new teacher, but she is nice.": (1, 2, 1, 2, 3, 0),
    "I'm not sure. That is a good point!": (2, 2, 1, 1, 2, 0),
    "She quickly opened the old door of her house.": (1, 1, 2, 1, 1, 1),
    "We never watched the new movie in a cinema.": (2, 1, 2, 1, 1, 1),
}


def responses(*rows):
    frame = pd.DataFrame(rows, columns=["task", "stimulus", "agent", "response"])
    return frame.reindex(columns=list(schema.RESPONSES))


@pytest.mark.parametrize(("text", "expected"), BY_HAND.items())
def test_parts_of_speech_are_those_counted_by_hand(text, expected):
    found = texts.measure_each_text(pd.Series([text]))[list(texts.CLASSES)]
    assert tuple(found.iloc[0]) == expected


def test_known_errors_of_the_tagger():
    """Said in docs/papers/zhang2025.md: "that" and "like" count as prepositions wherever they stand."""
    assert texts.tag_texts(["we like that movie"]) == [["PRP", "IN", "IN", "NN"]]


def test_texts_are_tagged_each_for_itself():
    many = list(BY_HAND)
    assert texts.tag_texts(many) == [texts.tag_texts([text])[0] for text in many]


def test_measures_of_a_text():
    found = texts.measure_each_text(pd.Series(["Don't go,  Ann!"])).iloc[0]
    expected = {"words": 3, "characters": 15, "capitals": 2, "punctuation": 3, "letters": 9 / 3}
    assert {name: found[name] for name in expected} == expected
    assert found["verbs"] == 2 and found["verbs published"] in (0, 1)


def test_frequencies_are_shares_of_running_words():
    common = texts.load_word_frequencies()
    # Of the trillion words behind the list one in 44 is "the".
    assert common["the"] == pytest.approx(23_135_851_162 / 1_024_908_267_229)
    assert 0.5 < sum(common.values()) < 1
    found = texts.measure_each_text(pd.Series(["The the!", "qwxz", "the qwxz"]))["frequency"]
    assert found[0] == found[2] == common["the"] and pd.isna(found[1])


def test_readings_count_other_tags_and_other_responses():
    table = texts.tabulate_text_measures(
        responses(
            ("caption", "1", "git", "a man riding waves"),
            ("caption", "1", "llava", "a man"),
            ("word", "cat", "human", "dog"),
            ("word", "cat", "gpt2", "dog"),
            ("word", "sun", "human", "moon"),
            ("word", "sun", "human", "sky"),
            ("word", "sun", "gpt2", "warm"),
            ("conversation", "first.001", "human", "yes"),
            ("conversation", "2025.001", "human", "yes i do"),
        ),
        STUDY,
        0.95,
    ).set_index(["text_id", "reading"])
    value = table["value"]
    assert value["caption.git.verbs", "published"] == 0
    assert value["caption.git.verbs", "recommended"] == 1
    assert value["caption.git.nouns", "published"] == 1
    assert value["caption.git.nouns", "recommended"] == 2
    assert ("caption.llava.words", "published") not in table.index
    assert value["caption.llava.words", "recommended"] == 2
    assert table["n"]["word.human.letters", "published"] == 2
    assert table["n"]["word.human.letters", "recommended"] == 3
    assert value["conversation.human.words", "published"] == 1
    assert value["conversation.human.words", "recommended"] == 2
    assert set(table["unit"]) == {
        "response: one caption",
        "response: one word",
        "response: one turn",
    }
    assert set(table["study"]) == {"zhang2025"}
    assert table["method"].str.endswith("t interval, responses as independent").all()


def test_spread_is_that_of_responses():
    table = texts.tabulate_text_measures(
        responses(*(("caption", str(n), "git", "a " * n + "dog") for n in (1, 2, 3, 6))),
        STUDY,
        0.95,
    ).set_index(["text_id", "reading"])
    row = table.loc["caption.git.words", "recommended"]
    assert (row["value"], row["n"]) == (4, 4)
    assert row["sd"] == pytest.approx((14 / 3) ** 0.5) and row["se"] == pytest.approx(row["sd"] / 2)
    # R: t.test(c(2, 3, 4, 7))$conf.int
    assert (row["ci_low"], row["ci_high"]) == pytest.approx((0.562565118, 7.437434882))


def test_published_letters_are_all_characters_of_a_word():
    found = texts.measure_each_text(pd.Series(["ph.d", "a cat."]))
    assert found["letters"].tolist() == [3, 4 / 2]
    assert found["letters published"].tolist() == [4, 5 / 2]
