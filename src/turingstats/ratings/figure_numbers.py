"""Source data of the figures of a similarity ratings study: exactly the numbers that are shown."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from turingstats.config.study import Study
from turingstats.config.study.panels import Panel
from turingstats.core.labels import find_alpha
from turingstats.data.schema import RESULTS
from turingstats.ratings.systems import Systems
from turingstats.stats import similarity

CORRECTIONS = {"bonferroni": "Bonferroni", "maximum": "largest of each relabeling"}
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
    tables = {"alignment": alignment, "agreement": agreement, "individuals": individuals}
    tables = {table: rows[rows["reading"] == reading] for table, rows in tables.items()}
    parts = []
    for letter, panel in study.figures[name].panels.items():
        systems = arranged[panel.task]
        of_task = {table: rows[rows["task"] == panel.task] for table, rows in tables.items()}
        rows = SELECTORS[panel.kind](View(panel, study, systems, of_task, find_alpha(level)))
        if rows.empty:
            rows = pd.DataFrame({"kind": ["no data"], "text": [REFUSAL]})
        else:
            rows = rows.assign(kind=panel.kind)
        parts.append(
            rows.assign(
                panel=letter,
                title=panel.title,
                task=panel.task,
                task_label=study.tasks[panel.task].label,
                reading=systems.reading,
                level=level,
                data=data,
            ).reindex(columns=RESULTS["similarity_figures"])
        )
    table = pd.concat(parts, ignore_index=True)
    for column in ("value", "low", "high"):
        table[column] = table[column].astype(float).round(6)
    # Tens of thousands of cells need not repeat the contents of their system's first row.
    cells = table["quantity"] == "dissimilarity"
    for column in ("title", "task", "task_label", "label", "family", "level"):
        table[column] = table[column].astype(object).mask(cells)
    table["hue"] = table["hue"].mask(cells)
    return table


class View:
    """The data from which the rows of a panel are selected."""

    def __init__(
        self,
        panel: Panel,
        study: Study,
        of_task: Systems,
        tables: Mapping[str, pd.DataFrame],
        alpha: float,
    ) -> None:
        self.study, self.of_task, self.tables, self.alpha = study, of_task, tables, alpha
        task = study.tasks[panel.task]
        self.references = task.references
        self.reference = task.references[0]
        wanted = panel.agent_names or ("human", *task.agents)
        self.systems = [name for name in wanted if name in of_task.names]
        self.items = of_task.items
        families = dict.fromkeys(agent.kind for agent in study.agents.values())
        # A family has the same color in every figure.
        self.hues = {family: hue for hue, family in enumerate(families)}

    def describe_system(self, system: str) -> dict[str, Any]:
        """Make the cells that all rows of a system share."""
        agent = self.study.agents[system]
        return {
            "system": system,
            "label": agent.label,
            "family": agent.kind,
            "hue": self.hues[agent.kind],
        }

    def find_alignment(
        self, system: str, pairs: str = "all", quantity: str = "alignment"
    ) -> list[dict[str, Any]]:
        """Find an alignment with the reference, its interval and corrected p; none for the reference."""
        table = self.tables["alignment"]
        systems = table[["system_a", "system_b"]]
        is_wanted = (systems == system).any(axis=1) & (systems == self.reference).any(axis=1)
        rows = table[is_wanted & (table["pairs"] == pairs)].head(int(system != self.reference))
        return [
            self.describe_system(system)
            | {"with": self.study.agents[self.reference].label, "quantity": quantity}
            | {"value": row.value, "low": row.ci_low, "high": row.ci_high, "n": row.n}
            | {
                "text": f"{f'p < {self.alpha:g}' if row.p_adjusted < self.alpha else 'n.s.'}, "
                f"{CORRECTIONS[row.correction]}, family of {row.family_size:,}"
            }
            for row in rows.itertuples()
        ]

    def find_agreement(self, system: str, quantity: str) -> list[dict[str, Any]]:
        """Find the row of an agreement, if there is one."""
        table = self.tables["agreement"]
        row = table[table["system"].eq(system) & table["quantity"].eq(quantity)]
        return row.to_dict("records")

    def list_individuals(self, quantity: str, other: str | None = None) -> dict[str, list[Any]]:
        """List alignments of single raters with those of another system, or of their own, by system."""
        singles = self.tables["individuals"]
        chosen = singles[singles["with"] == (singles["system"] if other is None else other)]
        names = {"participant": "person", "rater": "with"}
        shown = chosen[["participant", "rater", "value"]].rename(columns=names)
        shown = shown.assign(quantity=quantity)
        return {
            system: [self.describe_system(system) | row for row in rows.to_dict("records")]
            for system, rows in shown.groupby(chosen["system"])
        }

    def list_item_categories(self) -> pd.DataFrame:
        """List one row per item with its category, grouped by category."""
        # Both categories and the items within them keep the order of the list of items.
        items = self.items[["item", "category"]].astype(str)
        order = np.argsort(pd.factorize(items["category"])[0], kind="stable")
        table = items.iloc[order].rename(columns={"item": "item_a", "category": "text"})
        return table.assign(quantity="item", value=np.arange(len(table)))

    def build_matrix_rows(self, vector: np.ndarray, **named: str) -> pd.DataFrame:
        """Build rows of a dissimilarity matrix, from 0 (most similar pair) to 1 (least similar pair)."""
        rows, columns = similarity.index_pairs(len(self.items))
        names = self.items["item"].astype(str).to_numpy()
        low, high = np.nanmin(vector), np.nanmax(vector)
        values = (high - vector) / (high - low) if high > low else np.zeros_like(vector)
        table = pd.DataFrame({"item_a": names[rows], "item_b": names[columns]})
        return table.assign(quantity="dissimilarity", value=np.round(values, 4), **named)


def select_matrices(view: View, of_raters: bool) -> pd.DataFrame:
    """Select mean matrices of systems and their alignment with the reference, or those of all raters."""
    parts = []
    for system in view.systems:
        rated = view.of_task.rated.get(system)
        if rated is None and of_raters:
            continue
        count = {"quantity": "raters", "value": len(rated.participants) if rated else np.nan}
        parts.append(pd.DataFrame([view.describe_system(system) | count]))
        if of_raters:
            for person, vector in zip(rated.participants, view.of_task.raters[system], strict=True):
                parts.append(view.build_matrix_rows(vector, system=system, person=person))
        else:
            vector = view.of_task.groups[view.of_task.names.index(system)]
            parts.append(view.build_matrix_rows(vector, system=system))
            parts.append(pd.DataFrame(view.find_alignment(system)))
    parts = [part for part in parts if len(part)]
    whole = [view.list_item_categories(), *parts] if parts else [pd.DataFrame()]
    return pd.concat(whole, ignore_index=True)


def select_variability(view: View) -> pd.DataFrame:
    """Select agreement within systems, alignment with the reference, and all pairs of raters."""
    rows = []
    singles = view.list_individuals("intersubject")
    for system in view.systems:
        if system not in singles:
            continue
        (icc,) = view.find_agreement(system, "icc")
        rows.append(
            view.describe_system(system)
            | {"quantity": "icc", "value": icc["value"], "n": icc["n_raters"]}
            | {"low": icc["ci_low"], "high": icc["ci_high"]}
        )
        rows += view.find_alignment(system) + singles[system]
    return pd.DataFrame(rows)


def select_individuals(view: View) -> pd.DataFrame:
    """Select the alignment of every participant with every person of the first reference with raters."""
    people = next((name for name in view.references if name in view.of_task.raters), "")
    singles = view.list_individuals("individual", people)
    return pd.DataFrame(row for system in view.systems for row in singles.get(system, []))


def compute_distributions(view: View) -> pd.DataFrame:
    """Compute shares of ratings in equal bins of the scale (for embeddings, of their own range)."""
    rows = []
    for system in view.systems:
        if system in view.of_task.rated:
            values = view.of_task.flatten_ratings(system)
            low, high = view.study.scale
        else:
            values = view.of_task.groups[view.of_task.names.index(system)]
            low, high = np.nanmin(values), np.nanmax(values)
        values = (values[~np.isnan(values)] - low) / ((high - low) or 1)
        counts, edges = np.histogram(values, bins=BINS, range=(-0.025, 1.025))
        rows += [
            view.describe_system(system)
            | {"quantity": "share", "value": share, "low": left, "high": right, "n": len(values)}
            for share, left, right in zip(counts / counts.sum(), edges[:-1], edges[1:], strict=True)
        ]
    return pd.DataFrame(rows)


def select_alignments(view: View) -> pd.DataFrame:
    """Select group alignment with the reference: all pairs, within and between categories; ceilings."""
    rows = []
    for system in view.systems:
        if system == view.reference:
            continue
        for pairs in ("all", "within", "between"):
            rows += view.find_alignment(system, pairs, quantity=pairs)
        rows += [
            view.describe_system(system) | {"quantity": "with single", "value": row["value"]}
            for row in view.find_agreement(system, f"with_single.{view.reference}")
        ]
    rows += [
        view.describe_system(view.reference)
        | {"quantity": row["quantity"], "value": row["value"], "n": row["n_raters"]}
        for quantity in ("ceiling_lower", "ceiling_upper", "ceiling_of_group")
        for row in view.find_agreement(view.reference, quantity)
        if np.isfinite(row["value"])
    ]
    return pd.DataFrame(rows)


SELECTORS: dict[str, Callable[[View], pd.DataFrame]] = {
    "dissimilarity": partial(select_matrices, of_raters=False),
    "raters": partial(select_matrices, of_raters=True),
    "variability": select_variability,
    "individuals": select_individuals,
    "distributions": compute_distributions,
    "alignment": select_alignments,
}
