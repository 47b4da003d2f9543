# A new model, scored by every available judge alongside the paper's models.
#
#   snakemake benchmark --config responses=my_model.json task=caption
#   snakemake benchmark --config verdicts=my_judges.csv task=caption model_name=Mine
#
# in:  the file of responses, of verdicts, or both; <results>/{study}/data/responses.parquet, counts.parquet,
#      statistics/estimates.csv
# out: <results>/{study}/benchmark/{submission}/page.html, scores.csv, differences.csv, matching.csv


rule benchmark:
    input:
        lambda w: load_or_stop(lambda: PLAN.submission_targets),


rule score_model:
    input:
        submitted=lambda w: CONFIG.responses or [],
        verdicts=lambda w: CONFIG.verdicts or [],
        counts="<results>/{study}/data/counts.parquet",
        responses="<results>/{study}/data/responses.parquet",
        estimates="<results>/{study}/statistics/estimates.csv",
        template="workflow/report/benchmark.html",
        code=code("scripts/benchmark.py"),
    output:
        page="<results>/{study}/benchmark/{submission}/page.html",
        scores="<results>/{study}/benchmark/{submission}/scores.csv",
        differences="<results>/{study}/benchmark/{submission}/differences.csv",
        matching="<results>/{study}/benchmark/{submission}/matching.csv",
    log:
        "<results>/{study}/logs/benchmark_{submission}.log",
    benchmark:
        "<results>/{study}/benchmarks/benchmark_{submission}.tsv"
    conda:
        "../../envs/environment.yaml"
    params:
        study=sections(keep=[LABEL, HEADING]),
        task=CONFIG.task,
        name=CONFIG.submitted_name,
        values=CONFIG.values,
        judges=CONFIG.judges.model_dump(mode="json"),
        llm=CONFIG.llm.model_dump(mode="json"),
        reading="recommended",
        options={"seed": CONFIG.seed, "confidence": CONFIG.confidence},
        data=data,
    script:
        "../../scripts/benchmark.py"
