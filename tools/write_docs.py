"""Renew the results shown in the README and docs: pictures, the table of tasks, the findings.

make docs calls this after a default run. `docs/made_from.json` records which accepted numbers it saw, so that
a test can tell when these have changed since.
"""

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import pandas as pd
from PIL import Image

from turingstats.core.labels import state_p
from turingstats.core.templating import make_environment

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "results/zhang2025"
ACCEPTED = ROOT / "tests/golden/observed"
MARKS = ("<!-- results: written by make docs -->", "<!-- end of results -->")
WIDTH = 900
"""Of the picture of Fig 6, in pixels."""
SEEN = [
    *(f"statistics/{name}" for name in ("estimates", "tests", "sizes", "what_changes")),
    *("statistics/equivalence", "tables/equivalence", "claims/claims", "figures/fig6"),
]
"""Accepted tables whose numbers are shown."""


class Numbers:
    """Look up numbers of the results by table, id and column, for the template."""

    def __init__(self, results: Path) -> None:
        self.results = results
        self.tables: dict[str, pd.DataFrame] = {}

    def look_up_cell(
        self, table: str, name: str, column: str = "value", reading: str = "recommended"
    ) -> Any:
        """Return a cell of a table; an unknown row or column is an error."""
        if table not in self.tables:
            read = pd.read_csv(self.results / f"statistics/{table}.csv")
            keys = [next(c for c in read if c.endswith("_id"))]
            keys += ["reading"] * ("reading" in read)
            self.tables[table] = read.set_index(keys).sort_index()
        rows = self.tables[table]
        return rows.loc[(name, reading) if rows.index.nlevels == 2 else name, column]


def main() -> None:
    """Write pictures, README block and record."""
    findings = RESULTS / "report/findings.csv"
    if not findings.exists():
        sys.exit("make docs needs the results of a default run: make results")
    numbers = Numbers(RESULTS)
    ledger = pd.read_csv(RESULTS / "claims/claims.csv")
    changes = pd.read_csv(RESULTS / "statistics/what_changes.csv")
    templates = make_environment(ROOT / "docs", escape=False)
    text = templates.get_template("results.md.j2").render(
        tasks=pd.read_csv(findings).to_dict("records"),
        number=numbers.look_up_cell,
        p=lambda value: state_p(value, ".2g"),
        statuses=ledger["status"].value_counts().to_dict(),
        crossed=changes["crossed_change"].value_counts().to_dict(),
        moved=pd.crosstab(changes["crossed_change"], changes["crossed_moved_by"].fillna("")),
    )
    readme = ROOT / "README.md"
    before, rest = readme.read_text().split(MARKS[0])
    after = rest.split(MARKS[1])[1]
    readme.write_text(f"{before}{MARKS[0]}\n{text.strip()}\n{MARKS[1]}{after}")
    picture = Image.open(RESULTS / "figures/fig6.png").convert("RGB")
    picture = picture.resize(
        (WIDTH, round(picture.height * WIDTH / picture.width)), Image.Resampling.LANCZOS
    )
    picture.quantize(128).save(ROOT / "docs/fig6.png", optimize=True)
    seen = {
        name: hashlib.sha256((ACCEPTED / f"{name}.csv").read_bytes()).hexdigest() for name in SEEN
    }
    (ROOT / "docs/made_from.json").write_text(json.dumps(seen, indent=1) + "\n")


if __name__ == "__main__":
    main()
