# Everything that was made of a study on one page, and one page over all studies.
#
# in:  all results of a study: figures and their source data, tables, claims, accounts, provenance.json
# out: <results>/{study}/report/index.html, findings.csv; <results>/index.html


rule report:
    input:
        report_targets(CONFIG.study),


rule summarize:
    input:
        unpack(numbers_to_sum_up),
        code=code("summarize.py"),
    output:
        "<results>/{study}/report/findings.csv",
    log:
        "<results>/{study}/logs/summarize.log",
    wildcard_constraints:
        study=only("verdicts"),
    conda:
        "../../envs/environment.yaml"
    params:
        study=sections(keep=[LABEL]),
        data=data,
    script:
        "../../scripts/summarize.py"


rule write_report:
    input:
        made=lambda w: [
            *results_of(w.study),
            *source_data(w.study),
            *(path for path in report_targets(w.study) if path.endswith(".csv")),
        ],
        templates=expand(
            "scripts/turingstats/templates/{page}.html", page=["base", "reading", "report"]
        ),
        code=code("report.py"),
    output:
        "<results>/{study}/report/index.html",
    log:
        "<results>/{study}/logs/report.log",
    benchmark:
        "<results>/{study}/benchmarks/report.tsv"
    conda:
        "../../envs/environment.yaml"
    params:
        study=lambda w: reported_study(w.study),
    script:
        "../../scripts/report.py"


rule all_reports:
    input:
        reports=[path for name in STUDIES for path in report_targets(name)],
        templates=expand(
            "scripts/turingstats/templates/{page}.html", page=["base", "reading", "studies"]
        ),
        code=code("all_reports.py"),
    output:
        "<results>/index.html",
    log:
        "<results>/all_reports.log",
    conda:
        "../../envs/environment.yaml"
    params:
        studies=[reported_study(name) for name in STUDIES],
    script:
        "../../scripts/all_reports.py"
