"""Generate the data package of the study, so that the whole pipeline runs without any download.

The package has the tables and columns of that with the observed trials (`data/observed/zhang2025/`). How many
judges and trials there are, and how often each agent is judged machine, comes from ``design.csv``; who the
judges are comes from ``demographics.csv``. Everything else is made up; `verdicts` has the model of a verdict.
"""

import pandas as pd

from demo.zhang2025 import conversations, responses, verdicts
from demo.zhang2025.verdicts import DesignPart
from turingstats.data import package_writer
from turingstats.stats.resampling import make_generator

TASKS = ("caption", "word", "conversation", "color", "object", "attention")
HEADER = {
    "profile": "tabular-data-package",
    "name": "zhang2025-generated-trials",
    "title": "Generated trials with the sizes and rates of Zhang et al. (2025); nobody was observed",
    "version": "generated",
}
SOURCES = [f"data/published/zhang2025/{name}.csv" for name in ("design", "demographics")]
FIRST_PERSON = {"amt": 1, "feedback": 501, "gpt4o_agent": 701, "ablated": 901, "prolific2025": 41}
"""Number of the first person of each cohort whose judges are known, in the first task."""
PEOPLE_BETWEEN_TASKS = 40
"""How much later the people of the next task begin: fewer than judge, so that many judge in several tasks."""
AGE_BANDS = {"45-50": "46-50", "51": "51+"}
"""Ages that the files spell otherwise than the data contract."""
STIMULI = ["stimulus", "agent_a", "agent_b", "variant", "topic"]
TRIALS = [
    "cohort",
    "judge",
    "trial",
    "position",
    "phase",
    "stimulus",
    "variant",
    "domain",
    "exchanges",
    "agent",
]
TRIALS += ["verdict", "rt_ms", "control_ok", "defect"]
TRIALS += ["verdict_a", "verdict_b", "perceived_gender_a", "perceived_gender_b"]
"""Columns in the order of the observed tables."""
DOMAINS = ("COCO", "in-domain", "near-domain", "out-of-domain")
DEMOGRAPHICS = {"gender": "gender", "age": "age_band", "education": "education"}


def generate_files(published: dict[str, pd.DataFrame], seed: int) -> dict[str, str]:
    """Generate the files of the data package, by name."""
    design, demographics = published["design"], published["demographics"]
    tables: dict[str, pd.DataFrame] = {}
    for task in TASKS:
        parts = verdicts.read_design(design, demographics, task)
        answers = responses.generate_responses(task, make_generator(seed, f"{task} responses"))
        if task == "conversation":
            stimuli = conversations.list_conversations()
            judged = stimuli["collection"] != "pilot"
            tables[f"{task}_stimuli"] = stimuli.loc[judged, STIMULI]
            trials = conversations.generate_trials(parts, stimuli, seed)
        else:
            trials = generate_trials(task, parts, answers, seed)
        tables |= {
            f"{task}_trials": trials.reindex(columns=TRIALS),
            f"{task}_judges": generate_judges(task, parts, trials, demographics, seed),
            f"{task}_responses": answers,
        }
    return package_writer.format_package(tables, HEADER, dict.fromkeys(TASKS, SOURCES))


def generate_trials(
    task: str, parts: list[DesignPart], answers: pd.DataFrame, seed: int
) -> pd.DataFrame:
    """Generate the trials of a task in which one response is judged at a time."""
    pools = verdicts.list_stimuli(task, answers)
    agents = sorted({agent for part in parts for agent in part.agents})
    effects = verdicts.draw_effects(make_generator(seed, f"{task} stimuli"), agents, pools[""])
    tables = [
        verdicts.generate_cohort(
            make_generator(seed, f"{task} {part.name}"), task, part, pools, effects
        )
        for part in parts
    ]
    trials = pd.concat(tables, ignore_index=True)
    if task == "caption":
        # 250 images come from each domain, in the order of their numbers.
        quarter = (trials["stimulus"].astype("Int64") - 1) // 250
        trials["domain"] = quarter.map(dict(enumerate(DOMAINS)))
    return trials


def generate_judges(
    task: str,
    parts: list[DesignPart],
    trials: pd.DataFrame,
    demographics: pd.DataFrame,
    seed: int,
) -> pd.DataFrame:
    """Generate the judges: people with the published counts of each answer, dealt independently."""
    tables = []
    for part in parts:
        names = verdicts.name_judges(part)
        table = pd.DataFrame({"cohort": part.cohort, "judge": names})
        if part.people and part.cohort != "online":
            rng = make_generator(seed, f"{task} {part.name} judges")
            for variable, column in DEMOGRAPHICS.items():
                answers = demographics[
                    (demographics["task"] == task)
                    & (demographics["cohort"] == part.name)
                    & (demographics["variable"] == variable)
                ]
                values = answers["value"].replace(AGE_BANDS).repeat(answers["n_judges"].astype(int))
                if len(values) != part.judges:
                    raise ValueError(
                        f"demographics.csv, {task}, cohort {part.name}, {variable}: the counts add up "
                        f"to {len(values)}, and design.csv has {part.judges} judges"
                    )
                table[column] = rng.permutation(values)
            table["person"] = name_people(task, part)
        tables.append(table)
    return pd.concat(tables, ignore_index=True).drop_duplicates(["cohort", "judge"])


def name_people(task: str, part: DesignPart) -> list[str] | None:
    """Name the people of a cohort, where it is known who they are."""
    register = "prolific" if task == "conversation" else "mturk"
    if part.cohort not in FIRST_PERSON or (register == "prolific" and part.cohort == "amt"):
        return None
    first = FIRST_PERSON[part.cohort] + PEOPLE_BETWEEN_TASKS * TASKS.index(task) + part.first_judge
    return [f"{register}.p{first + number:03d}" for number in range(part.judges)]
