"""Panel of listed rows: any numbers with names, listed vertically as points with intervals."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from turingstats.config.study import Study, Task
from turingstats.config.study.panels import ListedPanel, Tested
from turingstats.core.labels import use_minus_signs
from turingstats.core.yaml_models import Reading
from turingstats.figures import pages
from turingstats.figures.kinds.base import Results, Rows, RowsKind, Scales
from turingstats.figures.notes import fill_in, load_sentences
from turingstats.figures.palette import MACHINES, MARKERS, PEOPLE, SERIES, Style
from turingstats.figures.picking import label_agent
from turingstats.figures.rows import Chart, Mark, Row, RowTable

NUMBERS = ("value", "ci_low", "ci_high", "n_judges", "unit")
"""Columns of a row that are shown, if its table has them."""
SERIES_LABELS = {
    "human": "human witnesses",
    "machine": "AI witnesses",
    "human_called_human": "human called human",
    "machine_called_human": "AI called human",
}


class Listed(RowsKind):
    """Rows of any table of results."""

    kinds = ("listed",)

    def select(
        self, panel: ListedPanel, results: Results, study: Study | None, reading: Reading
    ) -> Rows:
        """Select rows of any result table, as the panel filters, names and orders them."""
        table = results[panel.table]
        if "reading" in table:
            table = table[table["reading"] == reading]
        table = select_where(table, panel.where)
        # The number of trials of a printed rate may be unknown.
        enough = table["n"].fillna(panel.least) >= panel.least
        table = table[table["value"].notna() & enough]
        most = table.groupby(panel.name, sort=False)["value"].max()
        ranked = list(most.sort_values(ascending=False, kind="stable").index)
        top = panel.top or len(ranked)
        lowest = ranked[-top:] if panel.ends and len(ranked) > 2 * top else []
        kept = ranked[:top] + lowest
        names = kept if panel.order == "value" else [at for at in most.index if at in kept]
        shared = {"group_by": panel.series, "quantity": panel.axis, "x": panel.reference}
        shared["mark"] = "share" if panel.percent else "number"
        shared["note"] = note_counts(panel, table)
        rows = []
        for name in names:
            label = panel.labels.get(str(name), str(name))
            if panel.name == "agent":
                label = label_agent(name, panel, study)
            of = shared | {"agent_label": label, "size": 1 if name in lowest else None}
            for row in table[table[panel.name] == name].to_dict("records"):
                numbers = {name: row.get(name) for name in NUMBERS}
                series = str(row[panel.series]) if panel.series else None
                numbers |= {"group": panel.labels.get(series, series), "n": row[panel.count]}
                numbers["text"] = row.get("category")
                if panel.table == "breakdowns":
                    numbers["unit"] = "verdict"
                # Printed counts keep their own label of data, since they are not judgments of this run.
                if row.get("data"):
                    numbers["data"] = row["data"]
                rows.append(of | numbers)
        results_of_tests = (pick_result(test, results, reading) for test in panel.tested)
        return rows + [row for row in results_of_tests if row is not None]

    def explain_absence(self, panel: ListedPanel, task: Task, results: Results) -> str:
        """Explain that no row of the table was selected."""
        return "no trials of this kind"

    def share_scales(self, data: pd.DataFrame) -> Scales:
        """Compute the limits of the axis of each quantity, the same in all panels of a figure."""
        listed = data[data["kind"] == "listed"]
        return {name: find_scale(part) for name, part in listed.groupby("quantity")}

    def arrange(self, rows: pd.DataFrame, scales: Scales) -> RowTable:
        """Arrange a row per name with a mark per series; contiguous categories are headings."""
        listed = rows[rows["kind"] == "listed"]
        series = list(dict.fromkeys(listed["group"].dropna()))
        blocks = listed["text"].ne(listed["text"].shift()).sum() <= listed["text"].nunique()
        lines, category, was_last = [], "", False
        for name, part in listed.groupby("agent_label", sort=False):
            first = part.iloc[0]
            category = first["text"] if blocks and isinstance(first["text"], str) else category
            is_last = pd.notna(first["size"])
            marks = [
                Mark(
                    row["value"],
                    (row["ci_low"], row["ci_high"]),
                    choose_style(row, series),
                    ["" if pd.isna(row["n"]) else f"{row['n']:,.0f}"],
                    name=", ".join(filter(None, [str(name), name_series(row["group"])])),
                )
                for row in pages.list_records(part)
            ]
            lines.append(Row(str(name), marks, category, is_last and not was_last))
            was_last = is_last
        styles = [choose_style({"group": name}, series).marks for name in series]
        key = list(zip(map(name_series, series), styles, strict=True))
        first = listed.iloc[0]
        reference = math.nan if pd.isna(first["x"]) else first["x"]
        limits = scales[first["quantity"]]
        chart = Chart(limits, reference, first["quantity"], heads=["n"])
        return RowTable(lines, [chart], key, describe_tests(rows))


def select_where(table: pd.DataFrame, where: Mapping[str, str | Sequence[str]]) -> pd.DataFrame:
    """Select the rows with some values in columns, in the order in which these list several."""
    for column, wanted in where.items():
        order = [wanted] if isinstance(wanted, str) else list(wanted)
        table = table[table[column].astype(str).isin(order)]
        if len(order) > 1:
            rank = table[column].astype(str).map(order.index)
            table = table.iloc[rank.to_numpy().argsort(kind="stable")]
    return table


def name_series(name: object) -> str:
    """Name a series in words; empty where rows have none."""
    return SERIES_LABELS.get(name, name.replace("_", " ")) if isinstance(name, str) else ""


def note_counts(panel: ListedPanel, table: pd.DataFrame) -> str | None:
    """Describe the denominators of the listed numbers and the method of their intervals."""
    notes = []
    if panel.count == "k":
        numbers = table.groupby(panel.series)["n"].first() if panel.series else table["n"].iloc[:1]
        notes.append(f"of {' and '.join(f'{n:,.0f}' for n in numbers)} in all")
    if "method" in table:
        # The foot says how printed counts are found.
        how = "count nearest to rate x n; "
        notes.append("; ".join(name.removeprefix(how) for name in dict.fromkeys(table["method"])))
    return ", ".join(notes) or None


def pick_result(declared: Tested, results: Results, reading: Reading) -> dict[str, Any] | None:
    """Select the row of a test declared in a panel of listed rows; None if it was not computed."""
    table = select_where(results[declared.table], declared.where)
    if "reading" in table and (table["reading"] == reading).any():
        table = table[table["reading"] == reading]
    if table.empty or table["p"].isna().all():
        return None
    row = table.iloc[0]
    if declared.table == "models":
        how = "mixed model" if "|" in row["formula"] else "binomial regression"
        how += ", clustered by judge" if "robust" in row["method"] else ""
        numbers = {
            "test": how,
            "quantity": "z",
            "value": row["z"],
            "unit": "verdict",
            "n": row["n"],
        }
    elif declared.table == "contrasts":
        n = row["n1"] + (row["n2"] if row["n2"] == row["n2"] else 0)
        numbers = {"test": "binomial regression", "quantity": "z", "value": row["z"]}
        numbers |= {"unit": "trial", "n": n}
    else:
        n = row["n_judges"] if "n_judges" in row else row["n1"]
        numbers = {key: row[key] for key in ("test", "unit")}
        numbers |= {"quantity": row["statistic_name"], "value": row["statistic"], "n": n}
    result = {"kind": "tested", "text": declared.label, "p": row["p"]} | numbers
    # A test of printed counts belongs to these, not to the judgments of this run.
    return result | ({"data": row["data"]} if isinstance(row.get("data"), str) else {})


def describe_tests(rows: pd.DataFrame) -> list[str]:
    """Describe the test results of a panel, a sentence each."""
    tests = pages.list_records(rows[rows["kind"] == "tested"])
    return [use_minus_signs(fill_in(load_sentences().tested, test)) for test in tests]


def find_scale(rows: pd.DataFrame) -> tuple[float, float]:
    """Find the limits of an axis that contain all values and the reference, within 0 to 1 for shares."""
    low = min(rows["value"].min(), rows["ci_low"].min(), rows["x"].min())
    high = max(rows["value"].max(), rows["ci_high"].max(), rows["x"].max())
    if (rows["mark"] == "share").all():
        start = 0.0 if rows["x"].isna().all() else max(0.0, math.floor(10 * low - 0.2) / 10)
        return start, min(1.0, high + 0.04 * (high - start))
    room = 0.06 * (high - low)
    return low - room, high + room


def choose_style(row: dict[str, Any], series: list[str]) -> Style:
    """Choose the look of a row: that of its series; without series, people differ from models."""
    if not series:
        return Style(PEOPLE if row["agent_label"] == "Human" else SERIES[0])
    number = series.index(row["group"])
    whose = {"human": PEOPLE, "machine": MACHINES}.get(row["group"].partition("_")[0])
    return Style(whose or SERIES[number % len(SERIES)], MARKERS[number % len(MARKERS)])
