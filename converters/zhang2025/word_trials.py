"""People's judgments of word associations, which have the form of other trials (`trials`).

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
from typing import Annotated, Any

from pydantic import Field

from converters.zhang2025 import records, trials
from converters.zhang2025.raw_files import RawFile
from converters.zhang2025.records import Filled, Record
from turingstats.config.study import Study
from turingstats.core.errors import InputError

FLAGS = "wordAssociation/Plot/savedResults/DataValidity.json"
VERSIONS = "wordAssociation/Plot/savedResults/compiled_TwoVersion.json"
VARIANTS = {"mturk-free": "free", "mturk-prompt": "prompted", "mturk-prompted": "prompted"}
UNFILTERED = "amt"
"""Cohort whose file has the trials of all cues; no filter applies to the files of other cohorts."""
MISPLACED = "expert"
"""Cohort in which the first half of each session has the cue and agent of other trials."""
Five = Annotated[list[Filled], Field(min_length=5, max_length=5)]


class WordTrial(trials.Trial):
    """A verdict on a word; the cue is named, or its number by the page."""

    caption: Filled | None = None
    page_name: Annotated[str, Field(pattern=trials.PAGE)] | None = None


class Cue(Record):
    """The words of a cue, and whether the authors left the cue out."""

    human: Five
    AI: Five
    flag: bool


class WordReader(trials.Reader):
    """Word association."""

    model = WordTrial

    def __init__(self, file: RawFile, folder: str | Path, study: Study) -> None:
        super().__init__(file, folder, study)
        self.first_wave = file.cohort == UNFILTERED
        self.shared = flag_shared_words(file, folder) if self.first_wave else {}
        self.versions = read_versions(file, folder) if self.first_wave else {}

    def describe(self, data: WordTrial, row: str, worker: str) -> dict[str, Any]:
        """Describe the response of a trial, by columns of its judgment."""
        agent, truth = "human", data.groundtruth
        # In the first wave people's responses name a model, too, which is meaningless.
        if truth == "machine" or not self.first_wave:
            agent, truth = records.find_agent_and_truth(data, self.agents, self.path, row)
        stimulus = (data.caption or "").strip()
        if data.caption is None and data.page_name is not None:
            stimulus = re.search(trials.PAGE, data.page_name)[1]
        if not stimulus or (self.first_wave and stimulus not in self.shared):
            problem = f"a cue that is not in {FLAGS}" if stimulus else "no cue"
            raise InputError(self.path, problem, row=row, column="caption", value=stimulus or None)
        half = self.study.tasks[self.file.task].cohorts[self.file.cohort].trials_shown
        defect = "shared word" if self.shared.get(stimulus) else None
        if self.file.cohort == MISPLACED and 2 * data.trial <= half:
            defect = "wrong cue"
        elif self.file.cohort == MISPLACED and agent == trials.CATCH:
            defect = "catch as machine"
        variant = self.versions.get((worker, data.trial))
        judged = {"agent": agent, "truth": truth, "defect": defect}
        return {"stimulus": stimulus, "variant": variant} | judged


def flag_shared_words(file: RawFile, folder: str | Path) -> dict[str, bool]:
    """Find for each cue whether the authors left it out because people and models share a word.

    `FLAGS` holds five words of people, five words of models and a flag for each cue. Which value of the
    flag means that a cue is left out is not documented; it is inferred from the words.
    """
    described = file.model_copy(update={"path": FLAGS, "key": None})
    flags, overlap = {}, {}
    for name, value in records.load_records(described, folder, r"\S.{0,98}\S?", "heavy"):
        words = records.check_record(Cue, value, Path(folder) / FLAGS, name)
        flags[name] = words.flag
        overlap[name] = bool(set(words.human) & set(words.AI))
    agree = sum(flags[name] == overlap[name] for name in flags)
    left_out = agree * 2 >= len(flags)
    return {name: flag == left_out for name, flag in flags.items()}


def read_versions(file: RawFile, folder: str | Path) -> dict[tuple[str, int], str]:
    """Read the version of each online trial (free or prompted) by worker and position in the session."""
    described = file.model_copy(update={"path": VERSIONS, "key": None})
    versions = {}
    for part, _ in records.load_records(described, folder, "|".join(VARIANTS), "mturk-free"):
        of_part = described.model_copy(update={"key": part})
        for row, value in records.load_records(of_part, folder, trials.KEY, "Trial_12"):
            where = Path(folder) / VERSIONS, f"{part}.{row}"
            record = records.check_record(trials.JudgedBy, value, *where)
            data = records.check_record(WordTrial, record.trialData, *where, "trialData")
            versions[record.workerID, data.trial] = VARIANTS[part]
    return versions


def read(file: RawFile, folder: str | Path, study: Study) -> records.Tables:
    """Read `judgments` and `judges` from a file of people's judgments."""
    return WordReader(file, folder, study).read()
