"""All tables of the declared models of single verdicts."""

from typing import Any

import pandas as pd

from turingstats.analysis.models.asked import format_fit_summaries
from turingstats.analysis.models.contrasts import extract_fit_summaries, list_contrasts
from turingstats.analysis.models.fits import fit_models
from turingstats.analysis.settings import AnalysisSettings
from turingstats.config.study import Study


def tabulate_models(
    judgments: pd.DataFrame,
    groups: pd.DataFrame,
    people: dict[str, str],
    study: Study,
    options: AnalysisSettings,
    workers: int,
) -> dict[str, Any]:
    """Fit the declared models: tables by name, and `fits`, what published tests ask of them, as text."""
    models, fits = fit_models(judgments, groups, study, options, workers, people)
    return {
        "models": models,
        "model_contrasts": list_contrasts(
            study, fits, options["confidence"], options["correction"]
        ),
        "fits": format_fit_summaries(extract_fit_summaries(study, fits)),
    }
