"""The parts of each fit that answer the questions of published tests, stored in a separate file."""

import json
from typing import Any, NamedTuple

import numpy as np

from turingstats.config.study import Comparison


class Asked(NamedTuple):
    """The parts of a fitted model that answer the questions of published tests."""

    estimate: np.ndarray
    covariance: np.ndarray
    # Degrees of freedom of tests.
    df: float
    notes: tuple[str, ...]
    # From `average_predictors`, by the column of the groups that are compared (None: no groups).
    predictors: dict


def find_group_column(comparison: Comparison) -> str | None:
    """Find the column of the groups that a comparison is about; None if there are no groups."""
    return "cohort" if len(comparison.cohorts) > 1 else comparison.by


def format_fit_summaries(asked: dict[str, Asked]) -> str:
    """Format summaries of fits as JSON, with numbers in their shortest exact form."""
    content = {}
    for name, summary in asked.items():
        weights = [
            [column, by_level and list(by_level.items())]
            for column, by_level in summary.predictors.items()
        ]
        content[name] = summary._asdict() | {"predictors": weights}
    return json.dumps(content, indent=1, default=np.ndarray.tolist) + "\n"


def parse_fit_summaries(content: dict[str, dict[str, Any]]) -> dict[str, Asked]:
    """Parse what `format_fit_summaries` formatted."""
    return {
        name: Asked(
            np.array(summary["estimate"]),
            np.array(summary["covariance"]),
            float(summary["df"]),
            tuple(summary["notes"]),
            {
                column: weights and {tuple(levels): np.array(row) for levels, row in weights}
                for column, weights in summary["predictors"]
            },
        )
        for name, summary in content.items()
    }
