# All results of a study on one page, and what they were made from.
#
# in:  all results of a study: figures and their source data, tables, claims, exclusion logs
# out: <results>/{study}/report/index.html, report.html, findings.csv, data/provenance.json


rule report:
    input:
        PLAN.list_inputs("report"),
        made=[path for path in PLAN.everything if path not in PLAN.list_outputs("report")],
        templates=templates(
            "base",
            "reading",
            "report",
            "captions.yaml",
            "first_screen.txt",
            "figure_titles.txt",
            "alt_texts.yaml",
        ),
    output:
        PLAN.list_outputs("report"),
    log:
        "<results>/<study>/logs/report.log",
    benchmark:
        "<results>/<study>/benchmarks/report.tsv"
    conda:
        "../../envs/environment.yaml"
    params:
        code=code(JOB, *PLAN.list_functions("report")),
        job=PLAN.describe_job("report"),
    script:
        "../../scripts/make_results.py"
