"""Pick the numbers that each figure shows."""

from pathlib import Path

from turingstats.analysis import judge_spread
from turingstats.config.study import Study
from turingstats.core import files
from turingstats.core.errors import report_errors
from turingstats.figures import source_data
from turingstats.judges.svm.results import read_evaluations

with report_errors(snakemake.log[0]):
    study = Study(**snakemake.params.study)
    results = {
        name: files.read_frame(snakemake.input[name])
        for name in ("counts", "estimates", "tests", "sizes", "missing", "responses")
    }
    # Tables that panels of listed rows name.
    results |= {Path(path).stem: files.read_frame(path) for path in snakemake.input.listed}
    results["evaluation"] = read_evaluations(snakemake.input.evaluation)
    # A study without agents' scores from the literature has no such file.
    scores = snakemake.input.benchmarks
    results["benchmarks"] = files.read_frame(scores[0]) if scores else None
    results["printed"] = source_data.list_printed_estimates(
        [files.read_frame(path) for path in snakemake.input.claims]
    )
    exclusions = files.read_frame(snakemake.input.exclusions)
    for path in snakemake.output:
        name = Path(path).stem
        if name == "exclusions":
            table = source_data.select_exclusions(exclusions, study)
        elif name == "judge_spread":
            params = snakemake.params
            table = judge_spread.tabulate_judge_shares(
                results["counts"], study, params.reading, params.level, params.data
            )
        elif name == "audit":
            table = source_data.select_audit(files.read_frame(snakemake.input.audit[0]), study)
        else:
            table = source_data.select_figure_data(
                name,
                study,
                results,
                reading=snakemake.params.reading,
                level=snakemake.params.level,
                data=snakemake.params.data,
            )
        source_data.write_source_data(table, path)
        print(f"{name}: {len(table)} numbers")
