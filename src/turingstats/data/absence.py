"""Why a number is missing: a raw file was never public, is not bundled, or is not in this source as expected.

Every raw file that is not read is one row of missing.csv with one of four reasons. Panels, tables and
claims take their wording from here, so that the four are distinguished everywhere.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

NOT_PUBLIC = "not public"
NOT_BUNDLED = "public, not bundled"
"""In the public repository, but not among the observed trials that come with this project."""
NOT_HERE = "not in this source"
"""Listed as public, but not in the folder or repository that this run reads."""
NOT_READ = "not as expected"
"""In the folder or repository, but in another layout than the one that is read."""

FIX = "data.source: public fetches it"
"""How to get a file that is public but not bundled."""

ABSENT = {
    NOT_HERE: "listed as public, but missing from the folder or repository that this run reads",
    NOT_READ: "in the folder or repository, but not in the expected layout; see data/record_checks.csv",
    NOT_BUNDLED: f"in the public repository, but not among the trials that come with this project; {FIX}",
    NOT_PUBLIC: "never made public; only the authors could supply it",
}
"""What each reason means, starting with the one that is easiest for a user to resolve."""

IN_WORDS = {
    NOT_HERE: "no data in this source",
    NOT_READ: "not in the expected layout",
    NOT_BUNDLED: "public, not bundled",
    NOT_PUBLIC: "no public data",
}
"""What an empty panel or cell says, starting with the reason that is easiest for a user to resolve. Since
boxes and cells are small, how to get the data is given where files are named (`describe_absent_files`)."""


def explain_absence(missing: pd.DataFrame, all_needed: bool = False) -> str:
    """Say in a few words why there are no data."""
    reasons = set(missing["why"])
    order = reversed(IN_WORDS) if all_needed else IN_WORDS
    return next((IN_WORDS[why] for why in order if why in reasons), "no data")


def describe_absent_files(paths: Iterable[str], why: str) -> str:
    """List absent files in one text with how to get them, for captions and the inventory."""
    fix = f" ({FIX})" if why == IN_WORDS[NOT_BUNDLED] else ""
    return "; ".join(dict.fromkeys(paths)) + fix


def describe_absent_file(row: Mapping[str, Any]) -> str:
    """Describe an absent file with the reason, for claims."""
    fix = f"; {FIX}" if row["why"] == NOT_BUNDLED else ""
    return f"{row['path']} ({row['why']}{fix})"
