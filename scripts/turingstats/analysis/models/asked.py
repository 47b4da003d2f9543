"""What of each fit answers the questions of published tests, kept in a file of its own."""

import json
from pathlib import Path
from typing import NamedTuple

import numpy as np

from turingstats.core import files


class Asked(NamedTuple):
    """What of a fitted model answers the questions of published tests.

    Attributes
    ----------
    estimate : array, shape (coefficients,)
    covariance : array, shape (coefficients, coefficients)
    notes : tuple of str
    predictors : dict
        From `turingstats.analysis.models.predictors.average_predictors`, by the column of the groups that are
        compared (None: there are none).
    """

    estimate: np.ndarray
    covariance: np.ndarray
    notes: tuple[str, ...]
    predictors: dict


def find_group_column(comparison):
    """Column of the groups that a comparison is of; None where there are none."""
    return "cohort" if len(comparison.cohorts) > 1 else comparison.by


def write_fit_summaries(asked, path):
    """Write what is kept of the fits as JSON, with numbers in their shortest exact form."""
    content = {
        name: {
            "estimate": own.estimate.tolist(),
            "covariance": own.covariance.tolist(),
            "notes": list(own.notes),
            "predictors": [
                [
                    column,
                    found and [[list(levels), row.tolist()] for levels, row in found.items()],
                ]
                for column, found in own.predictors.items()
            ],
        }
        for name, own in asked.items()
    }
    files.write_text(json.dumps(content, indent=1) + "\n", path)


def read_fit_summaries(path):
    """Read what `write_fit_summaries` wrote."""
    return {
        name: Asked(
            np.array(own["estimate"]),
            np.array(own["covariance"]),
            tuple(own["notes"]),
            {
                column: found and {tuple(levels): np.array(row) for levels, row in found}
                for column, found in own["predictors"]
            },
        )
        for name, own in json.loads(Path(path).read_text()).items()
    }
