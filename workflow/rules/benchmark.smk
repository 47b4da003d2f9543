# A new model, scored by every available judge alongside the paper's models.
#
#   snakemake benchmark --config responses=my_model.json task=caption
#
# in:  the file of responses, <results>/{study}/data/responses.parquet, statistics/estimates.csv
# out: <results>/{study}/benchmark/{submission}/page.html, scores.csv, matching.csv


rule benchmark:
    input:
        lambda w: load_or_stop(lambda: PLAN.submission_targets),


rule score_model:
    input:
        submitted=lambda w: CONFIG.responses or [],
        responses="<results>/{study}/data/responses.parquet",
        estimates="<results>/{study}/statistics/estimates.csv",
        template="workflow/report/benchmark.html",
        code=code("benchmark.py"),
    output:
        page="<results>/{study}/benchmark/{submission}/page.html",
        scores="<results>/{study}/benchmark/{submission}/scores.csv",
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
        judges=CONFIG.judges.model_dump(mode="json"),
        llm=CONFIG.llm.model_dump(mode="json"),
        reading="recommended",
        options=BOOTSTRAP,
        data=data,
    script:
        "../../scripts/benchmark.py"
