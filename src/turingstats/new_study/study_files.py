"""The two files of a starting study as text; comments on every guess are in `templates/starting_*.yaml`."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from turingstats.core.templating import PAGES, make_environment
from turingstats.data.adapters import graded
from turingstats.new_study.design import BY_CONDITION, find_confidence_limits
from turingstats.new_study.pairs_table import TASK as PAIRS
from turingstats.new_study.pairs_table import PairsInspector
from turingstats.new_study.ratings_table import RatingsInspector

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


def render_files(
    inspector: "TableInspector | RatingsInspector | PairsInspector", name: str
) -> list[str]:
    """Render the study file and the file of its sources."""
    folder, here = inspector.path.resolve().parent, Path.cwd()
    if isinstance(inspector, RatingsInspector):
        parts = describe_ratings(inspector)
    elif isinstance(inspector, PairsInspector):
        parts = describe_pairs(inspector)
    else:
        parts = describe_verdicts(inspector)
    context = parts | {
        "name": name,
        "path": inspector.path,
        "folder": str(folder.relative_to(here) if folder.is_relative_to(here) else folder),
    }
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
    if isinstance(inspector.file.missing, dict):
        # Codes of missing values, by name here.
        coded = {what: column for what, column in columns.items() if column in inspector.missing_in}
        file["missing"] = {
            what: list(inspector.missing_in[column]) for what, column in coded.items()
        }
    elif "missing" in file:
        file["missing"] = list(inspector.file.missing)
    file["columns"] = {
        what: inspector.parts.get(column, column) for what, column in columns.items()
    }
    if "confidence" in columns:
        file["limits"] = {"confidence": find_confidence_limits(inspector)}
    return file | ({"values": inspector.values} if inspector.values else {})


def describe_pairs(inspector: PairsInspector) -> dict[str, Any]:
    """Describe what the files say of a table of choices between agents."""
    file: dict[str, Any] = {"path": inspector.path.name, "format": "pairs", "task": PAIRS}
    file |= {} if "cohort" in inspector.columns else {"cohort": COHORT}
    values = {what: meant for what, meant in inspector.values.items() if meant}
    cohorts = {cohort: {"label": label} for cohort, label in inspector.cohorts.items()}
    return {
        "design": "pairs",
        "agents": {
            agent: {"label": "People" if agent == "human" else label}
            for agent, label in inspector.agents.items()
        },
        "tasks": {PAIRS: {"label": "Pairs", "design": "pairs", "cohorts": cohorts}},
        "file": file | {"columns": inspector.columns} | ({"values": values} if values else {}),
        "not_read": {},
    }


def describe_ratings(inspector: RatingsInspector) -> dict[str, Any]:
    """Describe what the files say of a table of ratings."""
    file: dict[str, Any] = {"path": inspector.path.name, "format": "ratings", "task": "all"}
    file |= {} if "system" in inspector.columns else {"cohort": "human"}
    file["columns"] = inspector.columns
    named = {"system": inspector.systems, "task": inspector.tasks}
    values = {
        what: {meant: name for name, meant in names.items()}
        for what, names in named.items()
        if what in inspector.columns
    }
    return {
        "design": "ratings",
        "scale": list(inspector.scale),
        "agents": {
            system: {"label": "People" if system == "human" else label}
            for system, label in inspector.systems.items()
        },
        "tasks": {
            task: {"label": label, "references": ["human"]}
            for task, label in inspector.tasks.items()
        },
        "file": file | ({"values": values} if values else {}),
        "not_read": {},
    }
