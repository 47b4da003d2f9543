# All rules of one study, the configured one. Paths have two variables: <results> and <study>.

# Templates of prompts: those of the project, or else those of the rules.
if not Path(CONFIG.llm.prompts).is_dir():
    prompts = {"prompts": os.path.relpath(HOME / CONFIG.llm.prompts)}
    CONFIG = CONFIG.model_copy(update={"llm": CONFIG.llm.model_copy(update=prompts)})
PROMPTS = sorted(map(str, Path(CONFIG.llm.prompts).glob("*.txt")))
PLAN = load_or_stop(load_plan, CONFIG.study, CONFIG, Path.cwd())
DESIGN = PLAN.study.design
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
