"""The tables of a study for others: only columns that are read, with pseudonyms in place of ids of people."""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pandas as pd

from turingstats.config.raw_files import RawFile, Sources
from turingstats.config.study import Study
from turingstats.core import files
from turingstats.core.errors import ConfigError
from turingstats.core.yaml_models import make_list, make_slug
from turingstats.data import schema
from turingstats.data.adapters import table_files
from turingstats.data.adapters.columns import WITNESSES
from turingstats.data.adapters.identifiers import PRIVATE
from turingstats.data.adapters.places import name_places
from turingstats.data.adapters.shapes import SEPARATOR
from turingstats.data.cells import NO_NAMES, NOTHING
from turingstats.data.data_package import PACKAGE
from turingstats.data.package_writer import format_description

PEOPLE = (*PRIVATE, "participant")
"""Names in `columns` of the sources file whose values may identify people."""


@dataclass
class UsedTable:
    """What a study reads of one table."""

    path: str
    sheet: str | None
    columns: dict[str, str] = field(default_factory=dict)
    """What a column holds, by its name in the table."""
    patterns: list[str] = field(default_factory=list)
    """Patterns of the columns of a table with one column per stimulus."""
    people: set[str] = field(default_factory=set)
    """Columns with ids of people."""

    def describe(self, name: str) -> str | None:
        """Say what a column holds; None for one that is not read."""
        if name in self.columns:
            return self.columns[name]
        wide = any(fnmatchcase(name, pattern) for pattern in self.patterns)
        return "answers, one column per stimulus" if wide else None


def list_used_tables(files: Iterable[RawFile]) -> dict[tuple[str, str | None], UsedTable]:
    """List the tables of a study, with the columns that its sources name."""
    tables: dict[tuple[str, str | None], UsedTable] = {}
    for file in files:
        if not file.columns:
            raise ConfigError(
                f"data/sources: {file.path} names no columns, so that it is not known which may be passed "
                "on\n  fix:     list them under columns:"
            )
        used, people = list_used_columns(file)
        places = [(file.path, file.sheet), *((join.table, join.sheet) for join in file.join)]
        for place in places:
            table = tables.setdefault(place, UsedTable(*place))
            table.columns |= used
            table.people |= people
        for join in file.join:
            keys = {right: f"key of {file.path}" for right in join.by.values()}
            table = tables[join.table, join.sheet]
            table.columns = keys | table.columns
            table.people |= {right for left, right in join.by.items() if left in people}
        if file.wide:
            patterns = [part for own in file.wide.columns.values() for part in make_list(own)]
            tables[places[0]].patterns += patterns
    return tables


def list_used_columns(file: RawFile) -> tuple[dict[str, str], set[str]]:
    """List the columns that an entry of the sources names, what they hold, and which name people."""
    used = {part: name for name, own in file.columns.items() for part in make_list(own)}
    used |= {graded.column: "rating or score" for graded in (file.rating, file.score) if graded}
    used |= {name: "which rows are read" for name in file.where if name not in used}
    used |= {left: "key" for join in file.join for left in join.by if left not in used}
    # In games of three parties, the person may be chosen by name.
    named = (*PEOPLE, "chosen") if WITNESSES[0] in file.columns else PEOPLE
    return used, {part for name in named for part in make_list(file.columns.get(name, ()))}


def replace_ids(cells: pd.Series, people: dict[str, str], kept: Collection[str]) -> pd.Series:
    """Replace the ids of a column by pseudonyms, in order of first appearance in all tables.

    `people` has those of earlier columns; what is no person, or a word for a missing one, is `kept`.
    """
    ids = [value for value in cells.astype(object).unique() if value.lower() not in kept]
    for value in ids:
        people.setdefault(value.casefold(), f"p{len(people) + 1:04d}")
    names = {value: people[value.casefold()] for value in ids}
    return cells.map(lambda value: names.get(value, value))


def list_machines(sources: Sources, study: Study) -> set[str]:
    """List what columns with people and machines, as of games of three parties, call no person."""
    names = {
        name.lower()
        for key, agent in study.agents.items()
        for name in (key, agent.label, *agent.aliases)
    }
    # An agent may be a machine and its prompt, which have a column each.
    names |= {name.rpartition(SEPARATOR)[0] for name in names}
    for file in sources.files:
        if WITNESSES[0] in file.columns:
            names |= {
                *name_places({place: file.labels[place] for place in WITNESSES}),
                *schema.VERDICTS,
            }
            names |= {
                word.lower()
                for name in (*WITNESSES, "chosen")
                for word in file.values.get(name, ())
            }
    return names


def write_tables(sources: Sources, study: Study, folder: Path, target: Path) -> dict[str, Any]:
    """Write the tables of a study into data/ of another folder; return the sources that read them."""
    tables, name = list_used_tables(sources.files), study.study
    kept = {"", *list_machines(sources, study), *NOTHING, *NO_NAMES}
    people: dict[str, str] = {}
    described, places = [], {}
    for place, used in tables.items():
        table = table_files.read_table(folder / used.path, used.sheet)
        read = {at: header for at, header in enumerate(table.header) if used.describe(header)}
        cells = table.cells[list(read)].set_axis(list(read.values()), axis=1).astype(object)
        for column in [name for name in cells if name in used.people]:
            cells[column] = replace_ids(cells[column], people, kept)
        stem = make_slug(" ".join(filter(None, [Path(used.path).stem, used.sheet])))
        path = f"data/study-{plain(name)}_description-{plain(stem)}_data.csv"
        text = cells.to_csv(index=False, lineterminator="\n")
        files.write_text(text, target / path)
        places[place] = Path(path).name
        described.append(describe_table(path, text.encode(), cells, used))
    package = {
        "name": plain(name).lower(),
        "profile": "tabular-data-package",
        "resources": described,
    }
    dataset = describe_dataset(study, described)
    files.write_text(format_description(package), target / PACKAGE)
    files.write_text(format_description(dataset), target / "dataset_description.json")
    return move_sources(sources, places)


def plain(name: str) -> str:
    """Reduce a name to the letters and digits that Psych-DS allows in the parts of file names."""
    return re.sub(r"[^A-Za-z0-9]", "", name) or "x"


def describe_table(
    path: str, content: bytes, cells: pd.DataFrame, used: UsedTable
) -> dict[str, Any]:
    """Describe a table as a resource of a Frictionless data package."""
    fields = [
        {
            "name": name,
            "type": "string",
            "description": f"{used.describe(name)}{' (pseudonym)' * (name in used.people)}",
        }
        for name in cells
    ]
    return {
        "name": Path(path).stem.lower(),
        "path": path,
        "profile": "tabular-data-resource",
        "encoding": "utf-8",
        "bytes": len(content),
        "hash": files.digest_bytes(content),
        "schema": {"fields": fields},
    }


def describe_dataset(study: Study, tables: list[dict[str, Any]]) -> dict[str, Any]:
    """Describe the tables as a Psych-DS dataset."""
    columns = [column["name"] for table in tables for column in table["schema"]["fields"]]
    return {
        "@context": "https://schema.org/",
        "@type": "Dataset",
        "name": study.title,
        "description": f"Trials of the study {study.study}, with pseudonyms in place of ids of people.",
        "variableMeasured": list(dict.fromkeys(columns)),
    }


def move_sources(sources: Sources, places: dict[tuple[str, str | None], str]) -> dict[str, Any]:
    """Return the content of a sources file in which tables are where they were written."""
    content = sources.model_dump(mode="json", exclude_defaults=True) | {"folder": "data"}
    for file, written in zip(sources.files, content["files"], strict=True):
        written["path"] = places[file.path, file.sheet]
        for join, other in zip(file.join, written.get("join", []), strict=True):
            other["table"] = places[join.table, join.sheet]
            other.pop("sheet", None)
        written.pop("sheet", None)
    return content
