"""Pick the numbers of the figure of language-model judges."""

from turingstats.config.settings import LanguageModels
from turingstats.config.study import Study
from turingstats.core import files
from turingstats.core.errors import report_errors
from turingstats.figures import source_data
from turingstats.judges.svm.results import read_evaluations

with report_errors(snakemake.log[0]):
    from turingstats.config import llm_figure

    params = snakemake.params
    study, settings = Study(**params.study), LanguageModels(**params.settings)
    names = ("estimates", "tests", "sizes", "missing", "responses")
    results = {name: files.read_frame(snakemake.input[name]) for name in names}
    # A study without agents' scores from the literature has no such file.
    scores = snakemake.input.benchmarks
    results["benchmarks"] = files.read_frame(scores[0]) if scores else None
    # The figure shows only verdicts, not the quality of trained judges' scores.
    results["evaluation"] = read_evaluations([])
    answers = files.read_frame(snakemake.input.answers[0]) if snakemake.input.answers else None
    study = llm_figure.add_llm_figure(study, settings, answers)
    table = source_data.select_figure_data(
        "llm", study, results, reading=params.reading, level=params.level, data=params.data
    )
    files.write_frame(table, snakemake.output[0])
    print(f"{len(table)} numbers")
