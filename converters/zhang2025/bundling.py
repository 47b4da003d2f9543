"""Make the tables of observed trials from the public files, and compare them with those files.

`make_tables` writes out what the adapters of the public formats read, and its inverse,
`turingstats.data.package_reader.read_package`, reads it back.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from converters.zhang2025.raw_files import RawFile
from converters.zhang2025.records import Tables
from turingstats.config.study import Study
from turingstats.core.errors import InputError
from turingstats.data.data_package import BY_SPEAKER, PUBLISHED_AGENT
from turingstats.data.package_writer import IMPLIED, KEYS, split_table_name

OF_STIMULUS = ("agent", "variant", "topic")
"""Facts about a conversation and its speakers, not about a trial."""


def list_paths(files: Sequence[RawFile]) -> dict[str, list[str]]:
    """List the paths of raw files by task, each once."""
    paths: dict[str, dict[str, None]] = {}
    for file in files:
        paths.setdefault(file.task, {})[file.path] = None
    return {task: list(task_paths) for task, task_paths in paths.items()}


def make_tables(read: Tables, study: Study) -> Tables:
    """Convert the tables of raw files to those of a package, by names such as color_trials."""
    tables = {}
    for task in study.tasks:
        task_tables = {
            name: table[table["task"] == task] for name, table in read.items() if name != "origins"
        }
        judgments = task_tables["judgments"]
        if judgments.empty:
            continue
        paired = judgments["side"].notna().any()
        parts = {
            "trials": join_speakers(judgments) if paired else join_readings(judgments),
            "judges": task_tables["judges"],
            "stimuli": describe_stimuli(judgments, task_tables["stimuli"]) if paired else None,
            "responses": task_tables["responses"],
            "left_out": task_tables["left_out"],
        }
        for kind, table in parts.items():
            if table is not None and len(table):
                tables[f"{task}_{kind}"] = shorten_judge_names(table, task)
    return tables


def join_speakers(judgments: pd.DataFrame) -> pd.DataFrame:
    """Convert one row per speaker to one row per trial."""
    key = KEYS["trials"]
    sides = {side: judgments[judgments["side"] == side].reset_index(drop=True) for side in "AB"}
    shared = [
        name for name in judgments if name not in (*BY_SPEAKER, *OF_STIMULUS, *IMPLIED, "side")
    ]
    first, second = (sides[side][shared].astype(object) for side in "AB")
    different = (first.ne(second) & (first.notna() | second.notna())).any(axis=1)
    if len(first) != len(second) or different.any():
        raise InputError("judgments", f"verdicts that are not two per trial ({', '.join(key)})")
    by_speaker = {
        f"{name}_{side.lower()}": sides[side][name] for name in BY_SPEAKER for side in "AB"
    }
    return first.assign(**by_speaker)


def join_readings(judgments: pd.DataFrame) -> pd.DataFrame:
    """Convert one row per reading, where a response is another agent's in each, to one row per trial."""
    published = judgments["reading"] == "published"
    if not published.any():
        return judgments
    key = KEYS["trials"]
    agents = judgments[published].set_index(key)["agent"].rename(PUBLISHED_AGENT)
    joined = judgments[~published].join(agents, on=key).drop(columns="reading")
    names = list(judgments).copy()
    names.insert(names.index("agent") + 1, PUBLISHED_AGENT)
    return joined.reindex(columns=[name for name in names if name != "reading"])


def describe_stimuli(judgments: pd.DataFrame, stimuli: pd.DataFrame) -> pd.DataFrame:
    """Make one row per conversation: who spoke as A and as B, type and topic, as far as known."""
    columns = ["stimulus", "side", "truth", *OF_STIMULUS]
    judged = judgments["stimulus"].unique()
    rows = pd.concat([stimuli[columns], judgments[columns]]).astype(object)
    facts = rows.groupby(["stimulus", "side"], sort=False)[columns[2:]].first()
    facts["agent"] = facts["agent"].fillna(facts["truth"])
    wide = facts["agent"].unstack().reindex(judged).rename(columns="agent_{}".format)
    rest = facts[["variant", "topic"]].groupby("stimulus", sort=False).first().reindex(judged)
    return wide.rename(columns=str.lower).join(rest).rename_axis("stimulus").reset_index()


def shorten_judge_names(table: pd.DataFrame, task: str) -> pd.DataFrame:
    """Shorten the names of judges to those within the cohort: w001 for color.amt.w001."""
    if "judge" not in table:
        return table
    starts = f"{task}." + table["cohort"].astype(str) + "."
    names = [name.removeprefix(start) for name, start in zip(table["judge"], starts, strict=True)]
    return table.assign(judge=names)


# --- comparing with the public files ---------------------------------------------------------------

DIFFERENCES = ("table", "row", "column", "bundled", "public")


def compare_tables(bundled: Tables, public: Tables) -> pd.DataFrame:
    """List every difference between the bundled tables and those of the public files, one row per cell.

    Cells are text. A row that only one side has is a single difference.
    """
    differences = []
    for name in dict.fromkeys([*bundled, *public]):
        if name not in bundled or name not in public:
            sides = ["there" if name in side else "no such table" for side in (bundled, public)]
            differences.append((name, "", "", *sides))
            continue
        kind = split_table_name(name)[1]
        ours, theirs = index_rows(bundled[name], kind).align(index_rows(public[name], kind))
        here, there = (side.notna().any(axis=1) for side in (ours, theirs))
        differences += [(name, row, "", "there", "no such row") for row in ours.index[~there]]
        differences += [(name, row, "", "no such row", "there") for row in ours.index[~here]]
        ours, theirs = (side[here & there].fillna("") for side in (ours, theirs))
        if "person" in ours:
            ours["person"], theirs["person"] = match_people(ours["person"], theirs["person"])
        for row, column in np.argwhere((ours != theirs).to_numpy()):
            cells = ours.iat[row, column], theirs.iat[row, column]
            differences.append((name, ours.index[row], ours.columns[column], *cells))
    return pd.DataFrame(differences, columns=list(DIFFERENCES))


def index_rows(table: pd.DataFrame, kind: str) -> pd.DataFrame:
    """Index a table by its key; without a key, identical rows are numbered."""
    key = KEYS[kind] or list(table)
    names = table[key[0]].str.cat(table[key[1:]], sep=" ")
    if not KEYS[kind]:
        names += " #" + (names.groupby(names).cumcount() + 1).astype(str)
    return table.set_axis(names)


def match_people(bundled: pd.Series, public: pd.Series) -> tuple[pd.Series, pd.Series]:
    """Convert the people of both sides to the same names, since only who is the same person matters.

    Judges whose person is not in the tables are left out.
    """
    known = bundled != ""
    names = public[known].groupby(bundled[known]).first()
    return bundled[known].map(names).reindex(bundled.index, fill_value=""), public.where(known, "")
