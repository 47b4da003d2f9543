"""Texts of people and models, measured response by response (Table S5).

A response is a caption, a word, or one turn of a conversation; every number is per response. Parts of
speech are Penn Treebank tags of TextBlob's tagger (a lexicon with Brill's rules, its data inside the
package); word frequencies are shares of running words of the web, from the list in symspellpy.

The readings differ in four ways. Published verb counts are far too low for captions ("a man riding a
wave" has a verb), but right for base forms alone; so the published reading counts one tag a class (VB,
NN, JJ, ...), the recommended one the class with its inflected forms (VBG, NNS, JJR, ...). It also keeps
to the cues without a word shared by people and models, and to the first collection of conversations, and
takes every sign of a word for a letter ("ph.d" has four).
"""

import re
import string
from importlib import resources
from importlib.metadata import version

import pandas as pd
from nltk.tokenize import NLTKWordTokenizer
from scipy.special import stdtrit
from textblob.en import parse

from turingstats.analysis.text_measures import CLASSES, MEASURES
from turingstats.core.yaml_models import READINGS

RUNNING_WORDS = 1_024_908_267_229
"""Running words behind the counts of the list of word frequencies."""
END = "\N{ASTERISM}"
"""Set between texts while they are taken apart."""
COLUMNS = (
    "text_id study task agent measure reading unit value sd se ci_low ci_high level n method"
).split()


def tabulate_text_measures(responses, study, level):
    """Measure the texts of the tasks that declare `texts`.

    Parameters
    ----------
    responses : pandas.DataFrame
        The data contract's table.
    study : Study
    level : float
        Confidence of the intervals.

    Returns
    -------
    pandas.DataFrame
        Columns `COLUMNS`. `value` is the mean over responses, `sd` their standard deviation (n - 1), `se`
        the standard error sd / root n, `n` the number of responses; ci_low and ci_high are Student's
        interval of the mean, responses taken as independent. Of "frequency" only responses
        with a word of the list count, in "letters" only those with a letter.
    """

    rows = []
    for task, described in study.tasks.items():
        own = responses[responses["task"] == task]
        if described.texts is None or own.empty:
            continue
        numbers = measure_each_text(own["response"]).assign(agent=own["agent"].astype(str))
        for reading in READINGS:
            kept = numbers
            if reading == "published":
                kept = numbers.loc[select_published_responses(own, described.texts).index]
            for name in MEASURES:
                own_count = reading == "published" and name in (*CLASSES, "letters")
                column = f"{name} published" if own_count else name
                found = kept.groupby("agent", sort=False)[column].agg(["mean", "std", "count"])
                for agent, cell in found[found["count"] > 0].iterrows():
                    n = int(cell["count"])
                    error = cell["std"] / n**0.5
                    reach = error * stdtrit(n - 1, (1 + level) / 2) if n > 1 else None
                    rows.append(
                        {
                            "text_id": f"{task}.{agent}.{name}",
                            "study": study.study,
                            "task": task,
                            "agent": agent,
                            "measure": name,
                            "reading": reading,
                            "unit": f"response: one {described.texts.unit}",
                            "value": cell["mean"],
                            "sd": cell["std"],
                            "se": error,
                            "ci_low": cell["mean"] - reach if n > 1 else None,
                            "ci_high": cell["mean"] + reach if n > 1 else None,
                            "level": level,
                            "n": n,
                            "method": describe_method(name, reading)
                            + "; t interval, responses as independent",
                        }
                    )
    return pd.DataFrame(rows, columns=COLUMNS)


def describe_method(name, reading):
    """How a measure was taken."""

    if name in CLASSES:
        tags = ", ".join(CLASSES[name][: 1 if reading == "published" else None])
        return f"tags {tags} of textblob {version('textblob')}"
    if name == "letters" and reading == "published":
        return "counted in the text, every character but blanks as a letter"
    if name == "frequency":
        return f"mean share of running words, list of symspellpy {version('symspellpy')}"
    return "counted in the text"


def select_published_responses(responses, texts):
    """Responses of one task that the published table rests on.

    Parameters
    ----------
    responses : pandas.DataFrame
    texts : config.Texts
        Which agents it compares, and what it leaves out.
    """
    kept = responses[responses["agent"].isin(["human", *texts.agents])]
    if texts.collection:
        kept = kept[kept["stimulus"].str.startswith(f"{texts.collection}.")]
    if texts.without_shared:
        kept = kept[~kept["stimulus"].isin(find_shared_stimuli(kept))]
    return kept


def find_shared_stimuli(responses):
    """Stimuli to which a person and a model gave one and the same answer."""
    people = responses["agent"] == "human"
    both = responses[people].merge(responses[~people], on=["stimulus", "response"])
    return set(both["stimulus"])


def measure_each_text(texts):
    """Measure each text.

    Parameters
    ----------
    texts : pandas.Series of str

    Returns
    -------
    pandas.DataFrame
        One row a text, with its index; one column a measure, and for each part of speech and for letters
        another one with the count of the published reading, such as "verbs published".
    """

    common = load_word_frequencies()
    unique = texts.unique().tolist()
    different = {
        text: measure_text(text, tags, common)
        for text, tags in zip(unique, tag_texts(unique), strict=True)
    }
    return pd.DataFrame([different[text] for text in texts], index=texts.index)


def measure_text(text, found, common):
    """Measures of one text, with its tags and the frequencies of words."""
    words = [word for word in text.split() if any(map(str.isalnum, word))]
    letters = sum(map(str.isalpha, text))
    known = [common[word] for word in map(strip_word, words) if word in common]
    counts = {name: sum(found.count(tag) for tag in own) for name, own in CLASSES.items()}
    counts |= {f"{name} published": found.count(own[0]) for name, own in CLASSES.items()}
    return counts | {
        "words": len(words),
        "characters": len(text),
        "capitals": sum(map(str.isupper, text)),
        "punctuation": sum(map(text.count, string.punctuation)),
        "letters": letters / len(words) if letters else None,
        "letters published": len("".join(text.split())) / len(words) if words else None,
        "frequency": sum(known) / len(known) if known else None,
    }


def tag_texts(texts):
    """Penn Treebank tags of texts, a list for each, one tag a token.

    Tokens are those of NLTK, which takes contractions apart as the Treebank does (do n't), where
    TextBlob's own leave their letters to be tagged as nouns. It wants one sentence at a time: a stop
    inside a text is set apart first. All texts go through at once, a line each, because both libraries
    spend most of their time on getting ready.
    """
    lines = (" ".join(text.split()) for text in texts)
    apart = re.sub(r"([.!?])(?=\s)", r" \1", f" {END} ".join(lines) + f" {END}")
    parts = " ".join(NLTKWordTokenizer().tokenize(apart)).split(END)[:-1]
    lines = "\n".join(part.strip() for part in parts)
    sentences = parse(lines, tokenize=False, chunks=False).split()
    return [[token[1] for token in sentence] for sentence in sentences]


def strip_word(word):
    """A word in lower case, without punctuation around it."""
    return word.strip(string.punctuation).lower()


def load_word_frequencies():
    """Share of running words that each of 82,765 English words has."""
    listed = resources.files("symspellpy") / "frequency_dictionary_en_82_765.txt"
    lines = listed.read_text(encoding="utf-8-sig").splitlines()
    pairs = (line.split() for line in lines)
    return {word: int(count) / RUNNING_WORDS for word, count in pairs}
