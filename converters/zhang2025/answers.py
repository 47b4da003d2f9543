"""Answers to each stimulus: `{"1017.jpg": [{"response", "groundtruth", "machine_groundtruth"}, ...]}`."""

import re
from pathlib import Path
from typing import Annotated, Any, Generic

import pandas as pd
from pydantic import Field, RootModel, field_validator

from converters.zhang2025 import records
from converters.zhang2025.records import AnyRecord, Filled, Source
from turingstats.core import scan_paths
from turingstats.data import schema

PARTICIPANT = re.compile(r"^Participant_(?=\d+$)")
"""What stands before the number of a participant, which is the pseudonym of a person."""


class Answer(records.Author):
    """An answer in words, and who gave it; `human_groundtruth` is empty where people are not told apart."""

    response: Filled
    human_groundtruth: str


class PathAnswer(Answer):
    """A scan path: fixations as pixels x and y, which stay as they are written."""

    response: list[Any]  # type: ignore[assignment]

    @field_validator("response")
    @classmethod
    def check_fixations(cls, path: list[Any]) -> list[Any]:
        """Refuse a path without fixations, or with what is none."""
        if not path or not all(map(scan_paths.is_fixation, path)):
            raise ValueError(f"not fixations [x, y], up to {scan_paths.FARTHEST} pixels")
        return path


class AnswersTo(RootModel[Annotated[list[AnyRecord], Field(min_length=1)]], Generic[AnyRecord]):
    """All answers to a stimulus."""


def read(source: Source) -> records.Tables:
    """Read `responses` from a dictionary of answers."""
    form = source.task.response
    model: Any = PathAnswer if form and form.form == "scan path" else Answer
    responses = []
    for key, value in source.load(r"\S[^\x00-\x1f]{0,98}", "1017.jpg"):
        for answer in source.check(AnswersTo[model], value, key).root:
            named = answer.human_groundtruth
            made = {"stimulus": Path(key).stem, "agent": source.find_author(answer, key)["agent"]}
            # Some files say only that it was a person.
            made["responder"] = None if named in ("", "human") else PARTICIPANT.sub("p", named)
            responses.append(source.place | made | {"response": str(answer.response)})
    return {"responses": pd.DataFrame(responses, columns=list(schema.RESPONSES))}
