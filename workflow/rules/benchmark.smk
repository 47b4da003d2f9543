# A new model, scored by every available judge alongside the paper's models.
#
#   snakemake benchmark --config responses=my_model.json task=caption
#   snakemake benchmark --config verdicts=my_judges.csv task=caption name=Mine
#
# in:  the file of responses, of verdicts, or both; <results>/{study}/data/responses.parquet, counts.parquet,
#      statistics/estimates.csv
# out: <results>/{study}/benchmark/{submission}/page.html, scores.csv, differences.csv, matching.csv

SUBMISSION = f"<results>/<study>/benchmark/{CONFIG.submission}"


rule benchmark:
    input:
        # Says what to give if no new model is configured.
        lambda w: load_or_stop(PLAN.check_submission),
        submitted=CONFIG.responses or [],
        verdicts=CONFIG.verdicts or [],
        counts="<results>/<study>/data/counts.parquet",
        responses="<results>/<study>/data/responses.parquet",
        estimates="<results>/<study>/statistics/estimates.csv",
        template=os.path.relpath(HOME / "workflow/report/benchmark.html"),
        code=code("scripts/benchmark.py"),
    output:
        page=f"{SUBMISSION}/page.html",
        scores=f"{SUBMISSION}/scores.csv",
        differences=f"{SUBMISSION}/differences.csv",
        matching=f"{SUBMISSION}/matching.csv",
    log:
        "<results>/<study>/logs/benchmark.log",
    benchmark:
        "<results>/<study>/benchmarks/benchmark.tsv"
    conda:
        "../../envs/environment.yaml"
    params:
        study=PLAN.select_sections(keep=[LABEL, HEADING]),
        task=CONFIG.task,
        name=CONFIG.submitted_name,
        values=CONFIG.values,
        judges=CONFIG.judges.model_dump(mode="json"),
        llm=CONFIG.llm.model_dump(mode="json"),
        reading="recommended",
        options={"seed": CONFIG.seed, "confidence": CONFIG.confidence},
        data=PLAN.data_label,
    script:
        "../../scripts/benchmark.py"
