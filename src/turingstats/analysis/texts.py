"""Texts of people and models, measured response by response (Table S5).

A response is a caption, a word, or one turn of a conversation; every number is per response. Parts of
speech are counted from the Penn Treebank tags that come with the responses, separated by blanks (from NLTK:
`pos_tag(word_tokenize(text))`), and not at all where there are none; word frequencies are shares of running
words on the web, from the list in symspellpy.

The readings differ in five ways. The printed numbers are those of one tag per class: "nouns" are singular
nouns (NN), "verbs" those in the third person of the present (VBZ), so that "a man riding waves" has one
noun and no verb. The recommended reading counts all nouns, all verbs, and so on. The published reading also
uses only cues without a word shared by people and models, only the first collection of conversations, counts
every character of a word as a letter ("ph.d" has four), and takes all responses as independent.
"""

import string
from importlib import resources
from importlib.metadata import version

import pandas as pd

from turingstats.analysis.rows import tabulate
from turingstats.config.study import Study
from turingstats.config.study.task import Texts
from turingstats.core.yaml_models import READINGS
from turingstats.stats.crossed import describe_estimate, estimate_mean_error

CLASSES = {
    "determiners": ("DT", "PDT", "WDT"),
    "adjectives": ("JJ", "JJR", "JJS"),
    "nouns": ("NN", "NNS", "NNP", "NNPS"),
    "adverbs": ("RB", "RBR", "RBS", "WRB"),
    "verbs": ("VBZ", "VB", "VBD", "VBG", "VBN", "VBP"),
    "prepositions": ("IN",),
}
"""Tags by part of speech; the published reading counts only the first."""

MEASURES = {
    "words": "Words",
    "characters": "Characters",
    "capitals": "Capital letters",
    "punctuation": "Punctuation marks",
    **{name: name.capitalize() for name in CLASSES},
    "letters": "Letters per word",
    "frequency": "Word frequency",
}
"""Labels of measures."""
RUNNING_WORDS = 1_024_908_267_229
"""Total number of running words in the list of word frequencies."""


def tabulate_text_measures(responses: pd.DataFrame, study: Study, level: float) -> pd.DataFrame:
    """Measure the texts of the tasks that declare `texts`.

    `value` is the mean over responses, `sd` their standard deviation (n - 1), `n` the number of responses;
    se, ci_low and ci_high as in `estimate_mean`. "frequency" counts only responses with a word in the list,
    "letters" only those with a letter, parts of speech only those with tags.
    """
    rows = []
    for task, described in study.tasks.items():
        of_task = responses[responses["task"] == task]
        if described.texts is None or of_task.empty:
            continue
        numbers = measure_each_text(of_task)
        for reading in READINGS:
            kept = (
                of_task if reading == "recommended" else select_published(of_task, described.texts)
            )
            for name in MEASURES:
                column = f"{name} {reading}" if f"{name} {reading}" in numbers else name
                measured = kept.assign(value=numbers[column]).dropna(subset="value")
                for agent, cells in measured.groupby("agent", sort=False):
                    rows.append(
                        {
                            "task": task,
                            "agent": agent,
                            "measure": name,
                            "reading": reading,
                            "unit": f"response: one {described.texts.unit}",
                        }
                        | estimate_mean(cells, reading, level)
                    )
                    rows[-1]["method"] = f"{describe_method(name, reading)}; {rows[-1]['method']}"
    return tabulate(rows, "texts", study=study.study, level=level)


def estimate_mean(cells: pd.DataFrame, reading: str, level: float) -> dict[str, float | str | None]:
    """Estimate the mean of a measure for one agent.

    Its error takes responses as independent in the published reading. In the recommended one it is over
    stimuli and, where it is known who responded, over people, who wrote several captions each.
    """
    mean, people, stimuli = cells["value"].mean(), cells["responder"], None
    sampled = "responses as independent"
    units = cells.index
    if reading == "recommended":
        units, sampled = cells["stimulus"], "error over stimuli"
        if people.notna().all():
            units, stimuli, sampled = people, units, "error over people and stimuli"
    error = estimate_mean_error(cells["value"], units, stimuli)
    described = describe_estimate(mean, error, level, share=False)
    if not error.se:
        described |= {"ci_low": mean, "ci_high": mean}
    method = f"t interval, {sampled}"
    return described | {"sd": cells["value"].std(), "n": len(cells), "method": method}


def describe_method(name: str, reading: str) -> str:
    """Describe how a measure was taken."""
    if name in CLASSES:
        return f"tags {', '.join(CLASSES[name][: 1 if reading == 'published' else None])}"
    if name == "letters" and reading == "published":
        return "counted in the text, every character but blanks as a letter"
    if name == "frequency":
        return f"mean share of running words, list of symspellpy {version('symspellpy')}"
    return "counted in the text"


def select_published(responses: pd.DataFrame, texts: Texts) -> pd.DataFrame:
    """Select the responses of one task that the published table is based on."""
    kept = responses[responses["agent"].isin(["human", *texts.agents])]
    if texts.collection:
        kept = kept[kept["stimulus"].str.startswith(f"{texts.collection}.")]
    if texts.without_shared:
        people = kept["agent"] == "human"
        shared = kept[people].merge(kept[~people], on=["stimulus", "response"])
        kept = kept[~kept["stimulus"].isin(set(shared["stimulus"]))]
    return kept


def measure_each_text(responses: pd.DataFrame) -> pd.DataFrame:
    """Measure each response; where the published reading counts otherwise, in a second column."""
    common = load_word_frequencies()
    tags = responses["tags"].astype("string").fillna("")
    pairs = list(zip(responses["response"], tags, strict=True))
    different = {pair: measure_text(*pair, common) for pair in set(pairs)}
    return pd.DataFrame([different[pair] for pair in pairs], index=responses.index)


def measure_text(text: str, tags: str, common: dict[str, float]) -> dict[str, float | None]:
    """Measure one text, from its tags and the frequencies of words."""
    words = [word for word in text.split() if any(map(str.isalnum, word))]
    letters = sum(map(str.isalpha, text))
    plain = [word.strip(string.punctuation).lower() for word in words]
    frequencies = [common[word] for word in plain if word in common]
    counts = {}
    for name, classes in CLASSES.items():
        for column, counted in ((name, classes), (f"{name} published", classes[:1])):
            counts[column] = sum(map(tags.split().count, counted)) if tags else None
    return counts | {
        "words": len(words),
        "characters": len(text),
        "capitals": sum(map(str.isupper, text)),
        "punctuation": sum(map(text.count, string.punctuation)),
        "letters": letters / len(words) if letters else None,
        "letters published": len("".join(text.split())) / len(words) if words else None,
        "frequency": sum(frequencies) / len(frequencies) if frequencies else None,
    }


def load_word_frequencies() -> dict[str, float]:
    """Load the share of running words for each of 82,765 English words."""
    path = resources.files("symspellpy") / "frequency_dictionary_en_82_765.txt"
    lines = path.read_text(encoding="utf-8-sig").splitlines()
    pairs = (line.split() for line in lines)
    return {word: int(count) / RUNNING_WORDS for word, count in pairs}
