"""The two files of a starting study as text; comments on every guess are in `templates/starting_*.yaml`."""

from pathlib import Path
from typing import Any

import yaml

from turingstats.core.templating import PAGES, make_environment
from turingstats.data.adapters import graded
from turingstats.data.cells import find_scale
from turingstats.new_study.design import find_bands, group_answers, write_formulas
from turingstats.new_study.other_designs import OtherTable
from turingstats.new_study.roles import Roles

TASK, COHORT = "verdicts", "judges"


class Dumper(yaml.SafeDumper):
    """YAML with indented lists, whose innermost lists and mappings are on one line."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        """Indent lists, too."""
        return super().increase_indent(flow, False)

    def ignore_aliases(self, data: Any) -> bool:
        """Write equal lists again."""
        return True

    def check_simple_key(self) -> bool:
        """Write an empty word like any other key."""
        is_empty = isinstance(self.event, yaml.ScalarEvent) and self.event.value == ""
        return is_empty or super().check_simple_key()


def format_yaml(values: dict[str, Any]) -> str:
    """Format values as YAML, in quotes where YAML would read them differently."""
    text = "".join(
        yaml.dump(
            {key: value},
            Dumper=Dumper,
            sort_keys=False,
            allow_unicode=True,
            default_flow_style=None if isinstance(value, dict | list) else False,
            width=100,
        )
        for key, value in values.items()
    )
    return text.rstrip("\n")


def format_line(text: str) -> str:
    """Format text as a part of one line, as of a comment."""
    return "".join(sign if sign.isprintable() else " " for sign in text)


def render_files(findings: Roles | OtherTable, name: str) -> list[str]:
    """Render the study file and the file of its sources."""
    path, here = findings.source.path, Path.cwd()
    folder = path.resolve().parent
    context = {
        "name": name,
        "path": path,
        "folder": str(folder.relative_to(here) if folder.is_relative_to(here) else folder),
        "generated": findings.source.says_generated(),
    }
    if isinstance(findings, OtherTable):
        context |= describe_other(findings)
    else:
        context |= describe_verdicts(findings)
    environment = make_environment(PAGES, escape=False)
    environment.filters |= {"yaml": format_yaml, "line": format_line}
    return [
        environment.get_template(f"starting_{file}.yaml").render(context).rstrip() + "\n"
        for file in ("study", "sources")
    ]


def describe_verdicts(roles: Roles) -> dict[str, Any]:
    """Describe what the files say of a table of verdicts."""
    kinds = {cohort: described["judge_kind"] for cohort, described in roles.cohorts.items()}
    people = [cohort for cohort, kind in kinds.items() if kind == "human"] or [COHORT]
    codes = roles.list_declared("code")
    columns = {
        name: roles.declared[name]
        for name in roles.list_declared("number", "word", "scale", "check")
    }
    task = {
        "label": "Verdicts",
        "cohorts": roles.cohorts or {COHORT: {"label": "Judges"}},
        "design": roles.design,
        "choice": roles.choice and not roles.design,
        "conditions": roles.list_declared("condition"),
        "columns": columns | dict.fromkeys(codes, "word"),
    }
    task = {key: value for key, value in task.items() if value}
    return {
        "design": "verdicts",
        "agents": {agent: {"label": label} for agent, label in roles.name_agents().items()},
        "task": task,
        "tasks": {TASK: task},
        "demographics": {
            name: group_answers(name, roles.list_meanings(name))
            for name in roles.list_declared("group")
        },
        "bands": find_bands(roles),
        "codes": {
            name: {"task": TASK, "column": name, "label": roles.columns[name]} for name in codes
        },
        "models": [
            {"id": f"{TASK}.{model}", "task": TASK, "cohorts": people, "formula": formula}
            for model, formula in write_formulas(roles).items()
        ],
        "file": describe_file(roles),
        "not_read": roles.not_read,
    }


def describe_file(roles: Roles) -> dict[str, Any]:
    """Describe a table of verdicts as an entry of data/sources/."""
    source = roles.source
    columns = {what: column for what, column in roles.columns.items() if what != graded.NAME}
    file: dict[str, Any] = {"path": source.path.name, "format": "verdict_table", "task": TASK}
    file |= {} if roles.cohorts else {"cohort": COHORT}
    file |= source.shape
    if "missing" in file:
        file["missing"] = list(source.file.missing)
    file["columns"] = {what: roles.parts.get(column, column) for what, column in columns.items()}
    if "confidence" in columns:
        ends = find_scale(roles.parse_numbers(columns["confidence"]).dropna())
        file["limits"] = {"confidence": [int(end) if end % 1 == 0 else end for end in ends]}
    return file | ({"values": roles.values} if roles.values else {})


def describe_other(findings: OtherTable) -> dict[str, Any]:
    """Describe what the files say of a table of ratings, or of choices between agents."""
    file = {"path": findings.source.path.name, "format": findings.design, "task": findings.task}
    file |= ({"cohort": findings.cohort} if findings.cohort else {}) | findings.source.shape
    values = {what: meant for what, meant in findings.values.items() if meant}
    return {
        "design": findings.design,
        "scale": list(findings.scale or ()),
        "agents": {
            agent: {"label": "People" if agent == "human" else label}
            for agent, label in findings.agents.items()
        },
        "tasks": findings.tasks,
        "file": file | {"columns": findings.columns} | ({"values": values} if values else {}),
        "not_read": {},
    }
