"""Judgments on eye movements in a table of psiTurk (CSV), one row per session, the trials in JSON.

What is read of a session, and which sessions count, is as in `psiturk_table`.
"""

from pathlib import Path
from typing import Any, Literal, Self

from pydantic import Field, model_validator

from converters.zhang2025 import gate, psiturk_table, records, scanpaths
from converters.zhang2025.raw_files import RawFile
from converters.zhang2025.repeats import TrialRepeats
from converters.zhang2025.trial_records import Side
from turingstats.config.study import Study


class ExpertTrial(gate.OpenRecord):
    """A verdict on eye movements; the folder of `imageID` tells whose they are."""

    phase: Literal["TEST"]
    trial: gate.Position
    rt: gate.Milliseconds
    imageID: scanpaths.Address
    verdict: Side = Field(alias="choose response")
    truth: Side = Field(alias="correct response")
    control_answer: gate.Filled = Field(alias="object response")
    control_truth: gate.Filled = Field(alias="correct object")

    @model_validator(mode="after")
    def check_folder(self) -> Self:
        """Refuse a folder that says otherwise whose eye movements they are."""
        scanpaths.check_folder(self.imageID, self.truth)
        return self


RECORD = ExpertTrial


def read(file: RawFile, folder: str | Path, study: Study) -> records.Tables:
    """Read `judgments` and `judges` from a table of sessions."""
    path = Path(folder) / file.path
    agents = records.map_agent_names(study)
    common = records.make_common_columns(file, study)
    repeats = TrialRepeats(file, path)
    judgments, judges = [], []
    finished, unfinished = psiturk_table.read_sessions(file, folder, lambda _: ExpertTrial)
    for session, judge_columns, judge in psiturk_table.identify_judges(finished, file, common):
        judges.append(judge)
        for data in session.trials:
            where: dict[str, Any] = {"path": path, "row": f"{session.row}, trial {data.trial}"}
            judgment = make_judgment(data, agents, **where)
            repeats.refuse_trial(
                judge["judge"], data.imageID, data.trial, data.rt, data.verdict, row=where["row"]
            )
            judgments.append(judge_columns | judgment)
    return records.build_tables(judgments, judges) | {
        "left_out": psiturk_table.count_unfinished(unfinished, file, study),
    }


def make_judgment(data: ExpertTrial, agents: dict[str, str], **where: Any) -> dict[str, Any]:
    """Make the row of a verdict."""
    agent = scanpaths.identify_agent(data.imageID, agents, **where)
    if (agent == "human") != (data.truth == "human"):
        raise records.make_contradiction(
            f"the ground truth is {data.truth} but the agent is {agent}",
            "correct response",
            **where,
        )
    return {
        "trial": data.trial,
        "position": data.trial,
        "phase": "test",
        "stimulus": scanpaths.name_stimulus(data.imageID),
        "variant": scanpaths.identify_variant(data.imageID, **where),
        "agent": agent,
        "truth": data.truth,
        "verdict": data.verdict,
        "rt_ms": data.rt,
        "control_ok": scanpaths.check_control_answer(data.control_answer, data.control_truth),
    }
