"""The two files of a starting study as text: the study and its sources, with comments on every guess."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from turingstats.data.adapters import graded
from turingstats.new_study.design import BY_CONDITION

if TYPE_CHECKING:
    from turingstats.new_study.inspector import TableInspector

TASK, COHORT = "verdicts", "judges"
MODELS = {
    "agents": "How well each agent is distinguished from people, regardless of bias (log odds, 0 is chance).",
    "correct": "How often verdicts on each agent are correct, compared with those on people.",
}


class Short(dict):
    """A mapping to be written on one line."""


class Line(list):
    """A list to be written on one line."""


def format_yaml(values: dict[str, Any]) -> str:
    """Format values as YAML, in quotes where YAML would read them differently."""

    class Tidy(yaml.SafeDumper):
        """YAML with indented lists, in which some values are on one line."""

        def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
            return super().increase_indent(flow, False)

        def ignore_aliases(self, data: Any) -> bool:
            return True

        def check_simple_key(self) -> bool:
            # An empty word is a key like any other.
            empty = isinstance(self.event, yaml.ScalarEvent) and self.event.value == ""
            return empty or super().check_simple_key()

    for kind, tag, represent in (
        (Short, "map", yaml.SafeDumper.represent_mapping),
        (Line, "seq", yaml.SafeDumper.represent_sequence),
    ):

        def on_one_line(
            dumper: Any, data: Any, tag: str = tag, represent: Callable[..., Any] = represent
        ) -> Any:
            data = data.items() if tag == "map" else data
            return represent(dumper, f"tag:yaml.org,2002:{tag}", data, flow_style=True)

        Tidy.add_representer(kind, on_one_line)
    return yaml.dump(
        values,
        Dumper=Tidy,
        sort_keys=False,
        allow_unicode=True,
        default_flow_style=False,
        width=10**6,
    )


def format_comment(text: str) -> str:
    """Format text as one line of a comment."""
    return "# " + "".join(sign if sign.isprintable() else " " for sign in text)


def describe_model(name: str) -> str:
    """Describe what a starting model shows."""
    if name in MODELS:
        return MODELS[name]
    condition = name.removeprefix(BY_CONDITION)
    return f"How often verdicts are correct at each level of {condition}, all agents together."


def list_study_sections(
    inspector: "TableInspector", name: str
) -> Iterator[tuple[list[str], dict[str, Any]]]:
    """List the sections of the study file: comments, and the keys that they describe."""
    cohorts = {
        name: Short(label=label, judge_kind=inspector.judge_kind)
        for name, label in inspector.cohorts.items()
    }
    tasks: dict[str, Any] = {
        "label": "Verdicts",
        "cohorts": cohorts or {COHORT: Short(label="Judges")},
    }
    about_tasks = []
    if inspector.choice:
        about_tasks += [
            "choice: a trial shows a person's and a machine's response, and the judge chooses."
        ]
        tasks["choice"] = True
    if inspector.conditions:
        about_tasks += [
            "conditions: what varied between the trials of a judge; each level gets its own matrices."
        ]
        tasks["conditions"] = Line(inspector.conditions)
    if inspector.covariates:
        about_tasks += ["columns: numbers that formulas of models may name, such as scale(x)."]
        tasks["columns"] = Short(dict.fromkeys(inspector.covariates, "number"))
    agents = {agent: Short(label=label) for agent, label in inspector.name_agents().items()}
    yield (
        [
            f"Written from {inspector.path.name} by looking at it: check each line.",
            f"  snakemake --config study={name}        every table, test and figure into results/{name}/",
        ],
        {"title": inspector.path.stem},
    )
    yield (
        ["No one has published these data: every number is computed only in the recommended way."],
        {"readings": Line(["recommended"])},
    )
    yield (
        [
            "",
            "Who made responses besides people. The label is what the table says and the figures show.",
        ],
        {"agents": agents},
    )
    yield ["", *about_tasks], {"tasks": {TASK: tasks}}
    if inspector.demographics:
        groups = {
            variable: {group: Line([answer]) for group, answer in levels.items()}
            for variable, levels in inspector.demographics.items()
        }
        yield (
            ["", "Groups of judges, by their answers; a range of numbers is 18-35 or 46+."],
            {"demographics": groups},
        )
    if inspector.bands:
        yield (
            [
                "",
                "Correct verdicts are shown by confidence, from one limit up to just below the next.",
            ],
            {"bands": Short(confidence=Line(inspector.bands))},
        )
    about = [f"  {TASK}.{model}: {describe_model(model)}" for model in inspector.models]
    models = [
        {"id": f"{TASK}.{model}", "task": TASK, "cohorts": Line([COHORT]), "formula": formula}
        for model, formula in inspector.models.items()
    ]
    if not models:
        return
    yield (
        [
            "",
            "Regressions of single verdicts, with random effects of judges and stimuli.",
            *about,
        ],
        {"models": models},
    )


def list_sources_sections(
    inspector: "TableInspector", name: str
) -> Iterator[tuple[list[str], dict[str, Any]]]:
    """List the sections of the sources file: where the table is and what its columns are."""
    folder = inspector.path.resolve().parent
    here = Path.cwd()
    shown = folder.relative_to(here) if folder.is_relative_to(here) else folder
    file = {
        "path": inspector.path.name,
        "format": "verdict_table",
        "task": TASK,
        **({} if inspector.cohorts else {"cohort": COHORT}),
        **describe_shape_keys(inspector),
        "columns": {
            name: column for name, column in inspector.columns.items() if name != graded.NAME
        },
    }
    about = [
        "columns: name here, then name in the table. The judge's id is replaced by a pseudonym."
    ]
    if inspector.values:
        about += ["values: what the values mean: human, machine or unsure; null leaves a row out."]
        file["values"] = {what: Short(meanings) for what, meanings in inspector.values.items()}
    yield (
        [
            f"What the columns of {inspector.path.name} hold. A column that is not named here is never read."
        ],
        {"folder": str(shown)},
    )
    yield about, {"files": [file]}
    if inspector.not_read:
        yield (
            ["Not read:", *(f"  {column}: {why}" for column, why in inspector.not_read.items())],
            {},
        )


def describe_shape_keys(inspector: "TableInspector") -> dict[str, Any]:
    """Describe the shape of the table as the user did, with codes of missing values by name."""
    shape = dict(inspector.shape)
    if isinstance(inspector.file.missing, dict):
        shape["missing"] = {
            name: Line(inspector.missing_in[column])
            for name, column in inspector.columns.items()
            if column in inspector.missing_in
        }
    elif "missing" in shape:
        shape["missing"] = Line(inspector.file.missing)
    return shape


def format_sections(sections: Iterator[Any]) -> tuple[str, dict[str, Any]]:
    """Format comments and keys as the text of a file; return it and its content as plain values."""
    lines, meant = [], {}
    for comments, values in sections:
        lines += [format_comment(comment) if comment else "" for comment in comments]
        lines += [format_yaml(values).rstrip("\n")] if values else []
        meant |= values
    return "\n".join(lines) + "\n", meant
