"""Measure ratings and detectors' scores, and model ratings by agent."""

import pandas as pd

from turingstats.analysis import detector_scores, graded_verdicts, ordinal_models
from turingstats.config.study import Study
from turingstats.core import files
from turingstats.core.errors import report_errors
from turingstats.data.counts import map_judges_to_people

with report_errors(snakemake.log[0]):
    params, out = snakemake.params, snakemake.output
    study = Study(**params.study)
    judgments = files.read_frame(snakemake.input.judgments)
    people = map_judges_to_people(files.read_frame(snakemake.input.judges))
    graded = judgments, study, params.grades, params.level, people
    ratings = pd.concat(
        [graded_verdicts.measure_ratings(*graded), detector_scores.measure_scores(*graded)],
        ignore_index=True,
    )
    models = ordinal_models.fit_ordinal_models(*graded)
    files.write_frame(ratings.assign(data=params.data), out.ratings)
    files.write_frame(models.assign(data=params.data), out.models)
    print(f"{len(ratings)} numbers of ratings, {models['model_id'].nunique()} models")
