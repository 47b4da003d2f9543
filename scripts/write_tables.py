"""Write all that is shown of a study, except pictures: tables, and numbers of figures."""

from pathlib import Path

from turingstats.config.study import Study
from turingstats.core.errors import report_errors
from turingstats.stages.results import Results
from turingstats.stages.show_rankings import show_rankings
from turingstats.stages.show_ratings import show_ratings
from turingstats.stages.show_verdicts import show_results

with report_errors(snakemake.log[0]):
    params, folder = snakemake.params, Path(snakemake.output[0]).parents[1]
    made = [*snakemake.input.results, *snakemake.output]
    results = Results(
        study=Study(**params.study),
        folder=folder,
        published=Path("data/published", params.study["study"]),
        made={str(Path(path).relative_to(folder).with_suffix("")) for path in made},
        reading=params.reading,
        level=params.level,
        data=params.data,
    )
    if results.study.design == "ratings":
        show_ratings(results, params.notes)
    elif results.study.design == "pairs":
        show_rankings(results, params.notes)
    else:
        show_results(
            results,
            params.figures,
            params.tables,
            params.listed,
            params.settings,
            params.notes,
        )
