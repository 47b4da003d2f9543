# Turing-like tests: from raw judgments to figures, tests and checked claims.
#
#   snakemake                 everything of the configured study
#   snakemake figures         the figures; likewise tables, statistics, ledger, report, data
#   snakemake all_studies     everything of every study in config/studies/
#   snakemake init --config csv=trials.csv   a starting study for data of your own
#   snakemake plan            power and cost of a study to come
#   snakemake -n              what would be run, and why

from snakemake.utils import min_version

min_version("9.27")


configfile: "config/config.yaml"


wildcard_constraints:
    figure="[A-Za-z0-9_]+",
    table="[A-Za-z0-9_]+",
    submission="[a-z0-9_]+",


include: "workflow/rules/common.smk"
include: "workflow/rules/judges.smk"
include: "workflow/rules/data.smk"
include: "workflow/rules/llm.smk"
include: "workflow/rules/statistics.smk"
include: "workflow/rules/published.smk"
include: "workflow/rules/breakdowns.smk"
include: "workflow/rules/graded.smk"
include: "workflow/rules/models.smk"
include: "workflow/rules/ratings.smk"
include: "workflow/rules/figures.smk"
include: "workflow/rules/benchmark.smk"
include: "workflow/rules/tables.smk"
include: "workflow/rules/claims.smk"
include: "workflow/rules/baseline.smk"
include: "workflow/rules/init.smk"
include: "workflow/rules/plan.smk"
include: "workflow/rules/synthesis.smk"
include: "workflow/rules/report.smk"


rule all:
    default_target: not IS_MODULE
    input:
        PLAN.everything,


rule all_studies:
    input:
        [plan.everything for plan in PLANS.values()],
        "<results>/index.html",


onstart:
    lift_rate_limit(workflow)


onsuccess:
    end_display()
    print_glance()


onerror:
    end_display()
    print_failures()
