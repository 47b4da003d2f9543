"""Trials in the JSON files of the study: what a record says about the response and the verdict.

The models here are what the files of several tasks share; each format adds its own fields. Their keys are
those of the public files, documented in converters/zhang2025/files/ and checked there.
"""

import re
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from converters.zhang2025 import gate, records
from converters.zhang2025.gate import Text, Unread
from turingstats.core.errors import InputError

SIDES = {"ai": "machine", "h": "human"}
"""Other spellings of a side in raw answers."""
PAGE = r"([0-9]{1,5})_([a-g])_([0-9]{1,5})\.html/?$"
"""Page of a response: picture or cue, letter of the agent, number. The letter a is a person's."""


def lower_case(value: Any) -> Any:
    """Write a text in lower case without surrounding blanks; leave other values."""
    return value.strip().lower() if isinstance(value, str) else value


def spell_side(value: Any) -> Any:
    """Spell human or machine as in the data contract, where a file calls them AI and H."""
    value = lower_case(value)
    return SIDES.get(value, value) if isinstance(value, str) else value


Side = Annotated[Literal["human", "machine"], BeforeValidator(lower_case)]
SpelledSide = Annotated[Literal["human", "machine"], BeforeValidator(spell_side)]


class Author(gate.Record):
    """Who made a response: nothing in `machine_groundtruth` means a person."""

    groundtruth: Side
    machine_groundtruth: Text
    human_groundtruth: Text = ""

    @model_validator(mode="after")
    def check_author(self) -> Self:
        """Refuse a response of a machine that names a person."""
        if self.human_groundtruth and self.groundtruth == "machine":
            raise gate.make_contradiction(
                "the ground truth is machine but a person is named", "human_groundtruth", None
            )
        return self


class TrialData(Author):
    """A verdict on a response."""

    response_speaker: Side


class PersonTrialData(TrialData):
    """A person's verdict."""

    trial: gate.Position
    rt: gate.Milliseconds
    phase: Literal["TEST"] = "TEST"
    answer: SpelledSide | None = Field(None, alias="Aclass")
    hit: Unread = None
    counterbalance: Unread = None
    response_gender: Unread = None
    imgtype: Unread = None

    @model_validator(mode="after")
    def check_answer(self) -> Self:
        """Refuse a verdict that differs from the raw answer."""
        if self.answer not in (None, self.response_speaker):
            raise gate.make_contradiction(
                f"the verdict is {self.response_speaker}, but the raw answer is {self.answer}",
                "Aclass",
                self.answer,
            )
        return self


class PageTrialData(PersonTrialData):
    """A trial whose page may be named."""

    page_name: Annotated[Text, gate.match_form(rf".*?{PAGE}", "985_a_0.html/")] | None = None

    @model_validator(mode="after")
    def check_letter(self) -> Self:
        """Refuse a page of a person's response where the truth is machine, and the reverse."""
        if self.page_name is None:
            return self
        letter = re.search(PAGE, self.page_name)[2]
        if (letter == "a") != (self.groundtruth == "human"):
            raise gate.make_contradiction(
                f"the ground truth is {self.groundtruth}, but the letter of the page is {letter}",
                "page_name",
                self.page_name,
            )
        return self


def find_agent_and_truth(
    data: Author, agents: dict[str, str], *, path: Path | str, row: str
) -> tuple[str, str]:
    """Find who made a response, and check it against the stated ground truth.

    `agents` are by raw name, in lower case.
    """
    raw, truth = data.machine_groundtruth, data.groundtruth
    agent = agents[
        records.require_allowed_value(
            raw, list(agents), path=path, row=row, column="machine_groundtruth"
        )
    ]
    if (agent == "human") != (truth == "human"):
        raise InputError(
            path,
            f"the ground truth is {truth} but the agent is {agent}",
            row=row,
            column="machine_groundtruth",
            value=raw,
            fix="correct the record",
        )
    return agent, truth


def number_trial(row: str) -> int:
    """Return the number in the key of a trial, such as 12 in Trial_FV_12."""
    return int(row.rsplit("_", 1)[-1])
