"""Answers to each stimulus: `{"1017.jpg": [{"response", "groundtruth", "machine_groundtruth"}, ...]}`."""

import re
from pathlib import Path
from typing import Annotated, Any

import pandas as pd
from pydantic import Field, PlainValidator
from pydantic_core import PydanticCustomError

from converters.zhang2025 import gate, records, trial_records
from converters.zhang2025.raw_files import RawFile
from converters.zhang2025.repeats import Repeats
from turingstats.config.study import Study
from turingstats.core import scan_paths
from turingstats.data import schema

KEY = re.compile(r"\S[^\x00-\x1f]{0,98}")
PARTICIPANT = re.compile(r"^Participant_(?=\d+$)")
"""What stands before the number of a participant, which is the pseudonym of a person."""


def check_fixation(value: Any) -> Any:
    """Check a fixation; it stays as it is written."""
    if not scan_paths.is_fixation(value):
        allowed = [f"[x, y] from {-scan_paths.FARTHEST} to {scan_paths.FARTHEST} pixels"]
        raise PydanticCustomError("fixation", "not a fixation", {"allowed": allowed})
    return value


Fixation = Annotated[Any, PlainValidator(check_fixation)]


class Answer(trial_records.Author):
    """An answer in words, and who gave it; `human_groundtruth` is empty where people are not told apart."""

    response: gate.Filled
    human_groundtruth: gate.Text
    imageID: gate.Filled | None = None
    cueWord: gate.Filled | None = None

    @property
    def responder(self) -> str | None:
        """Who answered, where people are identified; some files say only that it was a person."""
        named = self.human_groundtruth
        return None if named in ("", "human") else PARTICIPANT.sub("p", named)


class PathAnswer(Answer):
    """A scan path: fixations as pixels x and y."""

    response: Annotated[list[Fixation], Field(min_length=1, max_length=1000)]  # type: ignore[assignment]


RECORD = Answer


def read(file: RawFile, folder: str | Path, study: Study) -> records.Tables:
    """Read `responses` from a dictionary of answers."""
    path = Path(folder) / file.path
    agents = records.map_agent_names(study)
    form = study.tasks[file.task].response
    model = PathAnswer if form and form.form == "scan path" else Answer
    repeats = Repeats(path)
    responses = []
    for key, answers in records.load_records(file, folder).items():
        records.check_key(key, KEY, "1017.jpg", path)
        stimulus = Path(key).stem
        repeats.refuse("two keys of one stimulus", stimulus, row=key)
        for number, value in enumerate(records.require_list(answers, path, key)):
            where: dict[str, Any] = {"path": path, "row": f"{key}[{number}]"}
            answer = gate.check_record(model, value, **where)
            check_stimulus(answer, key, **where)
            agent, _ = trial_records.find_agent_and_truth(answer, agents, **where)
            if agent != "human":
                repeats.refuse("two answers of one agent", stimulus, agent, row=where["row"])
            responses.append(
                {
                    "study": study.study,
                    "task": file.task,
                    "stimulus": stimulus,
                    "agent": agent,
                    "responder": answer.responder,
                    "response": str(answer.response),
                }
            )
    return {"responses": pd.DataFrame(responses, columns=list(schema.RESPONSES))}


def check_stimulus(answer: Answer, key: str, *, path: Path, row: str) -> None:
    """Refuse an answer whose image or cue is not that of its key."""
    stem = Path(key).stem
    for column, named in (("imageID", answer.imageID), ("cueWord", answer.cueWord)):
        if named is not None and named != key and not stem.endswith(Path(named).stem):
            raise records.make_contradiction(
                "the answer belongs to another stimulus than its key", column, path=path, row=row
            )
