"""Make the results of one rule, as the list of results says."""

import gc

# A job ends soon, and leaves little garbage: to look for it takes a sixth of the time.
gc.disable()

from pathlib import Path

from turingstats.config.study import Study
from turingstats.core.errors import report_errors
from turingstats.stages.job import Job, make_results

with report_errors(snakemake.log[0]):
    described = dict(snakemake.params.job)
    settings = described["settings"]
    settings["study"] = Study(**settings["study"])
    settings["published_folder"] = Path("data/published", settings["study"].study)
    folder = Path(snakemake.output[0]).parents[1]
    make_results(Job(**described, folder=folder, workers=snakemake.threads))
