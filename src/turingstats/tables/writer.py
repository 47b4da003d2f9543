"""The tables of the paper, filled with recomputed numbers.

A cell whose number needs a raw file that this run does not have says why.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby
from pathlib import Path

import pandas as pd

from turingstats.analysis.texts import CLASSES, MEASURES
from turingstats.config.study import GenderTable, RateTable, ShownTable, Study
from turingstats.core import files
from turingstats.core.data_labels import PRINTED_COUNTS
from turingstats.core.errors import ConfigError
from turingstats.data.absence import explain_absence
from turingstats.figures.fonts import write_page
from turingstats.tables.formats import Filled, format_page, is_numeric
from turingstats.tables.latex import format_latex
from turingstats.tables.rates import build_gender_table, build_pass_rates


class TaskNumbers:
    """The results of one task in one reading, as cells of the tables that have a row per task."""

    def __init__(
        self,
        name: str,
        study: Study,
        estimates: pd.DataFrame,
        sizes: pd.Series,
        missing: pd.DataFrame,
    ) -> None:
        self.name, self.task, self.agents = name, study.tasks[name], study.agents
        self.missing = missing[missing["task"] == name]
        self.sizes, self.estimates = sizes, estimates
        # Pools of cohorts would count twice.
        self.people = [
            name
            for name, cohort in self.task.cohorts.items()
            if cohort.judge_kind == "human" and not cohort.pools
        ]

    def find_size(self, cohort: str, quantity: str) -> float | None:
        """Find a size of a whole cohort; None if it is unknown."""
        return self.sizes.get(f"{self.name}.{cohort}.all.{quantity}")

    def add_sizes(self, quantity: str, cohorts: Sequence[str]) -> float | None:
        """Add up a size of cohorts; None if one is unknown."""
        return sum_if_known(self.find_size(cohort, quantity) for cohort in cohorts)

    def explain(self, cohorts: Sequence[str | None], all_needed: bool = True) -> str:
        """Say why a number about cohorts, or about responses, is not available."""
        missing = self.missing["cohort"]
        rows = missing.isin(cohorts) if cohorts else missing.isna()
        return explain_absence(self.missing[rows], all_needed)

    def format(
        self, number: float | None, cohorts: Sequence[str | None] = (), form: str = ",.0f"
    ) -> str:
        """Format a number about cohorts, or about responses, or say why it is not available."""
        return self.explain(cohorts) if number is None else f"{number:{form}}"

    def format_sum(self, quantity: str, cohorts: Sequence[str]) -> str:
        """Format the sum of a size of cohorts."""
        return self.format(self.add_sizes(quantity, cohorts), cohorts)

    def list_agents(self) -> str:
        """List the labels of the agents."""
        return ", ".join(self.agents[agent].label for agent in self.task.agents)

    def count(self) -> dict[str, float | None]:
        """Count what Table S1 shows; None where a number is unknown."""
        return {
            "Num. stimuli": self.find_size("responses", "n_stimuli"),
            "Num. human agents": self.find_size("responses", "n_responders"),
            "Num. human judges": self.add_sizes("n_judges_in_source", self.people),
            "Num. Turing tests": self.add_sizes("n_tests", self.people),
        }

    def make_size_row(self) -> dict[str, str]:
        """Make a row of Table S1; judges trained here are none of the paper's."""
        machines = {
            name: cohort.label
            for name, cohort in self.task.cohorts.items()
            if cohort.judge_kind != "human" and not cohort.trained
        }
        present = [at for at in machines if self.find_size(at, "n_judges") is not None]
        about = ((), (), self.people, self.people)
        counted = zip(self.count().items(), about, strict=True)
        cells = {head: self.format(number, cohorts) for (head, number), cohorts in counted}
        if self.find_size("responses", "n_stimuli") and self.missing["cohort"].isna().any():
            cells["Num. stimuli"] += " at hand"
        judges = "; ".join(machines[at] for at in present) or self.explain([*machines], False)
        return cells | {"AI agents": self.list_agents(), "AI judges": judges}

    def make_specification_row(self) -> dict[str, str]:
        """Make a row of Table 1 of the version of 2022."""
        tests = sum_if_known(
            self.find_size(name, "n_shown") or self.find_size(name, "n_in_source")
            for name in self.people
        )
        return {
            "Num. stimuli": self.format(self.find_size("responses", "n_images")),
            "Num. responses": self.format(self.find_size("responses", "n_answers")),
            "Num. Turing tests": self.format(tests, self.people),
            "AI models": self.list_agents(),
        }

    def make_settings_row(self) -> dict[str, str]:
        """Make a row of Table S2."""
        cells = {}
        for setting in ("online", "in-lab", "feedback"):
            cohorts = [at for at in self.people if self.task.cohorts[at].setting == setting]
            judges, tests = (
                self.add_sizes(of, cohorts) for of in ("n_judges_in_source", "n_tests")
            )
            mean = None if judges is None or tests is None else tests / judges
            cells[f"{setting.capitalize()}: judges"] = self.format(judges, cohorts)
            cells[f"{setting.capitalize()}: trials per judge"] = self.format(mean, cohorts, ".1f")
        judges, identified, different = (
            self.find_size("all", f"n_{what}") for what in ("judges", "judges_known", "people")
        )
        cells["People"] = "not known"
        if judges is not None and different:
            cells["People"] = f"{different:,.0f}"
            if identified != judges:
                cells["People"] += f", known for {identified:,.0f} of {judges:,.0f} judges"
        return cells

    def make_catch_row(self) -> dict[str, str]:
        """Make a row of Table S3."""
        counted = [at for at in self.people if self.find_size(at, "n_catch_trials") is not None]
        if not counted:
            why = self.explain(self.people, all_needed=False)
            return dict.fromkeys(("Num. human judges", "Num. catch trials", "P(M|M)"), why)
        right, trials = (self.add_sizes(f"n_catch_{of}", counted) for of in ("right", "trials"))
        return {
            "Num. human judges": self.format_sum("n_catch_judges", counted),
            "Num. catch trials": self.format(trials),
            "P(M|M)": self.format(right / trials, form=".2f"),
        }

    def make_agent_row(self, agent: str) -> dict[str, str]:
        """Make a row of Table S4: one agent, by the verdicts of the people who saw it first."""
        cohort = next((at for at in self.people if agent in self.task.cohorts[at].agents), None)
        key = f"{self.name}.{cohort}.all.{agent}"
        value = self.estimates["value"].get(f"{key}.detectability")
        return {
            "Num. human judges": self.format(self.find_size(cohort, "n_judges"), [cohort]),
            "Num. trials": self.format(self.estimates["n"].get(f"{key}.p_MM"), [cohort]),
            "Imitation detectability": self.format(value, [cohort], ".2f"),
        }


ROWS: dict[str, Callable[[TaskNumbers], dict[str, str]]] = {
    "specification": TaskNumbers.make_specification_row,
    "sizes": TaskNumbers.make_size_row,
    "settings": TaskNumbers.make_settings_row,
    "catch_trials": TaskNumbers.make_catch_row,
}
"""What makes a row for a task, by what the table shows."""


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
    sizes = sizes[sizes["reading"] == reading].set_index("size_id")["value"]
    estimates = estimates[estimates["reading"] == reading].set_index("estimate_id")
    rows, counted = [], []
    for name, task in study.tasks.items():
        numbers = TaskNumbers(name, study, estimates, sizes, missing)
        make_row = ROWS.get(table.shows) or partial(TaskNumbers.make_agent_row, agent=table.agent)
        rows.append({"Task": task.label} | make_row(numbers))
        counted.append(numbers.count())
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


def list_text_rows(
    study: Study, texts: pd.DataFrame, missing: pd.DataFrame, reading: str
) -> Iterator[dict[str, str]]:
    """Yield the rows of Table S5: mean and standard deviation over responses, by task and agent.

    Agents of a task without responses share a row; a measure that is constant has no deviation.
    """
    cells = texts[texts["reading"] == reading].set_index("text_id")
    for name, task in study.tasks.items():
        if task.texts is None:
            continue
        lacking = explain_absence(missing[(missing["task"] == name) & missing["cohort"].isna()])
        agents = ("human", *(a for a in task.texts.agents if a in task.agents))
        # Each agent with responses is a group of its own.
        groups = {a: a if f"{name}.{a}.words" in cells.index else "" for a in agents}
        for group, several in groupby(agents, groups.get):
            labels = ", ".join(study.agents[agent].label for agent in several)
            row = {"Task": task.label, "Agent": labels, "Responses": lacking}
            if group:
                n = cells.loc[f"{name}.{group}.words", "n"]
                row["Responses"] = f"{n:,.0f} {task.texts.unit}s"
            for measure, heading in MEASURES.items():
                row[heading] = "not tagged" if group and measure in CLASSES else ""
                if (key := f"{name}.{group}.{measure}") in cells.index:
                    form = ".1e" if measure == "frequency" else ".3f"
                    mean, sd = cells.loc[key, "value"], cells.loc[key, "sd"]
                    row[heading] = f"{mean:g}" if sd == 0 else f"{mean:{form}} ± {sd:{form}}"
            yield row


def sum_if_known(numbers: Iterable[float | None]) -> float | None:
    """Add up numbers; None if one is unknown, since the rest would be taken for the sum of all."""
    numbers = list(numbers)
    return None if not numbers or any(n is None for n in numbers) else sum(numbers)


def write_table(
    table: pd.DataFrame | Filled, path: Path, title: str, reading: str, data: str, picture: str = ""
) -> pd.DataFrame:
    """Write a table beside `path` as CSV (source data), LaTeX and HTML, each naming the data and the reading.

    A table with a `picture`, the name of a file beside it, is not part of the report, and leads there if
    there is one.
    """
    frame, own_title, own_data = table if isinstance(table, Filled) else Filled(table)
    data = own_data or data
    files.write_frame(frame.assign(reading=reading, data=data), path.with_suffix(".csv"))
    caption = f"{own_title or title}. Recomputed from {data}, {reading} reading."
    numeric = [is_numeric(frame[column]) for column in frame]
    files.write_text(format_latex(frame, caption, numeric), path.with_suffix(".tex"))
    home = "../../report/index.html" if picture else "../report/index.html"
    if picture and not (path.parent / home).exists():
        home = ""
    links = {"name": path.stem, "picture": picture, "home": home}
    write_page(format_page(frame, caption, numeric, links), path.with_suffix(".html"))
    return frame
