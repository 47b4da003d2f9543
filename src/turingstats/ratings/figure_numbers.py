"""Source data of the figures of a similarity ratings study: exactly the numbers that are shown."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd

from turingstats.config.study import Study
from turingstats.config.study.panels import Panel
from turingstats.core.labels import find_alpha
from turingstats.data.schema import RESULTS
from turingstats.ratings.systems import Systems
from turingstats.stats import similarity

CORRECTIONS = {"bonferroni": "Bonferroni", "maximum": "largest of each relabeling"}
LIMITS = {"ci_low": "low", "ci_high": "high"}
BINS = 21  # centered on multiples of a twentieth of the scale
REFUSAL = "no ratings of this system are at hand"


def select_numbers(
    name: str,
    arranged: Mapping[str, Systems],
    alignment: pd.DataFrame,
    agreement: pd.DataFrame,
    individuals: pd.DataFrame,
    study: Study,
    reading: str,
    level: float,
    data: str,
) -> pd.DataFrame:
    """Select the numbers of one figure: one table, with a row of kind "no data" for a panel without any.

    `arranged` are the systems of each task in the reading that is shown.
    """
    tables = [table[table["reading"] == reading] for table in (alignment, agreement, individuals)]
    # A family has the same color in every figure.
    families = [*dict.fromkeys(agent.kind for agent in study.agents.values())]
    panels = []
    for letter, panel in study.figures[name].panels.items():
        of_task = [table[table["task"] == panel.task] for table in tables]
        view = arrange_view(panel, study, arranged[panel.task], of_task, find_alpha(level))
        numbers = [part for part in SELECTORS[panel.kind](view) if len(part)]
        rows = pd.DataFrame({"kind": ["no data"], "text": [REFUSAL]})
        if any("system" in part for part in numbers):
            rows = pd.concat(numbers).assign(kind=panel.kind)
            agents = rows["system"].map(study.agents, na_action="ignore")
            family = agents.map(lambda agent: agent.kind, na_action="ignore")
            rows = rows.assign(
                label=agents.map(lambda agent: agent.label, na_action="ignore"),
                family=family,
                hue=family.map(families.index, na_action="ignore"),
            )
        place = {"panel": letter, "title": panel.title, "task": panel.task}
        panels.append(rows.assign(**place, task_label=study.tasks[panel.task].label))
    setting = {"reading": reading, "level": level, "data": data}
    table = pd.concat(panels, ignore_index=True).assign(**setting)
    table = table.reindex(columns=RESULTS["similarity_figures"])
    for column in ("value", "low", "high"):
        table[column] = table[column].astype(float).round(6)
    # Tens of thousands of cells need not repeat the contents of their system's first row.
    cells = table["quantity"] == "dissimilarity"
    for column in ("title", "task", "task_label", "label", "family", "level"):
        table[column] = table[column].astype(object).mask(cells)
    table["hue"] = table["hue"].mask(cells)
    return table


class View(NamedTuple):
    """What the rows of a panel are selected from."""

    systems: list[str]
    of_task: Systems
    references: tuple[str, ...]
    scale: tuple[float, float]
    alignment: pd.DataFrame  # of each system with the first reference, by kind of pairs
    agreement: pd.DataFrame  # by system and quantity
    individuals: pd.DataFrame  # of each person of a system with each of another one


def arrange_view(
    panel: Panel, study: Study, of_task: Systems, tables: Iterable[pd.DataFrame], alpha: float
) -> View:
    """Arrange the tables of a task for one of its panels."""
    alignment, agreement, individuals = (table.rename(columns=LIMITS) for table in tables)
    task = study.tasks[panel.task]
    reference, wanted = task.references[0], panel.agent_names or ("human", *task.agents)
    first, second = alignment["system_a"], alignment["system_b"]
    significance = np.where(alignment["p_adjusted"] < alpha, f"p < {alpha:g}", "n.s.")
    families = zip(significance, alignment["correction"], alignment["family_size"], strict=True)
    alignment = alignment.assign(
        system=first.where(second == reference, second),
        text=[f"{p}, {CORRECTIONS[how]}, family of {size:,}" for p, how, size in families],
        **{"with": study.agents[reference].label},
    )[(first == reference) | (second == reference)]
    return View(
        [name for name in wanted if name in of_task.names],
        of_task,
        tuple(task.references),
        study.scale,
        alignment.drop_duplicates(["system", "pairs"]),
        agreement.assign(n=agreement["n_raters"]),
        individuals.drop(columns="n").rename(
            columns={"with": "other", "participant": "person", "rater": "with"}
        ),
    )


def pick(table: pd.DataFrame, **values: str) -> pd.DataFrame:
    """Pick the rows with these values."""
    return table[(table[[*values]] == list(values.values())).all(axis=1)]


def list_item_categories(items: pd.DataFrame) -> pd.DataFrame:
    """List one row per item with its category, grouped by category."""
    # Both categories and the items within them keep the order of the list of items.
    items = items[["item", "category"]].astype(str)
    order = np.argsort(pd.factorize(items["category"])[0], kind="stable")
    table = items.iloc[order].rename(columns={"item": "item_a", "category": "text"})
    return table.assign(quantity="item", value=np.arange(len(table)))


def build_matrix_rows(items: pd.DataFrame, vector: np.ndarray, **names: str) -> pd.DataFrame:
    """Build rows of a dissimilarity matrix, from 0 (most similar pair) to 1 (least similar pair)."""
    rows, columns = similarity.index_pairs(len(items))
    item = items["item"].astype(str).to_numpy()
    low, high = np.nanmin(vector), np.nanmax(vector)
    values = (high - vector) / (high - low) if high > low else np.zeros_like(vector)
    table = pd.DataFrame({"item_a": item[rows], "item_b": item[columns]})
    return table.assign(quantity="dissimilarity", value=np.round(values, 4), **names)


def select_matrices(view: View, of_raters: bool) -> Iterable[pd.DataFrame]:
    """Select mean matrices of systems and their alignment with the reference, or those of all raters."""
    items, of_task = view.of_task.items, view.of_task
    yield list_item_categories(items)
    for system in view.systems:
        rated = of_task.rated.get(system)
        if rated is None and of_raters:
            continue
        number = len(rated.participants) if rated else np.nan
        yield pd.DataFrame([{"system": system, "quantity": "raters", "value": number}])
        if of_raters:
            for person, vector in zip(rated.participants, of_task.raters[system], strict=True):
                yield build_matrix_rows(items, vector, system=system, person=person)
        else:
            vector = of_task.groups[of_task.names.index(system)]
            yield build_matrix_rows(items, vector, system=system)
            yield pick(view.alignment, system=system, pairs="all").assign(quantity="alignment")


def select_variability(view: View) -> Iterable[pd.DataFrame]:
    """Select agreement within systems, alignment with the reference, and all pairs of raters."""
    for system in view.systems:
        singles = pick(view.individuals, system=system, other=system)
        if len(singles):
            yield pick(view.agreement, system=system, quantity="icc")
            yield pick(view.alignment, system=system, pairs="all").assign(quantity="alignment")
            yield singles.assign(quantity="intersubject")


def select_individuals(view: View) -> Iterable[pd.DataFrame]:
    """Select the alignment of every participant with every person of the first reference with raters."""
    people = next((name for name in view.references if name in view.of_task.raters), "")
    for system in view.systems:
        singles = pick(view.individuals, system=system, other=people)
        yield singles.assign(quantity="individual")


def compute_distributions(view: View) -> Iterable[pd.DataFrame]:
    """Compute shares of ratings in equal bins of the scale (for embeddings, of their own range)."""
    for system in view.systems:
        if system in view.of_task.rated:
            values = view.of_task.flatten_ratings(system)
            low, high = view.scale
        else:
            values = view.of_task.groups[view.of_task.names.index(system)]
            low, high = np.nanmin(values), np.nanmax(values)
        values = (values[~np.isnan(values)] - low) / ((high - low) or 1)
        counts, edges = np.histogram(values, bins=BINS, range=(-0.025, 1.025))
        bins = {"value": counts / counts.sum(), "low": edges[:-1], "high": edges[1:]}
        yield pd.DataFrame(bins).assign(system=system, quantity="share", n=len(values))


def select_alignments(view: View) -> Iterable[pd.DataFrame]:
    """Select group alignment with the reference: all pairs, within and between categories; ceilings."""
    reference, *_ = view.references
    for system in (name for name in view.systems if name != reference):
        for pairs in ("all", "within", "between"):
            yield pick(view.alignment, system=system, pairs=pairs).assign(quantity=pairs)
        single = pick(view.agreement, system=system, quantity=f"with_single.{reference}")
        yield single.assign(quantity="with single", n=np.nan)
    for quantity in ("ceiling_lower", "ceiling_upper", "ceiling_of_group"):
        yield pick(view.agreement, system=reference, quantity=quantity).dropna(subset="value")


SELECTORS: dict[str, Callable[[View], Iterable[pd.DataFrame]]] = {
    "dissimilarity": partial(select_matrices, of_raters=False),
    "raters": partial(select_matrices, of_raters=True),
    "variability": select_variability,
    "individuals": select_individuals,
    "distributions": compute_distributions,
    "alignment": select_alignments,
}
