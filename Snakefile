# Turing-like tests: from raw judgments to figures, tests and checked claims.
#
#   snakemake                 everything of the configured study
#   snakemake figures         the figures; likewise data, statistics, models, tables, ledger, report
#   snakemake --config study=zhang2022    another study of config/studies/; study=all: all of them
#   snakemake init --config csv=trials.csv   a starting study for data of your own
#   snakemake plan            power and cost of a planned study
#   snakemake -n              what would be run, and why

import os

from snakemake.utils import min_version

min_version("9.27")


# In a folder with data only, every key has its default.
if os.path.exists("config/config.yaml"):

    configfile: "config/config.yaml"


include: "workflow/rules/common.smk"


RESULTS = Path(CONFIG.pathvars.results)
# A starting study has no results.
RECORDED = RESULTS, "" if CONFIG.csv else CONFIG.study
load_or_stop(record.refuse_edited_results, *RECORDED)


if CONFIG.csv:
    # A starting study needs no other.
    USER_LOGS = []

    include: "workflow/rules/init.smk"

    EVERYTHING = refuse_table_without_target

elif CONFIG.study == "all":

    include: "workflow/rules/all_studies.smk"

else:

    include: "workflow/rules/study.smk"


rule all:
    input:
        EVERYTHING,


onstart:
    record.forget_results(*RECORDED)


onsuccess:
    record.record_results(*RECORDED)
    show_logs(USER_LOGS)


onerror:
    record.record_results(*RECORDED)
    show_logs(RESULTS.rglob("*.log"), only_errors=True)
