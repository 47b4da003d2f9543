"""Judgments of conversations, their labels and their topics.

A judge reads a conversation between speakers A and B and says of each whether it is a person, so one trial
gives two judgments. The conversations come from two collections with overlapping numbers (34-284 are
different conversations in the collection of 2025), so a conversation is named by collection and number.

The form of the first collection's files is `{"inlab": {"datastring": [{"questiondata", "data"}, ...]}, ...}`:
one list of judges per source (`key`), without names of judges. The first entry of each judge's trials is a
dummy with conversation 0. The labels of the conversations are in other files. Those of 2025 are tables of
psiTurk (`sessions`).
"""

import re
from collections.abc import Iterator
from typing import Annotated, Any, Generic, Literal

import pandas as pd
from pydantic import BeforeValidator, Field, RootModel

from converters.zhang2025 import records
from converters.zhang2025.records import AnyRecord, Record, Source
from turingstats.data import schema

FIRST, LATER = "first", "2025"
LONG = 48
"""Exchanges of the long conversations. Their `hit_len` is 24, which means 24 per speaker there."""
# Labels of conversations, also used for joint verdicts: what speaker A is, and what B is.
LABELS = {
    "HH": ("human", "human"),
    "HAI": ("human", "machine"),
    "AIH": ("machine", "human"),
    "AIAI": ("machine", "machine"),
}
# What the judge took a speaker for; 0 where the judge was not asked.
GENDERS = {"F": "female", "M": "male", 0: None}
VARIANTS = {"HH": "H-H", "HAI": "H-M", "AIH": "H-M", "AIAI": "M-M"}
# The control question asks for the topic: last number of a range of conversations, correct option.
OPTIONS = {
    FIRST: (
        (25, 1), (50, 2), (75, 3), (100, 4), (125, 5), (150, 1), (160, 2), (170, 1), (180, 2),
        (190, 3), (200, 4), (210, 5), (220, 1), (230, 2), (240, 3), (250, 4), (260, 5), (270, 1),
        (280, 2), (290, 3), (300, 4), (305, 3),
    ),
    LATER: ((63, 5), (109, 1), (173, 2), (223, 3), (273, 4), (284, 5), (305, 3)),
}  # fmt: skip
PAGE = re.compile(
    r"(?:[^\s?#]*/)?static/(dataset|dataset_new)/(?:[^\s?#]*/)?conv([0-9]{1,3})(?:_len([0-9]{1,2}))?\.html"
)
CHECKPOINTS = (1, 2, 4, 8)
"""Exchanges after which a judge of the online test was asked."""
OPPOSITE = {"human": "machine", "machine": "human"}
SOURCES, OTHER_SOURCES = "inlab|prolific|mturk", "chatgpt"
"""Sources, and one whose judges saw other conversations under the same numbers."""

Label = Literal["HH", "HAI", "AIH", "AIAI"]
Guess = Literal["F", "M", 0]
Number = Annotated[int, Field(ge=1, le=305)]
"""Number of a conversation in its collection."""


class Judges(Record, Generic[AnyRecord]):
    """The judges of a source."""

    datastring: Annotated[list[AnyRecord], Field(min_length=1)]


class Entry(Record, Generic[AnyRecord]):
    """An entry of a judge."""

    trialdata: AnyRecord


class ConversationTrial(Record):
    """A verdict on both speakers of a conversation."""

    hit: Number
    hit_len: Literal[3, 6, 9, 12, 15, 18, 21, 24]
    conversationID: Annotated[str, Field(pattern=f"^{PAGE.pattern}$")]
    Aclass: Label
    Agender: Guess
    Bgender: Guess
    topic: Literal["1", "2", "3", "4", "5"]
    rt: records.Milliseconds
    isFixed: bool = False

    @property
    def collection(self) -> str:
        """The collection of the conversation, from the folder of the page that was shown."""
        return LATER if PAGE.fullmatch(self.conversationID)[1] == "dataset_new" else FIRST

    @property
    def stimulus(self) -> str:
        """The name of the conversation."""
        return name_conversation(self.collection, self.hit)


def skip_dummy(entries: Any) -> Any:
    """Skip the first entry of a judge, which is a dummy."""
    return entries[1:] if isinstance(entries, list) else entries


class Judge(Record):
    """A judge: answers about themselves, and entries."""

    questiondata: records.Answers
    data: Annotated[
        list[Entry[ConversationTrial]], Field(min_length=1), BeforeValidator(skip_dummy)
    ]


class Topic(Record):
    """The topic of a conversation."""

    hit: Number
    assigned_topic: records.Filled


class TopicJudge(Record):
    """The entries of a judge on one topic."""

    data: Annotated[list[Entry[Topic]], Field(min_length=1)]


class Choice(Record):
    """What A is, and what the judge took A for at one checkpoint."""

    groundtruth: records.Side
    response: records.Side


class Choices(RootModel[tuple[Choice, Choice, Choice, Choice]]):
    """The choices of a judge, one per checkpoint."""


def find_topic_option(collection: str, number: int) -> int | None:
    """Find the correct answer, 1 to 5, to the topic question; None for an unknown conversation."""
    return next((option for last, option in OPTIONS[collection] if 1 <= number <= last), None)


def name_conversation(collection: str, number: int) -> str:
    """Name a conversation by collection and number, such as "2025.163"."""
    return f"{collection}.{number:03d}"


def make_judgments(data: ConversationTrial, label: str | None = None) -> list[dict[str, Any]]:
    """Make the judgments of side A and side B of a trial, with variant and truth where it has a label."""
    option = find_topic_option(data.collection, data.hit)
    common = {
        "stimulus": data.stimulus,
        "variant": label and VARIANTS[label],
        "exchanges": LONG if data.isFixed else data.hit_len,
        "rt_ms": data.rt,
        "control_ok": None if option is None else data.topic == str(option),
    }
    return [
        common
        | {
            "side": side,
            "truth": label and LABELS[label][i],
            "verdict": LABELS[data.Aclass][i],
            "perceived_gender": GENDERS[guess],
        }
        for i, (side, guess) in enumerate((("A", data.Agender), ("B", data.Bgender)))
    ]


def list_judges(
    source: Source, model: type[AnyRecord], names: str = SOURCES
) -> Iterator[AnyRecord]:
    """Yield the judges of some sources of verdicts."""
    for name, value in source.load(f"{SOURCES}|{OTHER_SOURCES}", "inlab"):
        if re.fullmatch(names, name):
            yield from source.check(Judges[model], value, name).datastring  # type: ignore[valid-type]


def read(source: Source) -> records.Tables:
    """Read `judgments`, without agent and truth, and `judges` of one source of the first collection."""
    for judge in list_judges(source.replace(key=None), Judge, source.file.key):
        name = source.add_judge(**judge.questiondata.list_columns())
        for position, entry in enumerate(judge.data, start=1):
            place = name | {"trial": position, "position": position, "phase": "test"}
            source.judgments += [place | side for side in make_judgments(entry.trialdata)]
    return source.build_tables()


def read_topics(source: Source) -> records.Tables:
    """Read `stimuli`: the topic of every conversation in a file of judgments on one topic, for both sides."""
    entries = (entry.trialdata for judge in list_judges(source, TopicJudge) for entry in judge.data)
    topics = {(topic.hit, topic.assigned_topic) for topic in entries}
    rows = [
        source.place | {"stimulus": name_conversation(FIRST, number), "side": side, "topic": topic}
        for number, topic in sorted(topics)
        for side in "AB"
    ]
    return {"stimuli": pd.DataFrame(rows, columns=list(schema.STIMULI))}


def read_choices(source: Source) -> records.Tables:
    """Read `judgments` and `judges` of the online test.

    Its form is `{"51.txt": [{"groundtruth", "response"}, ...], ...}`, with four records each. A judge
    talks to a person and a machine at the same time and says after 1, 2, 4 and 8 exchanges which of A and B
    is the person. The records give truth and choice for A; B is the opposite, so one choice gives two
    judgments, both right or both wrong. The file does not name the judges (28 took part), so each
    conversation has its own pseudonym.
    """
    (model,) = source.task.cohorts[source.file.cohort].agents
    for row, value in source.load(r"(0|[1-9][0-9]{0,5})\.txt", "51.txt"):
        choices = source.check(Choices, value, row).root
        judge = source.add_judge() | {"stimulus": f"online.{len(source.judges):03d}"}
        for trial, (exchanges, choice) in enumerate(
            zip(CHECKPOINTS, choices, strict=True), start=1
        ):
            of_trial = {"trial": trial, "position": trial, "phase": "test", "exchanges": exchanges}
            truth, verdict = choice.groundtruth, choice.response
            for side in "AB":
                agent = "human" if truth == "human" else model
                judged = {"side": side, "agent": agent, "truth": truth, "verdict": verdict}
                source.judgments.append(judge | of_trial | judged)
                truth, verdict = OPPOSITE[truth], OPPOSITE[verdict]
    return source.build_tables()
