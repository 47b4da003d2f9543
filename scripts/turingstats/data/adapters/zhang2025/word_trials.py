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

import pandas as pd

from turingstats.core.errors import InputError
from turingstats.data import schema
from turingstats.data.adapters import records
from turingstats.data.adapters.zhang2025 import trial_records
from turingstats.data.adapters.zhang2025.people import Judges

FLAGS = "wordAssociation/Plot/savedResults/DataValidity.json"
VERSIONS = "wordAssociation/Plot/savedResults/compiled_TwoVersion.json"
UNFILTERED = "amt"
"""Cohort whose file has the trials of all cues; no filter applies to the files of other cohorts."""
MISPLACED = "expert"
"""Cohort in which the first half of each session has the cue and agent of other trials."""
CATCH = "catch"
"""Agent of the catch trials."""
SIDES = {"ai": "machine"}


def read(file, folder, study):
    """Read a file of people's judgments.

    Parameters
    ----------
    file : RawFile
    folder : path-like
    study : Study

    Returns
    -------
    dict of str to pandas.DataFrame
        `judgments` and `judges`.
    """

    path = Path(folder) / file.path
    agents = records.map_agent_names(study)
    cohort = study.tasks[file.task].cohorts[file.cohort]
    common = records.make_common_columns(file, study)
    first_wave = file.cohort == UNFILTERED
    shared = flag_shared_words(file, folder) if first_wave else {}
    versions = read_versions(file, folder) if first_wave else {}
    judges = Judges(file, cohort, common)
    judgments = []
    for row, record, data, where in trial_records.iterate_trials(file, folder):
        position = records.parse_whole_number(
            records.require_field(data, "trial", **where), column="trial", **where
        )
        truth = parse_side(data, "groundtruth", **where)
        agent = "human"
        if truth == "machine":
            agent, _ = trial_records.find_agent_and_truth(
                data | {"groundtruth": truth}, agents, **where
            )
        stimulus = find_cue(data, **where)
        defect = None
        if first_wave:
            if stimulus not in shared:
                raise InputError(
                    path,
                    f"a cue that is not in {FLAGS}",
                    row=row,
                    column="caption",
                    value=stimulus,
                    fix="get both files from the same commit",
                )
            defect = "shared word" if shared[stimulus] else None
        elif file.cohort == MISPLACED and 2 * position <= cohort.shown_per_judge:
            defect = "wrong cue"
        elif file.cohort == MISPLACED and agent == CATCH:
            defect = "catch as machine"
        judgments.append(
            common
            | {
                "judge": judges.assign_pseudonym(record, position, **where),
                "trial": int(row.rsplit("_", 1)[-1]),
                "position": position,
                "phase": "test",
                "stimulus": stimulus,
                "variant": versions.get((record["workerID"], position)),
                "agent": agent,
                "truth": truth,
                "verdict": parse_side(data, "response_speaker", **where),
                "rt_ms": records.parse_whole_number(data.get("rt"), column="rt", **where),
                "defect": defect,
            }
        )
    return {
        "judgments": pd.DataFrame(judgments, columns=list(schema.JUDGMENTS)),
        "judges": judges.build_judge_table(),
    }


def parse_side(data, name, *, path, row):
    """Parse human or machine, in any of the spellings of the files."""
    value = str(records.require_field(data, name, path=path, row=row)).strip().lower()
    return records.require_allowed_value(
        SIDES.get(value, value), schema.TRUTHS, path=path, row=row, column=name
    )


def find_cue(data, *, path, row):
    """Find the cue word, or the number of the cue where the file has only the page name."""
    if "caption" in data:
        return str(data["caption"]).strip()
    page = str(records.require_field(data, "page_name", path=path, row=row))
    found = re.search(r"(\d+)_[a-g]_\d+\.html/?$", page)
    if found is None:
        raise InputError(
            path,
            "a page that is not named <cue>_<letter>_<number>.html",
            row=row,
            column="page_name",
            value=page,
            fix="restore the record from its source",
        )
    return found[1]


def flag_shared_words(file, folder):
    """Find for each cue whether the authors left it out because people and models share a word.

    `FLAGS` holds five words of people, five words of models and a flag for each cue. Which value of the
    flag means that a cue is left out is not documented; it is inferred from the words.
    """
    path = Path(folder) / FLAGS
    cues = records.load_records(file.model_copy(update={"path": FLAGS, "key": None}), folder)
    flags, overlap = {}, {}
    for name, words in cues.items():
        human, machine, flag = (
            records.require_field(words, key, path=path, row=name)
            for key in ("human", "AI", "flag")
        )
        flags[name] = bool(flag)
        overlap[name] = bool(set(human) & set(machine))
    agree = sum(flags[name] == overlap[name] for name in flags)
    left_out = agree * 2 >= len(flags)
    return {name: flag == left_out for name, flag in flags.items()}


def read_versions(file, folder):
    """Read the version of each online trial (free or prompted) by worker and position in the session."""
    path = Path(folder) / VERSIONS
    described = file.model_copy(update={"path": VERSIONS, "key": None})
    versions = {}
    for name, trials in records.load_records(described, folder).items():
        version = "free" if "free" in name.lower() else "prompted"
        for row, record in trials.items():
            worker = records.require_field(record, "workerID", path=path, row=row)
            position = records.require_field(record, "trialData", "trial", path=path, row=row)
            versions[worker, int(position)] = version
    return versions
