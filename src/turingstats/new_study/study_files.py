"""The two files of a starting study as text: the study and its sources, with comments on every guess."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from turingstats.data.adapters import graded
from turingstats.new_study.design import BY_CONDITION

if TYPE_CHECKING:
    from turingstats.new_study.inspector import TableInspector

Section = tuple[list[str], dict[str, Any]]
"""Comments, and the keys that they describe."""
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
    return "".join(
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


def format_comment(text: str) -> str:
    """Format text as one line of a comment."""
    return "# " + "".join(sign if sign.isprintable() else " " for sign in text)


def describe_model(name: str) -> str:
    """Describe what a starting model shows."""
    condition = name.removeprefix(BY_CONDITION)
    by_condition = (
        f"How often verdicts are correct at each level of {condition}, all agents together."
    )
    return MODELS.get(name, by_condition)


def list_study_sections(inspector: "TableInspector", name: str) -> list[Section]:
    """List the sections of the study file: comments, and the keys that they describe."""
    cohorts = {
        cohort: {"label": label, "judge_kind": inspector.kinds[cohort]}
        for cohort, label in inspector.cohorts.items()
    }
    tasks: dict[str, Any] = {
        "label": "Verdicts",
        "cohorts": cohorts or {COHORT: {"label": "Judges"}},
    }
    about_tasks = []
    if inspector.design:
        about_tasks.append(
            "design: each game has a judge, a person and a machine, and the judge says which is the person."
        )
        tasks["design"] = inspector.design
    elif inspector.choice:
        about_tasks.append(
            "choice: a trial shows a person's and a machine's response, and the judge chooses."
        )
        tasks["choice"] = True
    if inspector.conditions:
        about_tasks.append(
            "conditions: what varied between the trials of a judge; each level gets its own matrices."
        )
        tasks["conditions"] = inspector.conditions
    columns = inspector.task_columns | dict.fromkeys(inspector.codes, "word")
    if columns:
        about_tasks.append(
            "columns: a number may be in formulas of models, such as scale(x); a word is known of each "
            "verdict; a check follows from truth and verdict."
        )
        tasks["columns"] = columns
    sections: list[Section] = [
        (
            [
                f"Written from {inspector.path.name} by looking at it: check each line.",
                f"  snakemake --config study={name}        every table, test and figure into results/{name}/",
            ],
            {"title": inspector.path.stem},
        ),
        (
            [
                "No one has published these data: every number is computed only in the recommended way."
            ],
            {"readings": ["recommended"]},
        ),
        (
            [
                "",
                "Who made responses besides people. The label is what the table says and the figures show.",
            ],
            {
                "agents": {
                    agent: {"label": label} for agent, label in inspector.name_agents().items()
                }
            },
        ),
        (["", *about_tasks], {"tasks": {TASK: tasks}}),
    ]
    if inspector.demographics:
        groups = {
            variable: {group: [answer] for group, answer in levels.items()}
            for variable, levels in inspector.demographics.items()
        }
        about = "Groups of judges, by their answers; a range of numbers is 18-35 or 46+."
        sections.append((["", about], {"demographics": groups}))
    if inspector.bands:
        about = "Correct verdicts are shown by these, from one limit up to just below the next."
        sections.append((["", about], {"bands": inspector.bands}))
    if inspector.codes:
        about = "How often each code was given, and how often verdicts with it are right."
        codes = {
            name: {"task": TASK, "column": name, "label": inspector.columns[name]}
            for name in inspector.codes
        }
        sections.append((["", about], {"codes": codes}))
    if inspector.models:
        people = [cohort for cohort, kind in inspector.kinds.items() if kind == "human"] or [COHORT]
        models = [
            {"id": f"{TASK}.{model}", "task": TASK, "cohorts": people, "formula": formula}
            for model, formula in inspector.models.items()
        ]
        about = "Regressions of single verdicts, with random effects of judges and stimuli."
        each = [f"  {TASK}.{model}: {describe_model(model)}" for model in inspector.models]
        sections.append((["", about, *each], {"models": models}))
    return sections


def list_sources_sections(inspector: "TableInspector", name: str) -> list[Section]:
    """List the sections of the sources file: where the table is and what its columns are."""
    folder, here = inspector.path.resolve().parent, Path.cwd()
    shown = folder.relative_to(here) if folder.is_relative_to(here) else folder
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
    about = [
        "columns: name here, then name in the table. The judge's id is replaced by a pseudonym."
    ]
    if inspector.values:
        about.append(
            "values: what the values mean: human, machine or unsure; null leaves a row out."
        )
        file["values"] = inspector.values
    where = f"What the columns of {inspector.path.name} hold. A column that is not named here is never read."
    sections: list[Section] = [([where], {"folder": str(shown)}), (about, {"files": [file]})]
    if inspector.not_read:
        unread = [f"  {column}: {why}" for column, why in inspector.not_read.items()]
        sections.append((["Not read:", *unread], {}))
    return sections


def format_sections(sections: Iterable[Section]) -> str:
    """Format comments and keys as the text of a file."""
    lines = []
    for comments, values in sections:
        lines += [format_comment(comment) if comment else "" for comment in comments]
        lines += [format_yaml(values).rstrip("\n")] if values else []
    return "\n".join(lines) + "\n"
