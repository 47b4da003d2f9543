"""Make the tables of observed trials from the public files, and compare them with those files.

`make_tables` writes out what the adapters of the public formats read, and its inverse,
`turingstats.data.observed.read_table`, reads it back.
"""

import hashlib
import json
from pathlib import Path

import pandas as pd

from turingstats.core.errors import InputError
from turingstats.data import schema
from turingstats.data.data_package import PACKAGE
from turingstats.data.observed import BY_SPEAKER, WHOLE, YES_NO

IMPLIED = ("study", "task", "judge_kind", "truth")
"""Columns of the data contract that follow from the file and cohort of a row, and from its agent."""
OF_STIMULUS = ("agent", "variant", "topic")
"""Facts about a conversation and its speakers, not about a trial."""
KEYS = {
    "trials": ["cohort", "judge", "trial"],
    "judges": ["cohort", "judge"],
    "stimuli": ["stimulus"],
    "responses": None,
    "left_out": ["cohort", "reason"],
}
"""Columns that identify a row of each table."""
FREE = ("judge", "stimulus", "response", "responder", "tags", "person", "file", "reason")
"""Text without a list of allowed values."""


def list_paths(files):
    """List the paths of raw files by task, each once."""
    paths = {}
    for file in files:
        paths.setdefault(file.task, {})[file.path] = None
    return {task: list(task_paths) for task, task_paths in paths.items()}


def make_tables(read, study):
    """Convert what the adapters read to the tables of a folder.

    Parameters
    ----------
    read : dict of str to pandas.DataFrame
        `judgments`, `judges`, `responses` and `stimuli` as from `turingstats.data.adapters.collect_tables`.
    study : Study

    Returns
    -------
    dict of str to pandas.DataFrame
        Tables by name, such as color_trials, as text; empty cells are empty strings.

    Raises
    ------
    InputError
        The two verdicts of a conversation do not belong to the same trial.
    """
    tables = {}
    for task in study.tasks:
        task_tables = {
            name: table[table["task"] == task] for name, table in read.items() if name != "rows"
        }
        judgments = task_tables["judgments"]
        if judgments.empty:
            continue
        paired = judgments["side"].notna().any()
        parts = {
            "trials": join_speakers(judgments) if paired else judgments,
            "judges": task_tables["judges"],
            "stimuli": describe_stimuli(judgments, task_tables["stimuli"]) if paired else None,
            "responses": task_tables["responses"],
            "left_out": task_tables["left_out"],
        }
        for kind, table in parts.items():
            if table is not None and len(table):
                tables[f"{task}_{kind}"] = format_cells(shorten_judge_names(table, task))
    return tables


def join_speakers(judgments):
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


def describe_stimuli(judgments, stimuli):
    """Make one row per conversation: who spoke as A and as B, type and topic, as far as known."""

    columns = ["stimulus", "side", "truth", *OF_STIMULUS]
    judged = judgments["stimulus"].unique()
    rows = pd.concat([stimuli[columns], judgments[columns]]).astype(object)
    facts = rows.groupby(["stimulus", "side"], sort=False)[columns[2:]].first()
    facts["agent"] = facts["agent"].fillna(facts["truth"])
    wide = facts["agent"].unstack().reindex(judged).rename(columns="agent_{}".format)
    rest = facts[["variant", "topic"]].groupby("stimulus", sort=False).first().reindex(judged)
    return wide.rename(columns=str.lower).join(rest).rename_axis("stimulus").reset_index()


def shorten_judge_names(table, task):
    """Shorten the names of judges to those within the cohort: w001 for color.amt.w001."""
    if "judge" not in table:
        return table
    starts = f"{task}." + table["cohort"].astype(str) + "."
    names = [name.removeprefix(start) for name, start in zip(table["judge"], starts, strict=True)]
    return table.assign(judge=names)


def format_cells(table):
    """Format a table as text, without the columns that are implied or empty."""
    kept = [c for c in table if c not in IMPLIED and c != "side" and table[c].notna().any()]
    return table[kept].reset_index(drop=True).apply(write_cells)


def write_cells(cells):
    """Format the cells of a column as they are written to a file."""
    if cells.name in YES_NO:
        return cells.map({True: "yes", False: "no"}).fillna("").astype(str)
    if cells.name in WHOLE:
        return cells.astype("Int64").astype(str).where(cells.notna(), "")
    return cells.astype(object).where(cells.notna(), "").astype(str)


def split_table_name(name):
    """Split the name of a table into task and kind."""
    task, _, kind = name.partition("_")
    return task, kind


def save_folder(tables, folder, header, made_of):
    """Write tables and their description.

    Parameters
    ----------
    tables : dict of str to pandas.DataFrame
        From `make_tables`.
    folder : path-like
    header : dict
        Properties of the data package that do not follow from the tables: name, title, licenses, sources.
    made_of : dict of str to sequence of str
        By task, paths of the public files that its tables were made from.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    resources = []
    for name, table in tables.items():
        text = table.to_csv(index=False, lineterminator="\n")
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
        task, kind = split_table_name(name)
        resources.append(describe_table(name, task, kind, table, text.encode(), made_of[task]))
    package = header | {"resources": resources}
    text = json.dumps(package, indent=1, ensure_ascii=False) + "\n"
    (folder / PACKAGE).write_text(text, encoding="utf-8")


def describe_table(name, task, kind, table, content, made_of):
    """Describe one table as a resource of the data package."""
    described = {
        "name": name,
        "path": f"{name}.csv",
        "profile": "tabular-data-resource",
        "task": task,
        "kind": kind,
        "rows": len(table),
        "bytes": len(content),
        "hash": f"sha256:{hashlib.sha256(content).hexdigest()}",
        "schema": {"fields": [describe_column(table[column]) for column in table]},
        "sources": [{"title": path, "path": path} for path in made_of],
    }
    if KEYS[kind]:
        described["schema"]["primaryKey"] = KEYS[kind]
    return described


def describe_column(cells):
    """Describe one column: type, meaning, allowed values."""
    name = cells.name
    base = name.removesuffix("_a").removesuffix("_b")
    meanings = (
        schema.LEFT_OUT | schema.STIMULI | schema.RESPONSES | schema.JUDGES | schema.JUDGMENTS
    )
    meaning = meanings[base] + (f", speaker {name[-1].upper()}" if base != name else "")
    limits = {"required": True} if (cells != "").all() else {}
    kind = "integer" if name in WHOLE else "string"
    if name in WHOLE:
        limits["minimum"] = 0
    elif name not in FREE:
        limits["enum"] = sorted(set(cells) - {""})
    return {"name": name, "type": kind, "description": meaning, "constraints": limits}


# --- comparing with the public files ---------------------------------------------------------------

DIFFERENCES = ("table", "row", "column", "bundled", "public")


def compare_tables(bundled, public):
    """List every difference between the bundled tables and those made from the public files.

    Parameters
    ----------
    bundled, public : dict of str to pandas.DataFrame
        Tables of text by name, as from `make_tables`.

    Returns
    -------
    pandas.DataFrame
        Columns `DIFFERENCES`; one row per cell that differs. A row that only one side has is a single
        difference (`column` is empty and the other side says "no such row").
    """

    differences = []
    for name in dict.fromkeys([*bundled, *public]):
        if name not in bundled or name not in public:
            sides = ["there" if name in side else "no such table" for side in (bundled, public)]
            differences.append((name, "", "", *sides))
            continue
        kind = split_table_name(name)[1]
        ours, theirs = (index_rows(side[name], kind) for side in (bundled, public))
        for row in ours.index.difference(theirs.index, sort=False):
            differences.append((name, row, "", "there", "no such row"))
        for row in theirs.index.difference(ours.index, sort=False):
            differences.append((name, row, "", "no such row", "there"))
        rows = ours.index.intersection(theirs.index, sort=False)
        for column in dict.fromkeys([*ours, *theirs]):
            one, other = (
                side[column].reindex(rows) if column in side else pd.Series("", rows)
                for side in (ours, theirs)
            )
            if column == "person":
                one, other = match_people(one, other)
            for row in rows[(one != other).to_numpy()]:
                differences.append((name, row, column, one[row], other[row]))
    return pd.DataFrame(differences, columns=list(DIFFERENCES))


def index_rows(table, kind):
    """Index a table by its key; without a key, identical rows are numbered."""
    key = KEYS[kind] or list(table)
    names = table[key[0]].str.cat(table[key[1:]], sep=" ")
    if not KEYS[kind]:
        names += " #" + (names.groupby(names).cumcount() + 1).astype(str)
    return table.set_axis(names)


def match_people(bundled, public):
    """Convert the people of both sides to the same names, since only who is the same person matters.

    Judges whose person is not in the tables are left out.
    """
    known = bundled != ""
    names = public[known].groupby(bundled[known]).first()
    return bundled[known].map(names).reindex(bundled.index, fill_value=""), public.where(known, "")
