# All results of a study on one page, and what they were made from.
#
# in:  all results of a study: figures and their source data, tables, claims, exclusion logs
# out: <results>/{study}/report/index.html, report.html, findings.csv, data/provenance.json


rule report:
    input:
        made=[path for path in PLAN.results if not path.endswith("provenance.json")],
        source_data=PLAN.source_data,
        sources="<results>/<study>/data/sources.csv",
        templates=templates("base", "reading", "report", "headings.yaml"),
        code=code("scripts/write_report.py"),
    output:
        findings=PLAN.report_targets[2:],
        page="<results>/<study>/report/index.html",
        mailed="<results>/<study>/report/report.html",
        provenance="<results>/<study>/data/provenance.json",
    log:
        "<results>/<study>/logs/report.log",
    benchmark:
        "<results>/<study>/benchmarks/report.tsv"
    conda:
        "../../envs/environment.yaml"
    params:
        versions=versions("scripts/write_report.py"),
        study=PLAN.reported,
        parts=PLAN.select_sections(keep=[LABEL]),
        claimed=bool(PLAN.study.claims),
        config=CONFIG.model_dump(mode="json"),
        source=PLAN.raw.source,
    script:
        "../../scripts/write_report.py"
