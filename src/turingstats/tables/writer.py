"""The tables of the paper, filled with recomputed numbers.

A cell whose number needs a raw file that this run does not have says why.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from turingstats.analysis.texts import CLASSES, MEASURES
from turingstats.config.study import GenderTable, RateTable, ShownTable, Study, Task
from turingstats.core import files
from turingstats.core.data_labels import PRINTED_COUNTS
from turingstats.core.errors import ConfigError
from turingstats.data.absence import explain_absence
from turingstats.figures.fonts import write_page
from turingstats.tables.formats import Filled, format_page, is_numeric
from turingstats.tables.latex import format_latex
from turingstats.tables.rates import build_gender_table, build_pass_rates


class Numbers:
    """The results of one task in one reading, looked up by name; None if there is no such result."""

    def __init__(
        self,
        task: str,
        estimates: pd.DataFrame,
        sizes: pd.DataFrame,
        missing: pd.DataFrame,
        reading: str,
    ) -> None:
        self.task = task
        self.missing = missing[missing["task"] == task]
        self.sizes = sizes[sizes["reading"] == reading].set_index("size_id")["value"]
        self.estimates = estimates[estimates["reading"] == reading].set_index("estimate_id")

    def find_size(self, cohort: str | None, quantity: str) -> float | None:
        """Find a size of a whole cohort."""
        return self.sizes.get(f"{self.task}.{cohort}.all.{quantity}")

    def add_sizes(self, cohorts: Iterable[str], quantity: str) -> float | None:
        """Add up a size of cohorts; None if one is unknown."""
        return sum_if_known(self.find_size(cohort, quantity) for cohort in cohorts)

    def find_estimate(self, key: str, column: str = "value") -> float | None:
        """Find a column of an estimate, by its id without the task."""
        name = f"{self.task}.{key}"
        return self.estimates.loc[name, column] if name in self.estimates.index else None

    def explain(self, cohorts: Sequence[str | None] = (), all_needed: bool = True) -> str:
        """Say why a number about cohorts, or about responses, is not available."""
        missing = self.missing["cohort"]
        rows = missing.isin(cohorts) if cohorts else missing.isna()
        return explain_absence(self.missing[rows], all_needed)

    def format(
        self, number: float | None, form: str = ",.0f", cohorts: Sequence[str | None] = ()
    ) -> str:
        """Format a number, or say why it is not available."""
        return self.explain(cohorts) if number is None else f"{number:{form}}"


def fill_table(
    name: str,
    estimates: pd.DataFrame,
    sizes: pd.DataFrame,
    texts: pd.DataFrame,
    missing: pd.DataFrame,
    lengths: pd.DataFrame | None,
    genders: pd.DataFrame | None,
    counted: pd.DataFrame | None,
    study: Study,
    reading: str,
) -> Filled:
    """Fill a table of the study file, with cells as text."""
    table = study.tables[name]
    if isinstance(table, RateTable):
        return Filled(build_pass_rates(table, study, estimates, lengths, reading))
    if isinstance(table, GenderTable):
        of_task = missing[missing["task"] == table.task]
        lacking = explain_absence(of_task[of_task["cohort"].notna()])
        title = f"{table.title}. {table.note}".rstrip(". ")
        return Filled(build_gender_table(table, study, genders, lacking, reading), title)
    assert isinstance(table, ShownTable), name
    if table.shows == "texts":
        return Filled(pd.DataFrame(list_text_rows(study, texts, missing, reading)))
    if table.shows == "success_rates":
        if counted is None:
            raise ConfigError(
                f"tables.{name} of study {study.study}: success_rates needs "
                f"data/published/{study.study}/counts.csv, which is not there"
            )
        is_printed = table.source == PRINTED_COUNTS
        rates = pd.DataFrame(list_success_rates(study, counted, table.source))
        return Filled(rates, data=PRINTED_COUNTS if is_printed else "")
    return Filled(list_tasks(table, study, estimates, sizes, missing, reading))


def list_tasks(
    table: ShownTable,
    study: Study,
    estimates: pd.DataFrame,
    sizes: pd.DataFrame,
    missing: pd.DataFrame,
    reading: str,
) -> pd.DataFrame:
    """List tasks in one row each, with their sum if the table shows sizes."""
    rows, counted = [], []
    for task_name, task in study.tasks.items():
        numbers = Numbers(task_name, estimates, sizes, missing, reading)
        make_row = ROWS.get(table.shows) or partial(make_agent_row, agent=table.agent)
        rows.append({"Task": task.label} | make_row(task, numbers, study))
        counted.append(count_task(task, numbers))
    if table.shows == "sizes" and len(counted) > 1:
        sums = {key: sum_if_known(counts[key] for counts in counted) for key in counted[0]}
        cells = {key: "not all known" if n is None else f"{n:,.0f}" for key, n in sums.items()}
        rows.append({"Task": "Total"} | cells | {"AI agents": "", "AI judges": ""})
    return pd.DataFrame(rows)


def list_success_rates(study: Study, rates: pd.DataFrame, source: str) -> Iterator[dict[str, str]]:
    """Yield each agent's success rate and number of trials by subset, as printed or from judgments."""
    rates_by_key = rates.set_index(["source", "subset", "agent"])
    lacking = "not printed" if source == PRINTED_COUNTS else "no trials"
    for agent in (*(a for a in study.agents if a != "human"), "human"):
        row = {"Agent": study.agents[agent].label}
        for subset in study.subsets:
            key = (source, subset, agent)
            cell = lacking
            if key in rates_by_key.index:
                estimate = rates_by_key.loc[key]
                low, high = estimate["ci_low"], estimate["ci_high"]
                cell = f"{estimate['value']:.2f} [{low:.2f}, {high:.2f}] ({estimate['n']:,.0f})"
            row[f"{source}, {subset} games".capitalize()] = cell
        yield row


def list_human_cohorts(task: Task) -> list[str]:
    """List the cohorts of human judges; pools of them would count twice."""
    return [
        name
        for name, cohort in task.cohorts.items()
        if cohort.judge_kind == "human" and not cohort.pools
    ]


def make_size_row(task: Task, numbers: Numbers, study: Study) -> dict[str, str]:
    """Make a row of Table S1; judges trained here are none of the paper's."""
    machines = [
        name
        for name, cohort in task.cohorts.items()
        if cohort.judge_kind != "human" and not cohort.trained
    ]
    present = [name for name in machines if numbers.find_size(name, "n_judges") is not None]
    labels = "; ".join(task.cohorts[name].label for name in present)
    of_responses = ("Num. stimuli", "Num. human agents")
    cells = {
        name: numbers.format(n, cohorts=() if name in of_responses else list_human_cohorts(task))
        for name, n in count_task(task, numbers).items()
    }
    if numbers.find_size("responses", "n_stimuli") and numbers.missing["cohort"].isna().any():
        cells["Num. stimuli"] += " at hand"
    return cells | {
        "AI agents": ", ".join(study.agents[agent].label for agent in task.agents),
        "AI judges": labels or numbers.explain(machines, all_needed=False),
    }


def count_task(task: Task, numbers: Numbers) -> dict[str, float | None]:
    """Count what Table S1 shows for a task; None where a number is unknown."""
    return {
        "Num. stimuli": numbers.find_size("responses", "n_stimuli"),
        "Num. human agents": numbers.find_size("responses", "n_responders"),
        "Num. human judges": numbers.add_sizes(list_human_cohorts(task), "n_judges_in_source"),
        "Num. Turing tests": numbers.add_sizes(list_human_cohorts(task), "n_tests"),
    }


def make_specification_row(task: Task, numbers: Numbers, study: Study) -> dict[str, str]:
    """Make a row of Table 1 of the version of 2022."""
    cohorts = list_human_cohorts(task)
    shown = sum_if_known(
        numbers.find_size(name, "n_shown") or numbers.find_size(name, "n_in_source")
        for name in cohorts
    )
    return {
        "Num. stimuli": numbers.format(numbers.find_size("responses", "n_images")),
        "Num. responses": numbers.format(numbers.find_size("responses", "n_answers")),
        "Num. Turing tests": numbers.format(shown, cohorts=cohorts),
        "AI models": ", ".join(study.agents[agent].label for agent in task.agents),
    }


def make_settings_row(task: Task, numbers: Numbers, study: Study) -> dict[str, str]:
    """Make a row of Table S2."""
    cells = {}
    for setting in ("online", "in-lab", "feedback"):
        cohorts = [
            name for name in list_human_cohorts(task) if task.cohorts[name].setting == setting
        ]
        judges, tests = (
            numbers.add_sizes(cohorts, name) for name in ("n_judges_in_source", "n_tests")
        )
        mean = None if judges is None or tests is None else tests / judges
        cells[f"{setting.capitalize()}: judges"] = numbers.format(judges, cohorts=cohorts)
        cells[f"{setting.capitalize()}: trials per judge"] = numbers.format(mean, ".1f", cohorts)
    return cells | {"People": describe_people(task, numbers)}


def describe_people(task: Task, numbers: Numbers) -> str:
    """Say how many people the judges of a task are, as far as the source says."""
    judges, identified, different = (
        numbers.find_size("all", f"n_{what}") for what in ("judges", "judges_known", "people")
    )
    if judges is None or not different:
        return "not known"
    if identified == judges:
        return f"{different:,.0f}"
    return f"{different:,.0f} in {identified:,.0f} of {judges:,.0f} judges, others not known"


def make_catch_row(task: Task, numbers: Numbers, study: Study) -> dict[str, str]:
    """Make a row of Table S3."""
    trials = {name: numbers.find_size(name, "n_catch_trials") for name in list_human_cohorts(task)}
    counted = [name for name, number in trials.items() if number is not None]
    if not counted:
        why = numbers.explain(list_human_cohorts(task), all_needed=False)
        return dict.fromkeys(("Num. human judges", "Num. catch trials", "P(M|M)"), why)
    right = sum(numbers.find_size(name, "n_catch_right") for name in counted)
    number = sum(trials[name] for name in counted)
    judges = sum(numbers.find_size(name, "n_catch_judges") for name in counted)
    return {
        "Num. human judges": numbers.format(judges),
        "Num. catch trials": numbers.format(number),
        "P(M|M)": numbers.format(right / number, ".2f"),
    }


def make_agent_row(task: Task, numbers: Numbers, study: Study, agent: str) -> dict[str, str]:
    """Make a row of Table S4: one agent, by the verdicts of the people who saw it first."""
    cohort = next(
        (name for name in list_human_cohorts(task) if agent in task.cohorts[name].agents), None
    )
    key = f"{cohort}.all.{agent}"
    judges = numbers.find_size(cohort, "n_judges")
    trials = numbers.find_estimate(f"{key}.p_MM", "n")
    value = numbers.find_estimate(f"{key}.detectability")
    return {
        "Num. human judges": numbers.format(judges, cohorts=[cohort]),
        "Num. trials": numbers.format(trials, cohorts=[cohort]),
        "Imitation detectability": numbers.format(value, ".2f", [cohort]),
    }


def list_text_rows(
    study: Study, texts: pd.DataFrame, missing: pd.DataFrame, reading: str
) -> list[dict[str, str]]:
    """List the rows of Table S5: mean and standard deviation over responses, by task and agent.

    Agents of a task without responses share a row; a measure that is constant has no deviation.
    """
    cells = texts[texts["reading"] == reading].set_index("text_id")
    rows = []
    for name, task in study.tasks.items():
        if task.texts is None:
            continue
        missing_texts = missing[(missing["task"] == name) & missing["cohort"].isna()]
        lacking = explain_absence(missing_texts)
        for agent in ("human", *(a for a in task.texts.agents if a in task.agents)):
            row: dict[str, Any] = {"Task": task.label, "Agent": study.agents[agent].label}
            keys = {m: f"{name}.{agent}.{m}" for m in MEASURES}
            measured = keys["words"] in cells.index
            if (
                not measured
                and rows
                and rows[-1]["Task"] == task.label
                and not rows[-1]["measured"]
            ):
                rows[-1]["Agent"] += f", {row['Agent']}"
                continue
            row |= {"Responses": lacking, "measured": measured}
            if measured:
                row["Responses"] = f"{cells.loc[keys['words'], 'n']:,.0f} {task.texts.unit}s"
            for measure, key in keys.items():
                row[MEASURES[measure]] = "not tagged" if measured and measure in CLASSES else ""
                if key in cells.index:
                    form = ".1e" if measure == "frequency" else ".3f"
                    mean, sd = cells.loc[key, "value"], cells.loc[key, "sd"]
                    text = f"{mean:g}" if sd == 0 else f"{mean:{form}} ± {sd:{form}}"
                    row[MEASURES[measure]] = text
            rows.append(row)
    return [{key: cell for key, cell in row.items() if key != "measured"} for row in rows]


ROWS = {
    "specification": make_specification_row,
    "sizes": make_size_row,
    "settings": make_settings_row,
    "catch_trials": make_catch_row,
}
"""Functions that make a row for a task, by what the table shows."""


def sum_if_known(numbers: Iterable[float | None]) -> float | None:
    """Add up numbers; None if one is unknown, since the rest would be taken for the sum of all."""
    numbers = list(numbers)
    return None if not numbers or any(n is None for n in numbers) else sum(numbers)


def write_filled(
    table: pd.DataFrame | Filled, path: Path, title: str, reading: str, data: str
) -> pd.DataFrame:
    """Write a table beside `path` as CSV, LaTeX and HTML."""
    filled = table if isinstance(table, Filled) else Filled(table)
    paths = {ending: path.with_suffix(f".{ending}") for ending in ("csv", "tex", "html")}
    write_table(filled.frame, filled.title or title, reading, filled.data or data, **paths)
    return filled.frame


def write_table(
    frame: pd.DataFrame,
    title: str,
    reading: str,
    data: str,
    csv: Path | str,
    tex: Path | str,
    html: Path | str,
    picture: Path | str = "",
) -> None:
    """Write a table as CSV (source data), LaTeX and HTML, each naming the data and the reading.

    A table with a `picture`, the name of a file beside it, is not part of the report, and leads there if
    there is one.
    """
    files.write_frame(frame.assign(reading=reading, data=data), csv)
    caption = f"{title}. Recomputed from {data}, {reading} reading."
    numeric = [is_numeric(frame[column]) for column in frame]
    files.write_text(format_latex(frame, caption, numeric), tex)
    home = "../../report/index.html" if picture else "../report/index.html"
    if picture and not (Path(html).parent / home).exists():
        home = ""
    links = {"name": Path(html).stem, "picture": str(picture), "home": home}
    write_page(format_page(frame, caption, numeric, links), html)
