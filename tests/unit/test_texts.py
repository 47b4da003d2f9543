"""Measures of texts: parts of speech against a count by hand, readings, units."""

import pandas as pd
import pytest
from project import read_study

from turingstats.analysis import texts
from turingstats.data import schema

STUDY = read_study("zhang2025")
CAPTION = "a man with 2 dogs quickly riding waves", "DT NN IN CD NNS RB VBG NNS"


def responses(*rows):
    columns = ["task", "stimulus", "agent", "response", "tags"][: len(rows[0])]
    return pd.DataFrame(rows, columns=columns).reindex(columns=list(schema.RESPONSES))


def tabulate(table):
    table = texts.tabulate_text_measures(table, STUDY, 0.95)
    return table.set_index(["text_id", "reading"])


def measure(*texts_and_tags):
    table = pd.DataFrame(texts_and_tags, columns=["response", "tags"])
    return texts.measure_each_text(table)


def test_parts_of_speech_and_other_measures_of_a_text():
    found = measure(CAPTION, ("a man", None))
    counted = found[list(texts.CLASSES)].T
    ones = dict.fromkeys(["determiners", "adverbs", "verbs", "prepositions"], 1)
    assert counted[0].to_dict() == {"adjectives": 0, "nouns": 3, **ones}
    assert found.loc[0, ["nouns published", "verbs published"]].tolist() == [1, 0]
    assert counted[1].isna().all() and found.loc[1, "words"] == 2
    found = measure(("ph.d", None), ("a cat.", None))
    assert found["letters"].tolist() == [3, 4 / 2]
    # Published letters are all characters of a word.
    assert found["letters published"].tolist() == [4, 5 / 2]
    found = measure(("Don't go,  Ann!", None)).iloc[0]
    expected = {"words": 3, "characters": 15, "capitals": 2, "punctuation": 3, "letters": 9 / 3}
    assert {name: found[name] for name in expected} == expected


def test_frequencies_are_shares_of_running_words():
    common = texts.load_word_frequencies()
    # Of the trillion words behind the list one in 44 is "the".
    assert common["the"] == pytest.approx(23_135_851_162 / 1_024_908_267_229)
    assert 0.5 < sum(common.values()) < 1
    found = measure(*((text, None) for text in ("The the!", "qwxz", "the qwxz")))["frequency"]
    assert found[0] == found[2] == common["the"] and pd.isna(found[1])


def test_readings_count_other_tags_and_other_responses():
    words = ["cat human dog", "cat gpt2 dog", "sun human moon", "sun human sky", "sun gpt2 warm"]
    table = tabulate(
        responses(
            ("caption", "1", "git", *CAPTION),
            ("caption", "1", "llava", "a man", None),
            *(("word", *line.split(), None) for line in words),
            ("conversation", "first.001", "human", "yes", None),
            ("conversation", "2025.001", "human", "yes i do", None),
        )
    )
    value = table["value"].unstack()[["published", "recommended"]]
    assert value.loc["caption.git.verbs"].tolist() == [0, 1]
    assert value.loc["caption.git.nouns"].tolist() == [1, 3]
    assert ("caption.llava.words", "published") not in table.index
    assert value.loc["caption.llava.words", "recommended"] == 2
    assert table["n"].unstack().loc["word.human.letters"].tolist() == [2, 3]
    assert value.loc["conversation.human.words"].tolist() == [1, 2]
    assert set(table["unit"]) == {f"response: one {unit}" for unit in ("caption", "word", "turn")}
    assert set(table["study"]) == {"zhang2025"}
    assert ("word.human.nouns", "recommended") not in table.index
    agents = [name for name, reading in table.index if name.endswith("words")]
    assert [*dict.fromkeys(agents)][-3:] == [
        "word.human.words",
        "word.gpt2.words",
        "conversation.human.words",
    ]
    method = table["method"].str.partition("; ")[0]
    assert method["caption.git.verbs"].tolist() == ["tags VBZ", "tags VBZ, VB, VBD, VBG, VBN, VBP"]
    counted = ["counted in the text, every character but blanks as a letter", "counted in the text"]
    assert method["word.human.letters"].tolist() == counted
    assert method["word.human.words"].tolist() == counted[1:] * 2
    assert method["word.human.frequency"].str.startswith("mean share of running words").all()


def test_spread_is_that_of_responses():
    captions = (("caption", str(n), "git", "a " * n + "dog") for n in (1, 2, 3, 6))
    row = tabulate(responses(*captions)).loc["caption.git.words", "recommended"]
    assert (row["value"], row["n"]) == (4, 4)
    assert row["sd"] == pytest.approx((14 / 3) ** 0.5) and row["se"] == pytest.approx(row["sd"] / 2)
    # R: t.test(c(2, 3, 4, 7))$conf.int
    assert (row["ci_low"], row["ci_high"]) == pytest.approx((0.562565118, 7.437434882))
    alike = (("caption", str(n), "git", "a dog") for n in range(6))
    row = tabulate(responses(*alike)).loc["caption.git.words", "recommended"]
    assert (row["se"], row["ci_low"], row["ci_high"]) == (0, 2, 2)


def test_captions_of_one_person_are_not_independent():
    captions = (("caption", str(n), "human", "a " * k + "dog") for n, k in enumerate((1, 1, 5, 5)))
    table = responses(*captions)
    found = [
        tabulate(table.assign(responder=people)).loc["caption.human.words"]
        for people in (None, ["p1", "p1", "p2", "p2"])
    ]
    assert [rows["value"].tolist() for rows in found] == [[4, 4], [4, 4]]
    alone = found[0].loc["recommended"]
    assert alone["se"] == pytest.approx(found[0].loc["published", "se"])
    assert alone["method"].endswith("error over stimuli")
    # The variance over two people is 4, over four images 4 / 3, over both 1, which is all due to people and
    # counted twice by half, since each of them has half of the images.
    assert found[1].loc["recommended", "se"] == pytest.approx((4 + 4 / 3 - 1 / 2) ** 0.5)
    assert found[1].loc["recommended", "method"].endswith("error over people and stimuli")
    assert found[1].loc["published", "se"] == alone["se"]
