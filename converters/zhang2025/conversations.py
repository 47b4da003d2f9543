"""Shared by the adapters of the Conversation task: labels, topics, questionnaires.

A judge reads a conversation between speakers A and B and says of each whether it is a person, so one trial
gives two judgments. The conversations come from two collections with overlapping numbers (34-284 are
different conversations in the collection of 2025), so a conversation is named by collection and number.
"""

import re
from collections.abc import Iterable
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, PlainValidator, model_validator
from pydantic_core import PydanticCustomError

from converters.zhang2025 import gate, people
from converters.zhang2025.gate import Unread
from converters.zhang2025.raw_files import RawFile
from turingstats.config.study import Study

FIRST, LATER = "first", "2025"
PILOT = "pilot"
"""The ten conversations of the first online test; no judgments of them are public."""
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


def find_topic_option(collection: str, number: int) -> int | None:
    """Find the correct answer, 1 to 5, to the topic question; None for an unknown conversation."""
    return next((option for last, option in OPTIONS[collection] if 1 <= number <= last), None)


def name_conversation(collection: str, number: int) -> str:
    """Name a conversation by collection and number, such as "2025.163"."""
    return f"{collection}.{number:03d}"


# --- records -----------------------------------------------------------------------------------

LAST = 305
"""Conversations of a collection are numbered up to this."""
FIRST_CATCH = 301
PAGE = re.compile(
    r"(?:[^\s?#]*/)?static/(dataset|dataset_new)/([^\s?#]*/)?conv([0-9]{1,3})(?:_len([0-9]{1,2}))?\.html"
)
LONG_FOLDER = "24long"
"""Part of the names of the folders with long conversations."""


def check_guess(value: Any) -> Any:
    """Check what a judge took a speaker for."""
    if isinstance(value, str | int) and not isinstance(value, bool) and value in GENDERS:
        return value
    raise PydanticCustomError(
        "guess",
        "a value outside the vocabulary of its field",
        {"allowed": ["F", "M", "0 (not asked)"], "fix": gate.EXTEND},
    )


def spell_age_band(value: Any) -> Any:
    """Spell an age band uniformly; those above 50 are merged, as in the other tasks."""
    value = people.spell_age_band(value)
    above = isinstance(value, str) and re.fullmatch(r"(5[1-9]|[6-9][0-9])(-[0-9]{2}|\+)?", value)
    return people.AGE_BANDS[-1] if above else value


Label = Literal["HH", "HAI", "AIH", "AIAI"]
Guess = Annotated[Any, PlainValidator(check_guess)]
Number = Annotated[int, Field(ge=1, le=LAST)]
NumberCell = Annotated[
    str, gate.match_form(r"[1-9][0-9]?|[12][0-9]{2}|30[0-5]", f"a number from 1 to {LAST}")
]
"""A number of a conversation in a table."""
Page = Annotated[
    gate.Text,
    gate.match_form(PAGE.pattern, "static/dataset/conv22_len18.html"),
    Field(max_length=300),
]


class Questionnaire(gate.OpenRecord):
    """A judge's answers about themselves. The tables of psiTurk hold many more."""

    age: Annotated[Literal[people.AGE_BANDS], BeforeValidator(spell_age_band)]  # type: ignore[valid-type]
    gender: people.Gender
    education: people.Education
    total_trials: Annotated[int, Field(ge=0)] | None = None

    def list_columns(self) -> dict[str, str]:
        """List the columns of the judges table that the answers fill."""
        return {"gender": self.gender, "age_band": self.age, "education": self.education}


class ConversationTrial(gate.Record):
    """A verdict on both speakers of a conversation."""

    hit: Number
    hit_len: Literal[3, 6, 9, 12, 15, 18, 21, 24]
    conversationID: Page
    Aclass: Label
    Agender: Guess
    Bgender: Guess
    topic: Literal["1", "2", "3", "4", "5"]
    rt: gate.Milliseconds

    @property
    def collection(self) -> str:
        """The collection of the conversation, from the folder of the page that was shown."""
        return LATER if PAGE.fullmatch(self.conversationID)[1] == "dataset_new" else FIRST

    @property
    def stimulus(self) -> str:
        """The name of the conversation."""
        return name_conversation(self.collection, self.hit)

    @model_validator(mode="after")
    def check_page(self) -> Self:
        """Refuse the page of another conversation, or of another length."""
        _, _, number, length = PAGE.fullmatch(self.conversationID).groups()
        if int(number) != self.hit or length not in (None, str(self.hit_len)):
            raise gate.make_contradiction(
                f"conversation {self.hit} of length {self.hit_len} has another page",
                "conversationID",
                self.conversationID,
            )
        return self

    @model_validator(mode="after")
    def check_guesses(self) -> Self:
        """Refuse a question for the gender of one speaker only."""
        if (self.Agender == 0) != (self.Bgender == 0):
            raise gate.make_contradiction(
                "the gender of one speaker only was asked for", "Bgender", str(self.Bgender)
            )
        return self


class SessionTrial(ConversationTrial):
    """A trial in a table of psiTurk."""

    phase: Literal["TEST"]
    trial: gate.Position
    response: gate.Text
    submitTime: Unread = None

    @model_validator(mode="after")
    def check_response(self) -> Self:
        """Refuse a response that differs from the fields that repeat it."""
        told = "___".join(map(str, (self.Aclass, self.Agender, self.Bgender, self.topic)))
        if self.response != told:
            raise gate.make_contradiction(
                f"Aclass, genders and topic are {told}", "response", self.response
            )
        return self


class LabelledTrial(SessionTrial):
    """A trial with the label of its conversation. Catch trials have numbers of their own."""

    trueLabel: Label
    isCatch: bool
    hasFeedback: bool

    @model_validator(mode="after")
    def check_catch(self) -> Self:
        """Refuse a catch trial with the number of another conversation, and the reverse."""
        if self.isCatch != (self.hit >= FIRST_CATCH):
            raise gate.make_contradiction(
                f"catch trials have numbers from {FIRST_CATCH}", "isCatch", self.hit
            )
        return self

    @model_validator(mode="after")
    def check_collection(self) -> Self:
        """Refuse a page of the other collection than that of the model."""
        if self.collection != self.find_collection():
            raise gate.make_contradiction(
                "a page of another collection", "conversationID", self.conversationID
            )
        return self

    def find_collection(self) -> str:
        """Find the collection that trials of the model are of."""
        return FIRST


class LaterTrial(LabelledTrial):
    """A trial of 2025, where long conversations are marked."""

    isFixed: bool
    fixedType: Unread = None

    def find_collection(self) -> str:
        """Find the collection that trials of the model are of."""
        return LATER

    @model_validator(mode="after")
    def check_long(self) -> Self:
        """Refuse a long conversation in the folder of others, and the reverse."""
        if self.isFixed != (LONG_FOLDER in self.conversationID):
            raise gate.make_contradiction(
                f"the folders of long conversations are named {LONG_FOLDER}",
                "isFixed",
                self.conversationID,
            )
        return self


def choose_trial_model(trials: Iterable[dict[str, Any]]) -> type[SessionTrial]:
    """Choose the model of all raw trials of a table: its richest trial tells which fields all must have."""
    keys = {key for trial in trials for key in trial}
    if keys & {"isFixed", "fixedType"}:
        return LaterTrial
    return LabelledTrial if keys & {"trueLabel", "isCatch", "hasFeedback"} else SessionTrial


# --- rows --------------------------------------------------------------------------------------


def make_judgments(data: ConversationTrial) -> list[dict[str, Any]]:
    """Make the judgments of side A and side B of a trial, with variant and truth where it has a label."""
    label = data.trueLabel if isinstance(data, LabelledTrial) else None
    option = find_topic_option(data.collection, data.hit)
    common = {
        "stimulus": data.stimulus,
        "variant": label and VARIANTS[label],
        "exchanges": LONG if getattr(data, "isFixed", False) else data.hit_len,
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


def make_side_rows(
    stimulus: str, code: str, file: RawFile, study: Study, **others: Any
) -> list[dict[str, Any]]:
    """Make the rows of the stimuli table that follow from the label of a conversation."""
    return [
        {
            "study": study.study,
            "task": file.task,
            "stimulus": stimulus,
            "side": side,
            "truth": truth,
            "variant": VARIANTS[code],
        }
        | others
        for side, truth in zip("AB", LABELS[code], strict=True)
    ]
