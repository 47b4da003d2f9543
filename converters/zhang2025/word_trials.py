"""People's judgments of word associations: `{"Trial_1": {"workerID", "workerData", "trialData"}, ...}`.

This module reads four kinds of file: first-wave trials before the authors' cue filter (flat; machines are
called ``AI``, and `machine_groundtruth` is also filled in for people's answers), compiled trials of the
laboratory (under a top-level key, already filtered), trials of AI experts (capitalized verdicts), and
the test phases of the 2025 experiments (flat, with the cue only as a number in the page name).

`VERSIONS` divides the online trials that were kept into two versions of the task, in file order: first
half and second half, with the boundary inside the session of one judge. Whether judges were shown
different tasks is not known.

Defects of the source are named in the column `defect`; the study file says which reading leaves the
trials out:

- ``shared word``: a person and a model gave the same word for this cue (`FLAGS`);
- ``wrong cue``: AI experts, first half of a session. The cue and the agent come from `hit`, which in
  trial t names the page of trial 2t;
- ``catch as machine``: AI experts, catch trials among the responses of AI agents.
"""

import re
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import Field, model_validator

from converters.zhang2025 import gate, records, trial_records
from converters.zhang2025.gate import Unread
from converters.zhang2025.people import JudgedRecord
from converters.zhang2025.raw_files import RawFile
from converters.zhang2025.repeats import Repeats
from converters.zhang2025.trial_files import TrialFile
from turingstats.config.study import Study
from turingstats.core.errors import InputError

FLAGS = "wordAssociation/Plot/savedResults/DataValidity.json"
VERSIONS = "wordAssociation/Plot/savedResults/compiled_TwoVersion.json"
PART = re.compile("mturk-(free|prompt|prompted)")
UNFILTERED = "amt"
"""Cohort whose file has the trials of all cues; no filter applies to the files of other cohorts."""
MISPLACED = "expert"
"""Cohort in which the first half of each session has the cue and agent of other trials."""
CATCH = "catch"
"""Agent of the catch trials."""


class WordTrialData(trial_records.PageTrialData):
    """A verdict on a word; either the cue or the page is named."""

    response_speaker: trial_records.SpelledSide
    groundtruth: trial_records.SpelledSide
    caption: gate.Filled | None = None
    hit: gate.Text | None = None
    imageID: int | None = None
    real_gender: gate.Text | None = None
    guess_gender: Unread = None

    @model_validator(mode="after")
    def check_cue(self) -> Self:
        """Refuse a trial that names no cue."""
        if self.caption is None and self.page_name is None:
            raise gate.make_contradiction("neither a cue nor a page is named", "caption", None)
        return self

    @model_validator(mode="after")
    def check_hit(self) -> Self:
        """Refuse the number of another cue, such as participant_61, and a page of another author."""
        if self.page_name is not None or self.hit is None:
            return self
        page = re.fullmatch(rf"participant_(\d+)|{trial_records.PAGE}", self.hit)
        if page is None or int(page[1] or page[2]) != self.imageID:
            raise gate.make_contradiction(f"the cue has the number {self.imageID}", "hit", self.hit)
        if page[3] and (page[3] == "a") != (self.groundtruth == "human"):
            raise gate.make_contradiction(
                f"the ground truth is {self.groundtruth}", "hit", self.hit
            )
        return self

    @model_validator(mode="after")
    def check_gender(self) -> Self:
        """Refuse the gender of a machine, and a person without one."""
        gendered = self.real_gender in ("female", "male")
        if self.real_gender is not None and gendered != (self.groundtruth == "human"):
            raise gate.make_contradiction(
                f"the ground truth is {self.groundtruth}", "real_gender", self.real_gender
            )
        return self

    @property
    def cue(self) -> str:
        """The cue word, or the number of the cue where the file has only the page name."""
        if self.caption is not None:
            return self.caption.strip()
        return re.search(trial_records.PAGE, self.page_name)[1]


class WordRecord(JudgedRecord):
    """A trial."""

    trialData: WordTrialData


class Cue(gate.Record):
    """The words of a cue, and whether the authors left the cue out."""

    human: Annotated[list[gate.Filled], Field(min_length=5, max_length=5)]
    AI: Annotated[list[gate.Filled], Field(min_length=5, max_length=5)]
    flag: bool


RECORD = WordRecord


def read(file: RawFile, folder: str | Path, study: Study) -> records.Tables:
    """Read `judgments` and `judges` from a file of people's judgments."""
    trials = TrialFile(file, folder, study)
    cohort = study.tasks[file.task].cohorts[file.cohort]
    first_wave = file.cohort == UNFILTERED
    shared = flag_shared_words(file, folder) if first_wave else {}
    versions = read_versions(file, folder) if first_wave else {}

    def describe(record: WordRecord, where: dict[str, Any]) -> dict[str, Any]:
        data = record.trialData
        agent, truth = "human", data.groundtruth
        # In the first wave people's responses name a model, too, which is meaningless.
        if truth == "machine" or not first_wave:
            agent, truth = trial_records.find_agent_and_truth(data, trials.agents, **where)
        stimulus = data.cue
        defect = None
        if first_wave:
            if stimulus not in shared:
                raise InputError(
                    trials.path,
                    f"a cue that is not in {FLAGS}",
                    row=where["row"],
                    column="caption",
                    value=stimulus,
                    fix="get both files from the same commit",
                )
            defect = "shared word" if shared[stimulus] else None
        elif file.cohort == MISPLACED and 2 * data.trial <= cohort.trials_shown:
            defect = "wrong cue"
        elif file.cohort == MISPLACED and agent == CATCH:
            defect = "catch as machine"
        return {
            "page": data.page_name or (stimulus, agent),
            "stimulus": stimulus,
            "variant": versions.get((record.workerID, data.trial)),
            "agent": agent,
            "truth": truth,
            "defect": defect,
        }

    return trials.read(WordRecord, describe)


def flag_shared_words(file: RawFile, folder: str | Path) -> dict[str, bool]:
    """Find for each cue whether the authors left it out because people and models share a word.

    `FLAGS` holds five words of people, five words of models and a flag for each cue. Which value of the
    flag means that a cue is left out is not documented; it is inferred from the words.
    """
    described = file.model_copy(update={"path": FLAGS, "key": None})
    flags, overlap = {}, {}
    for name, words, _ in records.read_records(described, folder, Cue, r"\S.{0,98}\S?", "heavy"):
        flags[name] = words.flag
        overlap[name] = bool(set(words.human) & set(words.AI))
    agree = sum(flags[name] == overlap[name] for name in flags)
    left_out = agree * 2 >= len(flags)
    return {name: flag == left_out for name, flag in flags.items()}


def read_versions(file: RawFile, folder: str | Path) -> dict[tuple[str, int], str]:
    """Read the version of each online trial (free or prompted) by worker and position in the session."""
    path = Path(folder) / VERSIONS
    described = file.model_copy(update={"path": VERSIONS, "key": None})
    repeats = Repeats(path)
    versions = {}
    for name in records.load_records(described, folder):
        records.check_key(name, PART, "mturk-free", path)
        part = described.model_copy(update={"key": name})
        version = "free" if name == "mturk-free" else "prompted"
        for row, record, _ in records.read_records(
            part, folder, WordRecord, records.TRIAL, "Trial_12"
        ):
            place = record.workerID, record.trialData.trial
            problem = "two trials of one judge at the same position"
            repeats.refuse(problem, *place, row=f"{name}.{row}")
            versions[place] = version
    return versions
