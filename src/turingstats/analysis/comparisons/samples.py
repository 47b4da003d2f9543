"""Groups of judges that declared tests compare, and their verdicts as values, counts and trials."""

from typing import NamedTuple

import numpy as np
import pandas as pd

from turingstats.config.study import Comparison, Study
from turingstats.core.names import split_level
from turingstats.core.quantity_names import WHOSE, resolve_quantity
from turingstats.data import counts as counting
from turingstats.data.counts import CohortCounts, name_units
from turingstats.stats.quantities import QUANTITIES


class Sample(NamedTuple):
    """Judges to compare with others, or with a value: their counts in one table of `CohortCounts`."""

    judges: np.ndarray
    agents: list[str]
    n: np.ndarray
    """Shape (judges, agents), as `right`."""
    right: np.ndarray
    choice: bool = False
    people: np.ndarray | None = None

    def list_units(self) -> np.ndarray:
        """List what identifies the judges across samples: the person, or the judge where not known."""
        return name_units(self.judges, self.people)

    def select_judges(self, rows: np.ndarray) -> "Sample":
        """Select judges by `rows`, a mask or an array of positions."""
        people = None if self.people is None else self.people[rows]
        return self._replace(
            judges=self.judges[rows], n=self.n[rows], right=self.right[rows], people=people
        )

    def stack_counts(self, agent: str) -> np.ndarray:
        """Stack correct verdicts and trials on people's responses and on an agent's, shape (judges, 4)."""
        i = self.agents.index(agent)
        people = i if self.choice else 0
        columns = self.right[:, people], self.n[:, people], self.right[:, i], self.n[:, i]
        return np.column_stack(columns)

    def sum_counts(self, agent: str) -> np.ndarray:
        """Sum counts over judges: one row for people's responses and one for the agent's."""
        totals = self.stack_counts(agent).sum(axis=0).reshape(2, 2)
        return totals[1:] if self.choice else totals


def select_sample(cells: CohortCounts, group_by: str, group: str) -> Sample | None:
    """Select the judges with a trial in one of the tables of a cohort; None if there is no such table."""
    if (group_by, group) not in cells.tables:
        return None
    table = cells.tables.index((group_by, group))
    in_table = cells.n[:, table, :2].any(axis=1)
    n, right = cells.n[in_table, table], cells.right[in_table, table]
    return Sample(
        cells.judges[in_table], cells.agents, n, right, cells.choice, cells.people[in_table]
    )


class Source:
    """Source of the judges of comparisons: the counts and groups of one reading, arranged by cohort."""

    def __init__(self, counts: pd.DataFrame, members: pd.DataFrame, study: Study) -> None:
        self.counts = dict(iter(counts.groupby(["task", "cohort"])))
        self.members, self.study = members.astype("category"), study
        self.arranged: dict[tuple[str, str], CohortCounts] = {}

    def arrange_cohort(self, task: str, cohort: str) -> CohortCounts | None:
        """Arrange the counts of a cohort (`turingstats.data.counts.CohortCounts`); None if it has no data."""
        key = (task, cohort)
        if key not in self.arranged:
            cohort_counts = self.counts.get((task, cohort))
            present = set() if cohort_counts is None else set(cohort_counts["agent"].unique())
            agents = [a for a in self.study.tasks[task].cohorts[cohort].agents if a in present]
            choice = self.study.tasks[task].choice
            enough = agents and (choice or "human" in present)
            self.arranged[key] = (
                counting.arrange_counts(cohort_counts, self.members, agents, choice)
                if enough
                else None
            )
        return self.arranged[key]

    def locate_group(self, comparison: Comparison, name: str) -> tuple[str, tuple[str, str]]:
        """Return the cohort of a group of `select_samples`, and its variable and level."""
        if comparison.by is None:
            return name, ("all", "all")
        if comparison.level is not None:
            return name, (comparison.by, comparison.level)
        level = split_level(name, self.study.agents)[1] if comparison.rows else name
        return comparison.cohorts[0], (comparison.by, level)

    def find_cells(self, comparison: Comparison, name: str) -> tuple[CohortCounts, int]:
        """Find the counts by judge and stimulus behind a group of `select_samples`, and its table in them."""
        cohort, at = self.locate_group(comparison, name)
        cells = self.arrange_cohort(comparison.task, cohort)
        return cells, cells.tables.index(at)

    def select_samples(self, comparison: Comparison) -> dict[str, Sample] | None:
        """Select the judges to compare by cohort, demographic group or level; None if one has no data."""
        cells = {
            cohort: self.arrange_cohort(comparison.task, cohort) for cohort in comparison.cohorts
        }
        if any(cell_counts is None for cell_counts in cells.values()):
            return None
        of_cohorts = comparison.by is None or comparison.level is not None
        declared = comparison.cohorts if of_cohorts else comparison.rows or comparison.groups
        names = list(declared or self.study.demographics.get(comparison.by, ()))
        if not names:
            (only,) = cells.values()
            names = sorted(group for by, group in only.tables if by == comparison.by)
        samples = {}
        for name in names:
            cohort, at = self.locate_group(comparison, name)
            samples[name] = select_sample(cells[cohort], *at)
        if of_cohorts:
            return None if None in samples.values() else samples
        if comparison.rows:
            seen = all(
                s and split_level(row, self.study.agents)[0] in s.agents
                for row, s in samples.items()
            )
            return samples if seen else None
        return {name: part for name, part in samples.items() if part is not None}


def compute_judge_values(sample: Sample, quantity: str, agent: str) -> np.ndarray:
    """Compute one value per judge: a rate, or another quantity of an agent; nan if not defined."""
    return QUANTITIES[resolve_quantity(quantity, agent)].value(*sample.stack_counts(agent).T)


def count_rate_verdicts(sample: Sample, quantity: str, agent: str) -> tuple[int, int]:
    """Count the numerator and denominator of a rate, summed over judges."""
    quantity, parts = resolve_quantity(quantity, agent), sample.sum_counts(agent)
    # "pair" sums both kinds of responses, for accuracy and for choices.
    columns = {"human": slice(0, 1), "agent": slice(-1, None), "pair": slice(None)}
    right, n = parts[columns[WHOSE[quantity]]].sum(axis=0).tolist()
    # A machine that is judged human is a wrong verdict.
    return n - right if quantity == "p_HM" else right, n


def draw_right_verdicts(
    sample: Sample, agent: str, balanced: bool, rng: np.random.Generator, draws: int
) -> tuple[np.ndarray, int]:
    """Draw the right verdicts of a group on people's and one agent's responses, shape (draws,); and how many.

    With `balanced`, equally many trials of people and of the agent are drawn without replacement: the
    number of right ones is hypergeometric, and no test depends on their order. Otherwise all count.
    """
    right, size = sample.sum_counts(agent).T
    if not balanced:
        return np.full(draws, right.sum()), int(size.sum())
    drawn = [
        rng.hypergeometric(k, n - k, size.min(), draws) for k, n in zip(right, size, strict=True)
    ]
    return np.sum(drawn, axis=0), int(size.min() * len(size))


def list_machine_trials(
    samples: dict[str, Sample], agents: list[str]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """List the correctness of every AI trial, with judge's group and agent, for a two-way ANOVA."""
    pairs = [(name, agent) for name in samples for agent in agents]
    counts = [samples[name].stack_counts(agent).sum(axis=0)[2:] for name, agent in pairs]
    right, n = np.array(counts, int).reshape(-1, 2).T
    group, names = np.repeat(np.array(pairs, str).reshape(-1, 2), n, axis=0).T
    values = np.tile([True, False], len(n)).repeat(np.column_stack([right, n - right]).ravel())
    return values, group, names
