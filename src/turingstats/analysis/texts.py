"""Texts of people and models, measured response by response (Table S5).

A response is a caption, a word, or one turn of a conversation; every number is per response. Parts of
speech are Penn Treebank tags from TextBlob's tagger (a lexicon with Brill's rules, included in the
package); word frequencies are shares of running words on the web, from the list in symspellpy.

The readings differ in four ways. Published verb counts are far too low for captions ("a man riding a
wave" has a verb), but correct for base forms alone. So the published reading counts one tag per class (VB,
NN, JJ, ...), the recommended one also counts inflected forms (VBG, NNS, JJR, ...). The published reading
also uses only cues without a word shared by people and models, only the first collection of
conversations, and counts every character of a word as a letter ("ph.d" has four).
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
"""Total number of running words in the list of word frequencies."""
END = "\N{ASTERISM}"
"""Separator between texts during tokenization."""
COLUMNS = [
    "text_id", "study", "task", "agent", "measure", "reading", "unit", "value", "sd", "se",
    "ci_low", "ci_high", "level", "n", "method",
]  # fmt: skip


def tabulate_text_measures(responses, study, level):
    """Measure the texts of the tasks that declare `texts`.

    `value` is the mean over responses, `sd` their standard deviation (n - 1), `se` the standard error sd
    / sqrt(n), `n` the number of responses; ci_low and ci_high are Student's interval of the mean, with
    responses as independent. "frequency" counts only responses with a word in the list, "letters" only
    those with a letter.
    """
    rows = []
    for task, described in study.tasks.items():
        task_responses = responses[responses["task"] == task]
        if described.texts is None or task_responses.empty:
            continue
        numbers = measure_each_text(task_responses["response"]).assign(
            agent=task_responses["agent"].astype(str)
        )
        for reading in READINGS:
            kept = numbers
            if reading == "published":
                kept = numbers.loc[
                    select_published_responses(task_responses, described.texts).index
                ]
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
    """Describe how a measure was taken."""

    if name in CLASSES:
        tags = ", ".join(CLASSES[name][: 1 if reading == "published" else None])
        return f"tags {tags} of textblob {version('textblob')}"
    if name == "letters" and reading == "published":
        return "counted in the text, every character but blanks as a letter"
    if name == "frequency":
        return f"mean share of running words, list of symspellpy {version('symspellpy')}"
    return "counted in the text"


def select_published_responses(responses, texts):
    """Select the responses of one task that the published table is based on."""
    kept = responses[responses["agent"].isin(["human", *texts.agents])]
    if texts.collection:
        kept = kept[kept["stimulus"].str.startswith(f"{texts.collection}.")]
    if texts.without_shared:
        kept = kept[~kept["stimulus"].isin(find_shared_stimuli(kept))]
    return kept


def find_shared_stimuli(responses):
    """Find the stimuli to which a person and a model gave the same answer."""
    people = responses["agent"] == "human"
    both = responses[people].merge(responses[~people], on=["stimulus", "response"])
    return set(both["stimulus"])


def measure_each_text(texts):
    """Measure each text, one row per text and one column per measure.

    Parts of speech and letters have a second column with the count of the published reading, such as
    "verbs published".
    """
    common = load_word_frequencies()
    unique = texts.unique().tolist()
    different = {
        text: measure_text(text, tags, common)
        for text, tags in zip(unique, tag_texts(unique), strict=True)
    }
    return pd.DataFrame([different[text] for text in texts], index=texts.index)


def measure_text(text, tags, common):
    """Measure one text, from its tags and the frequencies of words."""
    words = [word for word in text.split() if any(map(str.isalnum, word))]
    letters = sum(map(str.isalpha, text))
    known = [common[word] for word in map(strip_word, words) if word in common]
    counts = {name: sum(tags.count(tag) for tag in own) for name, own in CLASSES.items()}
    counts |= {f"{name} published": tags.count(own[0]) for name, own in CLASSES.items()}
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
    """Tag texts with Penn Treebank tags: one list per text, one tag per token.

    Tokens are from NLTK, which splits contractions as the Treebank does (do n't), whereas TextBlob's own
    tokenizer leaves their letters to be tagged as nouns. NLTK expects one sentence at a time, so periods
    inside a text are separated first. All texts are processed together, one per line, because both
    libraries have a large startup cost.
    """
    lines = (" ".join(text.split()) for text in texts)
    apart = re.sub(r"([.!?])(?=\s)", r" \1", f" {END} ".join(lines) + f" {END}")
    parts = " ".join(NLTKWordTokenizer().tokenize(apart)).split(END)[:-1]
    lines = "\n".join(part.strip() for part in parts)
    sentences = parse(lines, tokenize=False, chunks=False).split()
    return [[token[1] for token in sentence] for sentence in sentences]


def strip_word(word):
    """Convert a word to lower case, without punctuation around it."""
    return word.strip(string.punctuation).lower()


def load_word_frequencies():
    """Load the share of running words for each of 82,765 English words."""
    path = resources.files("symspellpy") / "frequency_dictionary_en_82_765.txt"
    lines = path.read_text(encoding="utf-8-sig").splitlines()
    pairs = (line.split() for line in lines)
    return {word: int(count) / RUNNING_WORDS for word, count in pairs}
