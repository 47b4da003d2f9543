# A new model, scored by every available judge alongside the paper's models.
#
#   snakemake benchmark --config responses=my_model.json task=caption
#
# in:  the file of responses; <results>/{study}/data/responses.parquet, statistics/estimates.csv
# out: <results>/{study}/benchmark/{submission}/detectability.csv, .tex, .html, .svg; scores.csv, matching.csv

SUBMISSION = f"<results>/<study>/benchmark/{CONFIG.submission}"


rule benchmark:
    input:
        # Says what to give if no new model is configured.
        lambda w: load_or_stop(check_submission, PLAN),
        submitted=CONFIG.responses or [],
        responses="<results>/<study>/data/responses.parquet",
        estimates="<results>/<study>/statistics/estimates.csv",
        templates=templates("base", "table", "figure_notes.txt"),
    output:
        scores=f"{SUBMISSION}/scores.csv",
        matching=f"{SUBMISSION}/matching.csv",
        csv=f"{SUBMISSION}/detectability.csv",
        tex=f"{SUBMISSION}/detectability.tex",
        html=f"{SUBMISSION}/detectability.html",
        svg=f"{SUBMISSION}/detectability.svg",
    log:
        "<results>/<study>/logs/benchmark.log",
    benchmark:
        "<results>/<study>/benchmarks/benchmark.tsv"
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("scripts/benchmark.py"),
        study=select_sections(PLAN.study, keep=[LABEL, HEADING]),
        task=CONFIG.task,
        name=CONFIG.submitted_name,
        judges=CONFIG.judges.model_dump(mode="json"),
        llm=CONFIG.llm.model_dump(mode="json"),
        reading="recommended",
        options={"seed": CONFIG.seed, "confidence": CONFIG.confidence},
        dpi=STYLE["dpi"],
        data=PLAN.raw.label,
    script:
        "../../scripts/benchmark.py"
