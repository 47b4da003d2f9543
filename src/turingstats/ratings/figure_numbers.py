"""Source data of the figures of a similarity ratings study: exactly the numbers that are shown."""

from typing import Any

import numpy as np
import pandas as pd

from turingstats.config.ratings_study import Figure, Panel, RatingsStudy
from turingstats.core.data_labels import PRINTED_TABLE
from turingstats.ratings import raw_ratings as ratings_of
from turingstats.ratings.raw_ratings import Rated
from turingstats.stats import similarity

CORRECTIONS = {"bonferroni": "Bonferroni", "maximum": "largest of each relabeling"}
COLUMNS = [
    "panel",
    "kind",
    "title",
    "task",
    "task_label",
    "system",
    "label",
    "family",
    "hue",
    "person",
    "with",
    "item_a",
    "item_b",
    "quantity",
    "value",
    "low",
    "high",
    "n",
    "text",
    "reading",
    "level",
    "data",
]
BINS = 21  # centered on multiples of a twentieth of the scale
REFUSAL = "no ratings of this system are at hand"


def select_numbers(
    figure: Figure,
    study: RatingsStudy,
    items: pd.DataFrame,
    arrays: dict[str, Rated],
    results: dict[str, pd.DataFrame | None],
    reading: str,
    level: float,
    data: str,
) -> pd.DataFrame:
    """Select the numbers of one figure: rows of `COLUMNS`, and one of kind "no data" for a panel without
    any.
    """

    tables = {
        name: table[table["reading"] == reading] if "reading" in table else table
        for name, table in results.items()
        if table is not None
    }
    parts = []
    for letter, panel in figure.panels.items():
        view = View(panel, study, items, arrays, tables, reading)
        rows = SELECTORS[panel.kind](view)
        if rows is None or len(rows) == 0:
            rows = pd.DataFrame({"kind": ["no data"], "text": [REFUSAL]})
        else:
            rows = rows.assign(kind=panel.kind)
        task = study.tasks[panel.task]
        parts.append(
            rows.assign(
                panel=letter,
                title=panel.title,
                task=panel.task,
                task_label=task.label,
                reading=reading,
                level=level,
                data=PRINTED_TABLE if panel.kind == "printed" else data,
            ).reindex(columns=COLUMNS)
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
        study: RatingsStudy,
        items: pd.DataFrame,
        arrays: dict[str, Rated],
        tables: dict[str, pd.DataFrame],
        reading: str,
    ) -> None:
        self.panel, self.study = panel, study
        self.tables, self.reading = tables, reading
        self.members = np.flatnonzero(items[panel.task])
        self.arrays = ratings_of.select_task_raters(arrays, self.members, reading)
        self.items = items.iloc[self.members]
        task = study.tasks[panel.task]
        self.reference = task.references[0]
        embedded = ratings_of.list_embedded_systems(tables["distances"], self.members, items)
        wanted = panel.systems or task.systems
        self.systems = [name for name in wanted if name in self.arrays or name in embedded]
        self.all_items = items

    def describe_system(self, system: str) -> dict[str, Any]:
        """Make the cells that all rows of a system share."""
        described = self.study.systems[system]
        families = dict.fromkeys(other.family for other in self.study.systems.values())
        return {
            "system": system,
            "label": described.label,
            "family": described.family,
            # A family has the same color in every figure.
            "hue": list(families).index(described.family),
        }

    def find_group_vector(self, system: str) -> np.ndarray:
        """Find the mean ratings of the pairs, or the similarities of an embedding."""
        if system in self.arrays:
            return similarity.average_raters(self.find_rater_vectors(system))
        return ratings_of.compute_embedding_similarity(
            self.tables["distances"], system, self.members, self.all_items
        )

    def find_rater_vectors(self, system: str) -> np.ndarray:
        """Find the ratings of the pairs, one row per participant."""
        return ratings_of.build_rating_vectors(self.arrays[system], self.members, self.reading)

    def find_alignment(
        self, system: str, pairs: str = "all", reference: str | None = None
    ) -> pd.Series | None:
        """Find the row of an alignment with the reference, or None."""
        alignments = self.tables["alignment"]
        reference = reference or self.reference
        for one, other in ((reference, system), (system, reference)):
            row = alignments[
                alignments["alignment_id"] == f"{self.panel.task}.{one}.{other}.{pairs}"
            ]
            if len(row):
                return row.iloc[0]
        return None

    def find_agreement(self, system: str, quantity: str) -> pd.Series | None:
        """Find the row of an agreement, or None."""
        agreements = self.tables["agreement"]
        row = agreements[agreements["agreement_id"] == f"{self.panel.task}.{system}.{quantity}"]
        return row.iloc[0] if len(row) else None

    def list_item_categories(self) -> pd.DataFrame:
        """List one row per item with its category, grouped by category."""

        # Both categories and the items within them keep the order of the list of items.
        order = list(dict.fromkeys(self.items["category"].astype(str)))
        at = np.argsort([order.index(c) for c in self.items["category"].astype(str)], kind="stable")
        ordered = self.items.iloc[at]
        return pd.DataFrame(
            {
                "item_a": ordered["item"].astype(str),
                "quantity": "item",
                "value": np.arange(len(ordered)),
                "text": ordered["category"].astype(str),
            }
        )

    def build_matrix_rows(self, vector: np.ndarray, **named: str) -> pd.DataFrame:
        """Build rows of a dissimilarity matrix, from 0 (most similar pair) to 1 (least similar pair)."""

        rows, columns = similarity.index_pairs(len(self.members))
        names = self.items["item"].astype(str).to_numpy()
        low, high = np.nanmin(vector), np.nanmax(vector)
        values = (high - vector) / (high - low) if high > low else np.zeros_like(vector)
        return pd.DataFrame(
            {
                "item_a": names[rows],
                "item_b": names[columns],
                "quantity": "dissimilarity",
                "value": np.round(values, 4),
            }
        ).assign(**named)


def select_matrices(view: View) -> pd.DataFrame | None:
    """Select mean matrices of systems, and their alignment with the reference."""

    parts = [view.list_item_categories()]
    for system in view.systems:
        n = len(view.arrays[system].participants) if system in view.arrays else np.nan
        parts.append(
            pd.DataFrame([view.describe_system(system) | {"quantity": "raters", "value": n}])
        )
        parts.append(view.build_matrix_rows(view.find_group_vector(system), system=system))
        row = None if system == view.reference else view.find_alignment(system)
        if row is not None:
            parts.append(pd.DataFrame([make_alignment_row(view, system, row)]))
    return pd.concat(parts, ignore_index=True) if len(parts) > 1 else None


def make_alignment_row(
    view: View, system: str, row: pd.Series, quantity: str = "alignment"
) -> dict[str, Any]:
    """Make a row with an alignment, its interval and corrected p."""
    sign = "p < 0.05" if row["p_adjusted"] < 0.05 else "n.s."
    return view.describe_system(system) | {
        "with": view.study.systems[view.reference].label,
        "quantity": quantity,
        "value": row["value"],
        "low": row["ci_low"],
        "high": row["ci_high"],
        "n": row["n"],
        "text": f"{sign}, {CORRECTIONS[row['correction']]}, family of {row['family_size']:,}",
    }


def select_rater_matrices(view: View) -> pd.DataFrame | None:
    """Select the matrix of every participant of a system."""

    parts = [view.list_item_categories()]
    for system in view.systems:
        if system in view.arrays:
            people = view.arrays[system].participants
            count = {"quantity": "raters", "value": len(people)}
            parts.append(pd.DataFrame([view.describe_system(system) | count]))
            for person, vector in zip(people, view.find_rater_vectors(system), strict=True):
                if not np.isnan(vector).all():
                    parts.append(view.build_matrix_rows(vector, system=system, person=person))
    return pd.concat(parts, ignore_index=True) if len(parts) > 1 else None


def select_variability(view: View) -> pd.DataFrame:
    """Select agreement within systems, alignment with the reference, and all pairs of raters."""

    rows = []
    singles = view.tables["individuals"]
    singles = singles[(singles["task"] == view.panel.task) & (singles["system"] == singles["with"])]
    by_system = dict(list(singles.groupby("system")))
    for system in view.systems:
        if system not in by_system:
            continue
        system_cells = view.describe_system(system)
        icc = view.find_agreement(system, "icc")
        rows.append(
            system_cells
            | {"quantity": "icc", "value": icc["value"], "n": icc["n_raters"]}
            | {"low": icc["ci_low"], "high": icc["ci_high"]}
        )
        row = None if system == view.reference else view.find_alignment(system)
        if row is not None:
            rows.append(make_alignment_row(view, system, row))
        rows += [
            system_cells | {"quantity": "intersubject", "person": p, "with": w, "value": value}
            for p, w, value in by_system[system][["participant", "rater", "value"]].to_numpy()
        ]
    return pd.DataFrame(rows)


def select_individuals(view: View) -> pd.DataFrame | None:
    """Select the alignment of every participant with every person of the reference."""

    people = [
        name
        for name in (view.reference, *view.study.tasks[view.panel.task].references)
        if name in view.arrays
    ]
    if not people:
        return None
    singles = view.tables["individuals"]
    singles = singles[(singles["task"] == view.panel.task) & (singles["with"] == people[0])]
    parts = []
    for system, pairs in singles.groupby("system"):
        if system in view.systems:
            parts.append(
                pd.DataFrame(
                    view.describe_system(system)
                    | {
                        "person": pairs["participant"].to_numpy(),
                        "with": pairs["rater"].to_numpy(),
                        "quantity": "individual",
                        "value": pairs["value"].to_numpy(),
                    }
                )
            )
    if not parts:
        return None
    order = {view.study.systems[name].label: n for n, name in enumerate(view.systems)}
    table = pd.concat(parts, ignore_index=True)
    return table.sort_values("label", key=lambda c: c.map(order), kind="stable")


def compute_distributions(view: View) -> pd.DataFrame:
    """Compute shares of ratings in equal bins of the scale (for embeddings, of their own range)."""

    low, high = view.study.scale
    rows = []
    for system in view.systems:
        if system in view.arrays:
            whole = view.arrays[system].ratings[:, view.members][:, :, view.members]
            values = (whole[~np.isnan(whole)] - low) / (high - low)
        else:
            vector = view.find_group_vector(system)
            vector = vector[~np.isnan(vector)]
            values = (vector - vector.min()) / ((vector.max() - vector.min()) or 1)
        counts, edges = np.histogram(values, bins=BINS, range=(-0.025, 1.025))
        rows += [
            view.describe_system(system)
            | {"quantity": "share", "value": share, "low": left, "high": right, "n": len(values)}
            for share, left, right in zip(counts / counts.sum(), edges[:-1], edges[1:], strict=True)
        ]
    return pd.DataFrame(rows)


def select_map_positions(view: View) -> pd.DataFrame | None:
    """Select the positions of all raters on a map."""

    positions = view.tables["map"]
    positions = positions[
        (positions["task"] == view.panel.task) & positions["system"].isin(view.systems)
    ]
    parts = [
        pd.DataFrame(
            view.describe_system(system)
            | {
                "person": rows["participant"].to_numpy(),
                "quantity": "place",
                "low": rows["x"].to_numpy(),
                "high": rows["y"].to_numpy(),
                "text": rows["method"].to_numpy(),
            }
        )
        for system, rows in positions.groupby("system")
    ]
    if not parts:
        return None
    order = {name: n for n, name in enumerate(view.systems)}
    table = pd.concat(parts, ignore_index=True)
    return table.sort_values("system", key=lambda c: c.map(order), kind="stable")


def select_bars(view: View) -> pd.DataFrame:
    """Select group alignment with the reference: all pairs, within and between categories; ceilings."""

    rows = []
    for system in view.systems:
        if system == view.reference:
            continue
        for pairs in ("all", "within", "between"):
            row = view.find_alignment(system, pairs)
            if row is not None:
                rows.append(make_alignment_row(view, system, row, quantity=pairs))
        row = view.find_agreement(system, f"with_single.{view.reference}")
        if row is not None:
            rows.append(
                view.describe_system(system) | {"quantity": "with single", "value": row["value"]}
            )
    for quantity in ("ceiling_lower", "ceiling_upper", "ceiling_of_group"):
        row = view.find_agreement(view.reference, quantity)
        if row is not None and np.isfinite(row["value"]):
            rows.append(
                view.describe_system(view.reference)
                | {"quantity": quantity, "value": row["value"], "n": row["n_raters"]}
            )
    return pd.DataFrame(rows)


def select_printed_alignments(view: View) -> pd.DataFrame | None:
    """Select alignments with the reference as the paper prints them."""

    if "printed" not in view.tables:
        return None
    printed_rows = view.tables["printed"]
    printed_rows = printed_rows[
        (printed_rows["task"] == view.panel.task) & (printed_rows["reference"] == view.reference)
    ]
    if view.panel.systems:
        printed_rows = printed_rows[printed_rows["system"].isin(view.panel.systems)]
    return pd.DataFrame(
        view.describe_system(row["system"])
        | {"with": view.study.systems[view.reference].label, "quantity": row["pairs"]}
        | {"value": row["printed"], "n": row["n_pairs"], "text": row["location"]}
        for row in printed_rows.to_dict("records")
        # Show within and between categories only for systems whose overall alignment is printed.
        if row["system"] in set(printed_rows.loc[printed_rows["pairs"] == "all", "system"])
    )


SELECTORS = {
    "matrices": select_matrices,
    "raters": select_rater_matrices,
    "variability": select_variability,
    "individuals": select_individuals,
    "distributions": compute_distributions,
    "map": select_map_positions,
    "maps": select_map_positions,
    "bars": select_bars,
    "printed": select_printed_alignments,
}
