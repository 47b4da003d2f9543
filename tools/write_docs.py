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
from pathlib import Path
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from turingstats.core.labels import begin_in_lower_case, state_p
from turingstats.core.templating import make_environment
from turingstats.figures.palette import SERIES, Style
from turingstats.figures.rows import Chart, Mark, Row, RowTable, draw_row_page
from turingstats.report.at_a_glance import read_rows
from turingstats.report.front import MARGINS, sum_up_changes
from turingstats.report.sections import describe_holding

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "results/zhang2025"
ACCEPTED = ROOT / "tests/golden/observed"
MARKS = ("<!-- results: written by make docs -->", "<!-- end of results -->")
DPI, ALPHA, WIDTH = 150, 0.05, 120
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


def draw_tasks(tasks: pd.DataFrame) -> Figure:
    """Draw the detectability of all machines by task, with its interval and the answer."""
    style = Style(SERIES[0], "o")
    rows = [
        Row(
            task.task_label,
            [Mark(task.detectability, (task.ci_low, task.ci_high), style, [task.answer])],
        )
        for task in tasks.itertuples()
    ]
    # Twentieths that hold all intervals.
    limits = (
        math.floor(20 * min(tasks["ci_low"].min(), 0.5)) / 20,
        math.ceil(20 * tasks["ci_high"].max()) / 20,
    )
    chart = Chart(limits, 0.5, "Detectability (0.5: chance)", heads=["answer"])
    foot = "Largest cohorts of people, with 95% intervals over judges and stimuli. Observed data."
    return draw_row_page(tasks, foot, RowTable(rows, [chart]))


def describe_tasks(tasks: pd.DataFrame) -> str:
    """Describe the picture of tasks to readers who do not see it."""
    parts = [f"{task.task_label} {task.detectability:.2f}" for task in tasks.itertuples()]
    return f"Detectability of all machines by task, where 0.5 is chance: {', '.join(parts)}"


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
    templates = make_environment(ROOT / "docs", escape=False)
    found = pd.read_csv(findings)
    tasks = found[found["agent"] == "all"]
    tasks = tasks.assign(first=~tasks["task"].duplicated())
    text = templates.get_template("results.md.j2").render(
        tasks=tasks.to_dict("records"),
        alt=describe_tasks(tasks),
        number=look_up_cell,
        p=lambda value: state_p(value, ".2g"),
        lower=begin_in_lower_case,
        curve=[(m, int((100 * tasks["smallest_margin"] < m).sum())) for m in MARGINS],
        statuses=Counter(row["status"] for row in ledger),
        holding=describe_holding(ledger),
        changes=sum_up_changes(read_rows(RESULTS / "statistics/what_changes.csv"), ALPHA),
    )
    text = "\n".join(map(wrap_line, text.strip().splitlines()))
    readme = ROOT / "README.md"
    before, rest = readme.read_text().split(MARKS[0])
    after = rest.split(MARKS[1])[1]
    readme.write_text(f"{before}{MARKS[0]}\n{text}\n{MARKS[1]}{after}")
    draw_tasks(tasks).savefig(ROOT / "docs/results.png", dpi=DPI)
    seen = {
        name: hashlib.sha256((ACCEPTED / f"{name}.csv").read_bytes()).hexdigest() for name in SEEN
    }
    (ROOT / "docs/made_from.json").write_text(json.dumps(seen, indent=1) + "\n")


if __name__ == "__main__":
    main()
