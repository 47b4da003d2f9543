"""Renew the results shown in the README and docs: pictures, the table of tasks, the findings.

make docs calls this after a default run. `docs/made_from.json` records which accepted numbers it saw, so that
a test can tell when these have changed since.
"""

import hashlib
import json
import math
import sys
import textwrap
from collections import Counter
from functools import cache
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from tools import ROOT
from tools.templates import render_page
from turingstats.config.settings import Config
from turingstats.core.labels import begin_in_lower_case, state_p
from turingstats.figures.palette import SERIES, Style
from turingstats.figures.rows import Chart, Mark, Row, RowTable, draw_row_page
from turingstats.report.at_a_glance import read_rows
from turingstats.report.chart import MARGINS, list_gaps
from turingstats.report.front import sum_up_changes
from turingstats.report.sections import count_holding
from turingstats.workflow.load import load_plan

RESULTS = ROOT / "results/zhang2025"
ACCEPTED = ROOT / "tests/golden/observed"
MARKS = ("<!-- results: written by make docs -->", "<!-- end of results -->")
DPI, ALPHA, WIDTH, MARGIN = 150, 0.05, 120, 10
SEEN = [
    *(f"statistics/{name}" for name in ("estimates", "tests", "sizes", "what_changes")),
    *("statistics/equivalence", "tables/equivalence", "claims/claims"),
]
"""Accepted tables whose numbers are shown."""


@cache
def read_statistics(table: str) -> pd.DataFrame:
    """Read a table of statistics by id, and by reading where it has one."""
    rows = pd.read_csv(RESULTS / f"statistics/{table}.csv")
    keys = [next(column for column in rows if column.endswith("_id"))]
    return rows.set_index([*keys, *["reading"] * ("reading" in rows)]).sort_index()


def look_up_cell(table: str, name: str, column: str = "value", reading: str = "recommended") -> Any:
    """Return a cell of a table for the template; an unknown row or column is an error."""
    rows = read_statistics(table)
    return rows.loc[(name, reading) if rows.index.nlevels == 2 else name, column]


def describe_tasks(lines: list[dict[str, Any]]) -> str:
    """Describe the picture of tasks to readers who do not see it."""
    parts = [f"{line['task']} ({line['who']}) {line['number']}" for line in lines]
    return f"Gap between machines and people by task, in percentage points: {', '.join(parts)}"


def draw_tasks(lines: list[dict[str, Any]]) -> Figure:
    """Draw the gap of all machines by task, with its interval and what follows from it."""
    rows = [
        Row(
            f"{line['task']}: {begin_in_lower_case(line['who'])}",
            [Mark(line["value"], line["ends"], Style(SERIES[0], "o"), [line["words"]])],
        )
        for line in lines
    ]
    ends = [0, *(end for line in lines for end in line["ends"])]
    limits = (10 * math.floor(min(ends) / 10), 10 * math.ceil(max(ends) / 10))
    label = "Machines judged human minus people, percentage points"
    chart = Chart(limits, 0, label, heads=["what follows"], band=(-MARGIN, MARGIN))
    foot = f"95% intervals over judges and stimuli; shaded: a margin of {MARGIN} points. Observed data."
    return draw_row_page(pd.DataFrame(lines), foot, RowTable(rows, [chart]))


def wrap_line(line: str) -> str:
    """Wrap a paragraph or a point of a list; rows of tables and pictures stay on one line."""
    if line.startswith(("|", "!")):
        return line
    indent = "  " if line.startswith("- ") else ""
    return textwrap.fill(line, WIDTH, subsequent_indent=indent, break_on_hyphens=False)


def main() -> None:
    """Write pictures, README block and record."""
    findings = RESULTS / "report/findings.csv"
    if not findings.exists():
        sys.exit("make docs needs the results of a default run: make results")
    ledger = read_rows(RESULTS / "claims/claims.csv")
    tables = ("statistics/equivalence", "data/missing")
    study = load_plan("zhang2025", Config(), ROOT).reported
    compared, missing = (read_rows(RESULTS / f"{name}.csv") for name in tables)
    groups = list_gaps(read_rows(findings), compared, missing, study)["groups"]
    lines = [group["lines"][0] | {"task": group["label"]} for group in groups]
    text = render_page(
        "results",
        lines=lines,
        alt=describe_tasks(lines),
        number=look_up_cell,
        p=lambda value: state_p(value, ".2g"),
        curve=[(m, sum("within" in line["at"].get(m, "") for line in lines)) for m in MARGINS],
        statuses=Counter(row["status"] for row in ledger),
        holding=count_holding(ledger),
        # The report says what moved them, too.
        changes=sum_up_changes(
            read_rows(RESULTS / "statistics/what_changes.csv"), ALPHA, with_causes=False
        ),
    )
    text = "\n".join(map(wrap_line, text.strip().splitlines()))
    readme = ROOT / "README.md"
    before, rest = readme.read_text().split(MARKS[0])
    after = rest.split(MARKS[1])[1]
    readme.write_text(f"{before}{MARKS[0]}\n{text}\n{MARKS[1]}{after}")
    draw_tasks(lines).savefig(ROOT / "docs/results.png", dpi=DPI)
    seen = {
        name: hashlib.sha256((ACCEPTED / f"{name}.csv").read_bytes()).hexdigest() for name in SEEN
    }
    (ROOT / "docs/made_from.json").write_text(json.dumps(seen, indent=1) + "\n")


if __name__ == "__main__":
    main()
