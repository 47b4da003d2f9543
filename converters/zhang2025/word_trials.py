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
from typing import Annotated, Any

from pydantic import Field

from converters.zhang2025 import records, trials
from converters.zhang2025.records import Filled, Record, Source
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


def read(source: Source) -> records.Tables:
    """Read `judgments` and `judges` from a file of people's judgments."""
    first_wave = source.file.cohort == UNFILTERED
    shared = flag_shared_words(source) if first_wave else {}
    versions = read_versions(source) if first_wave else {}

    def describe(source: Source, data: Any, row: str, worker: str) -> dict[str, Any]:
        # In the first wave people's responses name a model, too, which is meaningless.
        author = {"agent": "human", "truth": "human"}
        if data.groundtruth == "machine" or not first_wave:
            author = source.find_author(data, row)
        stimulus = (data.caption or "").strip()
        if data.caption is None and data.page_name is not None:
            stimulus = re.search(trials.PAGE, data.page_name)[1]
        if not stimulus or (first_wave and stimulus not in shared):
            problem = f"a cue that is not in {FLAGS}" if stimulus else "no cue"
            where = {"row": row, "column": "caption", "value": stimulus or None}
            raise InputError(source.path, problem, **where)
        defect = "shared word" if shared.get(stimulus) else None
        if source.file.cohort == MISPLACED:
            half = source.task.cohorts[MISPLACED].trials_shown / 2
            defect = "catch as machine" if author["agent"] == trials.CATCH else defect
            defect = "wrong cue" if data.trial <= half else defect
        variant = versions.get((worker, data.trial))
        return {"stimulus": stimulus, "variant": variant, "defect": defect} | author

    return trials.read_trials(source, WordTrial, describe)


def flag_shared_words(source: Source) -> dict[str, bool]:
    """Find for each cue whether the authors left it out because people and models share a word.

    `FLAGS` holds five words of people, five words of models and a flag for each cue. Which value of the
    flag means that a cue is left out is not documented; it is inferred from the words.
    """
    source, flags, overlap = source.replace(path=FLAGS, key=None), {}, {}
    for name, value in source.load(r"\S.{0,98}\S?", "heavy"):
        words = source.check(Cue, value, name)
        flags[name] = words.flag
        overlap[name] = bool(set(words.human) & set(words.AI))
    agree = sum(flags[name] == overlap[name] for name in flags)
    left_out = agree * 2 >= len(flags)
    return {name: flag == left_out for name, flag in flags.items()}


def read_versions(source: Source) -> dict[tuple[str, int], str]:
    """Read the version of each online trial (free or prompted) by worker and position in the session."""
    source, versions = source.replace(path=VERSIONS, key=None), {}
    for part, _ in source.load("|".join(VARIANTS), "mturk-free"):
        for row, value in source.replace(key=part).load(trials.KEY, "Trial_12"):
            record = source.check(trials.JudgedBy[WordTrial], value, f"{part}.{row}")
            versions[record.workerID, record.trialData.trial] = VARIANTS[part]
    return versions
