"""The two files of a starting study as text; comments on every guess are in `templates/starting_*.yaml`."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from turingstats.core.templating import PAGES, make_environment
from turingstats.data.adapters import graded
from turingstats.new_study.design import BY_CONDITION, find_confidence_limits
from turingstats.new_study.other_designs import OtherTable

if TYPE_CHECKING:
    from turingstats.new_study.inspector import TableInspector

TASK, COHORT = "verdicts", "judges"
MODELS = {
    "agents": "How well each agent is distinguished from people, regardless of bias (log odds, 0 is chance).",
    "correct": "How often verdicts on each agent are correct, compared with those on people.",
}


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


def describe_model(name: str) -> str:
    """Describe what a starting model shows."""
    condition = name.removeprefix(BY_CONDITION)
    by_condition = (
        f"How often verdicts are correct at each level of {condition}, all agents together."
    )
    return MODELS.get(name, by_condition)


def render_files(inspector: "TableInspector | OtherTable", name: str) -> list[str]:
    """Render the study file and the file of its sources."""
    folder, here = inspector.path.resolve().parent, Path.cwd()
    context = {
        "name": name,
        "path": inspector.path,
        "folder": str(folder.relative_to(here) if folder.is_relative_to(here) else folder),
    }
    if isinstance(inspector, OtherTable):
        context |= describe_other(inspector)
    else:
        context |= describe_verdicts(inspector)
    environment = make_environment(PAGES, escape=False)
    environment.filters |= {"yaml": format_yaml, "line": format_line}
    return [
        environment.get_template(f"starting_{file}.yaml").render(context).rstrip() + "\n"
        for file in ("study", "sources")
    ]


def describe_verdicts(inspector: "TableInspector") -> dict[str, Any]:
    """Describe what the files say of a table of verdicts."""
    cohorts = {
        cohort: {"label": label, "judge_kind": inspector.kinds[cohort]}
        for cohort, label in inspector.cohorts.items()
    }
    people = [cohort for cohort, kind in inspector.kinds.items() if kind == "human"] or [COHORT]
    task: dict[str, Any] = {
        "label": "Verdicts",
        "cohorts": cohorts or {COHORT: {"label": "Judges"}},
    }
    if inspector.design:
        task["design"] = inspector.design
    elif inspector.choice:
        task["choice"] = True
    task |= {"conditions": inspector.conditions} if inspector.conditions else {}
    columns = inspector.task_columns | dict.fromkeys(inspector.codes, "word")
    task |= {"columns": columns} if columns else {}
    models = [
        {"id": f"{TASK}.{model}", "task": TASK, "cohorts": people, "formula": formula}
        for model, formula in inspector.models.items()
    ]
    return {
        "design": "verdicts",
        "agents": {agent: {"label": label} for agent, label in inspector.name_agents().items()},
        "task": task,
        "tasks": {TASK: task},
        "demographics": {
            variable: {group: [answer] for group, answer in levels.items()}
            for variable, levels in inspector.demographics.items()
        },
        "bands": inspector.bands,
        "codes": {
            name: {"task": TASK, "column": name, "label": inspector.columns[name]}
            for name in inspector.codes
        },
        "models": models,
        "about_models": {f"{TASK}.{name}": describe_model(name) for name in inspector.models},
        "file": describe_file(inspector),
        "not_read": inspector.not_read,
    }


def describe_file(inspector: "TableInspector") -> dict[str, Any]:
    """Describe a table of verdicts as an entry of data/sources/."""
    columns = {what: column for what, column in inspector.columns.items() if what != graded.NAME}
    file: dict[str, Any] = {"path": inspector.path.name, "format": "verdict_table", "task": TASK}
    file |= {} if inspector.cohorts else {"cohort": COHORT}
    file |= inspector.shape
    if "missing" in file:
        file["missing"] = list(inspector.file.missing)
    file["columns"] = {
        what: inspector.parts.get(column, column) for what, column in columns.items()
    }
    if "confidence" in columns:
        file["limits"] = {"confidence": find_confidence_limits(inspector)}
    return file | ({"values": inspector.values} if inspector.values else {})


def describe_other(found: OtherTable) -> dict[str, Any]:
    """Describe what the files say of a table of ratings, or of choices between agents."""
    file: dict[str, Any] = {"path": found.path.name, "format": found.design, "task": found.task}
    file |= ({"cohort": found.cohort} if found.cohort else {}) | found.shape
    values = {what: meant for what, meant in found.values.items() if meant}
    return {
        "design": found.design,
        "scale": list(found.scale or ()),
        "agents": {
            agent: {"label": "People" if agent == "human" else label}
            for agent, label in found.agents.items()
        },
        "tasks": found.tasks,
        "file": file | {"columns": found.columns} | ({"values": values} if values else {}),
        "not_read": {},
    }
