# All rules of one study, the configured one. Paths have two variables: <results> and <study>.

PLAN = load_or_stop(load_plan, CONFIG.study, CONFIG, Path.cwd())
DESIGN = PLAN.study.design
# Templates of prompts: those of the project, or else those of the rules.
PROMPT_FOLDER = CONFIG.llm.prompts
if not Path(PROMPT_FOLDER).is_dir():
    PROMPT_FOLDER = os.path.relpath(HOME / PROMPT_FOLDER)
PROMPTS = sorted(map(str, Path(PROMPT_FOLDER).glob("*.txt")))
LLM = CONFIG.llm.model_dump(mode="json") | {"prompts": PROMPT_FOLDER}
# Logs whose words are for the user.
USER_LOGS = [
    f"{CONFIG.pathvars.results}/{PLAN.name}/logs/{job}.log"
    for job in ("compare_with_public", "report", "plan", "benchmark")
]


pathvars:
    study=PLAN.name,


EVERYTHING = PLAN.everything


include: "raw_files.smk"
include: "analysis.smk"


if DESIGN == "verdicts":

    include: "verdicts.smk"
    include: "llm.smk"
    include: "benchmark.smk"


include: "figures.smk"
include: "claims.smk"
include: "report.smk"
include: "init.smk"
include: "plan.smk"
