"""What the user said of columns and words, and who gave the verdicts."""

import re

from turingstats.core.errors import ConfigError
from turingstats.core.yaml_models import make_list
from turingstats.data.adapters import graded
from turingstats.new_study.roles import Roles
from turingstats.new_study.sentences import write_note
from turingstats.new_study.source_table import spell_words
from turingstats.new_study.vocabulary import (
    NAMES,
    interpret_value,
    make_identifier,
    name_all,
    name_sample_columns,
    strip_signs,
)

CONTRACT = ("cohort", "phase", "control_ok", "person", "trial", "variant")
"""Names of the data contract that only the user can give to a column."""


def take_given_columns(roles: Roles) -> Roles:
    """Assign the columns that the user named, and leave out those that are not to be read."""
    source = roles.source
    meanings = name_sample_columns(source.header, source.named) | source.named
    refuse_columns_named_twice(meanings)
    for what, said in meanings.items():
        if said is None:
            column = resolve_column(roles, what, "columns")
            roles = roles.add(not_read={column: "left out, as you said"})
            continue
        parts = list(dict.fromkeys(make_list(said)))
        source.require_columns(parts, f"columns: {what}")
        if what == "scales":
            names = {column: make_identifier(column, "column") for column in parts}
            roles = roles.add(scales=parts, added=names)
            continue
        column = ", ".join(parts)
        if column not in source.header:
            source = source.combine(parts)
            roles = roles.add(source=source, parts={column: parts})
        if what in NAMES or what in CONTRACT:
            roles = roles.add(columns={what: column})
        else:
            roles = roles.add(added={column: make_identifier(what, "column")})
    if grade := source.file.grade:
        kind = "rating" if source.file.rating else "score"
        source.require_columns([grade.column], f"table: {kind}: column")
        roles = roles.add(columns={graded.NAME: grade.column})
    return roles


def refuse_columns_named_twice(meanings: dict[str, object]) -> None:
    """Refuse a column that the user gave two meanings, of which one would be lost."""
    meant: dict[str, str] = {}
    for what, said in meanings.items():
        column = ", ".join(make_list(said)) if said is not None else what
        if what != "scales" and meant.setdefault(column, what) != what:
            problem = f"columns: {meant[column]} and {what} are both {column}"
            raise ConfigError(problem, fix="name one of them; a column is read once")


def resolve_column(roles: Roles, key: str, where: str) -> str:
    """Find the column that the user means by its name, or by what it holds."""
    header = roles.source.header
    role = roles.find_named_column(key) if key in NAMES else roles.columns.get(key)
    made = {make_identifier(name, "column"): name for name in reversed(header)}
    column = key if key in header else role or made.get(key)
    if column is None:
        problem, allowed = f"{where}: no column {key!r} in {roles.source.path}", [*header, *NAMES]
        fix = "correct it, or say which column it is under columns"
        raise ConfigError(problem, allowed=", ".join(allowed), fix=fix)
    return column


def take_given_words(roles: Roles) -> Roles:
    """Assign what the user said about the words of single columns to these columns."""
    for key, meanings in roles.source.words.items():
        if isinstance(meanings, dict):
            column = resolve_column(roles, key, "values")
            roles = roles.add(given_by={column: spell_words(meanings)})
            if column == roles.columns.get(graded.NAME):
                said = {str(word): meaning for word, meaning in meanings.items()}
                roles = roles.add(values={graded.NAME: said})
    if not (roles.is_graded and roles.source.file.missing):
        return roles
    # Trials without a rating are left out, and counted.
    return roles.add(values={graded.NAME: {"": None} | roles.values.get(graded.NAME, {})})


def find_judges(roles: Roles) -> Roles:
    """Find who gave the verdicts: people by their ids, or machines by their names."""
    judge = roles.find_named_column("judge")
    if judge is not None:
        roles = roles.add(columns={"judge": judge})
        rows = len(roles.source.cells)
        if len(roles.source.count_values(judge)) == rows > 1:
            roles = roles.add(write_note("one_verdict_each", column=judge))
        if roles.source.file.score is None:
            return roles
    detector = roles.find_named_column("detector") or judge
    if detector is None:
        return roles.add(lacking=["judge"])
    kind = "llm" if re.search("llm|model", strip_signs(detector)) else "detector"
    return roles.add(columns={"detector": None, "judge": None}).add(
        write_note("detectors", column=detector, kind=kind),
        columns={"cohort": detector},
        judge_kind=kind,
    )


def list_cohorts(roles: Roles) -> Roles:
    """Name the cohorts of a column: ids in the study file, their names in the table, and who judges."""
    column, judge = roles.columns.get("cohort"), roles.columns.get("judge")
    if column is None:
        return roles
    names = roles.source.read_texts(column)
    for cohort, name in name_all(sorted(roles.source.list_levels(column)), "judge").items():
        kind, notes = roles.judge_kind, []
        alone = judge and roles.source.read_texts(judge)[names == name].nunique() == 1
        if judge and (alone or interpret_value(name) == "machine"):
            why = "has one judge, taken for a machine" if alone else "taken for machines"
            kind, notes = "llm", [write_note("machine_cohort", name=name, why=why)]
        roles = roles.add(*notes, cohorts={cohort: {"label": name, "judge_kind": kind}})
    return roles
