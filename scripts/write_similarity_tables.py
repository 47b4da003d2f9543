"""Write all that is shown of a study of similarity ratings, except pictures."""

from pathlib import Path

from turingstats.config.ratings_study import RatingsStudy
from turingstats.core.errors import report_errors
from turingstats.stages.results import Results
from turingstats.stages.show_similarity import show_results

with report_errors(snakemake.log[0]):
    params, folder = snakemake.params, Path(snakemake.output[0]).parents[1]
    made = [*snakemake.input.results, *snakemake.output]
    results = Results(
        study=RatingsStudy(**params.study),
        folder=folder,
        published=Path("data/published", params.study["study"]),
        made={str(Path(path).relative_to(folder).with_suffix("")) for path in made},
        reading=params.reading,
        level=params.level,
        data=params.data,
    )
    show_results(results, params.notes)
