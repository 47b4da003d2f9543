# All results of a study on one page, and an overview page of all studies.
#
# in:  all results of a study: figures and their source data, tables, claims, exclusion logs, provenance.json
# out: <results>/{study}/report/index.html, findings.csv; <results>/{study}/logs/run.html;
#      <results>/index.html


rule report:
    input:
        PLAN.report_targets,


rule summarize:
    input:
        unpack(lambda w: plan(w).summed_up),
        code=code("scripts/summarize.py"),
    output:
        "<results>/{study}/report/findings.csv",
    log:
        "<results>/{study}/logs/summarize.log",
    group:
        submitted_with("report")
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
            *plan(w).results,
            *plan(w).source_data,
            *(path for path in plan(w).report_targets if path.endswith(".csv")),
        ],
        templates=templates("base", "reading", "report", "run"),
        code=code("scripts/report.py"),
    output:
        page="<results>/{study}/report/index.html",
        # Differs from run to run, like the logs and benchmarks that it is made from.
        run="<results>/{study}/logs/run.html",
    log:
        "<results>/{study}/logs/report.log",
    benchmark:
        "<results>/{study}/benchmarks/report.tsv"
    group:
        submitted_with("report")
    conda:
        "../../envs/environment.yaml"
    params:
        study=lambda w: plan(w).reported,
    script:
        "../../scripts/report.py"


rule all_reports:
    input:
        reports=[f"{plan.folder}/report/index.html" for plan in PLANS.values()],
        synthesis=[rules.synthesize.output, rules.draw_synthesis.output],
        templates=templates("base", "reading", "studies"),
        code=code("scripts/all_reports.py"),
    output:
        "<results>/index.html",
    log:
        "<results>/all_reports.log",
    group:
        submitted_with("overview")
    conda:
        "../../envs/environment.yaml"
    params:
        studies=[plan.reported for plan in PLANS.values()],
    script:
        "../../scripts/all_reports.py"
