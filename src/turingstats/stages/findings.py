"""The findings of a study, by task and by agent."""

from pathlib import Path
from typing import Any

import pandas as pd

from turingstats.analysis import findings
from turingstats.config.study import Study
from turingstats.core import files

NO_CLAIMS = pd.DataFrame(columns=["task", "kind", "status"])


def write_findings(study: dict[str, Any], folder: Path, claimed: bool, data: str) -> None:
    """Summarize the findings of a study of verdicts, whose claims may have been checked."""
    names = ("estimates", "equivalence", "sizes")
    tables = {name: files.read_frame(folder / f"statistics/{name}.csv") for name in names}
    path = folder / "claims/claims.csv"
    claims = files.read_frame(path) if claimed else NO_CLAIMS
    table = findings.summarize_tasks(Study(**study), **tables, claims=claims, data=data)
    files.write_frame(table, folder / "report/findings.csv")
