"""Generate the data package of the study, so that the whole pipeline runs without any download.

The package has the tables and columns of that with the observed trials (`data/observed/zhang2025/`). How many
judges and trials there are, and how often each agent is judged machine, comes from ``design.csv``; who the
judges are comes from ``demographics.csv``. Everything else is made up; `demo.verdicts` has the model of a
verdict.
"""

import numpy as np
import pandas as pd

from demo.verdicts import draw_machine_verdicts
from demo.zhang2025 import responses
from turingstats.data import package_writer, schema
from turingstats.data.data_package import BY_SPEAKER
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
DEMOGRAPHICS = {"gender": "gender", "age": "age_band", "education": "education"}
REPEATED = ("svm_full", "svm_layer5", "svm_word")
"""Machine judges whose file repeats their predictions, as often as the design has judges."""
RIGHT = {"color": 0.887, "object": 0.92, "attention": 0.72}
ASKED = ("feedback", "gpt4o_agent", "ablated", "expert")
"""Share of right answers to the control question, and the cohorts that were asked one."""
FIRST_WAVE = ("color", "object")
"""Tasks whose design has only those trials of the cohort amt that had a right answer."""
RIGHT_TOPICS = 0.92
"""Largest share of right answers to the question on the topic of a conversation."""


def generate_files(published: dict[str, pd.DataFrame], seed: int) -> dict[str, str]:
    """Generate the files of the data package, by name."""
    tables: dict[str, pd.DataFrame] = {}
    for task in TASKS:
        rng = make_generator(seed, f"generated {task}")
        design = read_design(published, task)
        if task == "conversation":
            stimuli = responses.list_conversations()
            answers = responses.draw_turns(rng, stimuli)
            trials = draw_conversation_trials(rng, design, stimuli)
            judged = stimuli["collection"] != "pilot"
            shown = ["stimulus", "agent_a", "agent_b", "variant", "topic"]
            tables["conversation_stimuli"] = stimuli.loc[judged, shown]
        else:
            answers = responses.draw_responses(rng, task)
            trials = draw_trials(rng, task, design, answers["stimulus"].unique())
        trials["trial"] = trials["position"]
        columns = [*schema.JUDGMENTS, *(f"{name}_{side}" for name in BY_SPEAKER for side in "ab")]
        tables[f"{task}_trials"] = trials.reindex(columns=columns)
        tables[f"{task}_judges"] = draw_judges(rng, task, design, published["demographics"])
        tables[f"{task}_responses"] = answers
    return package_writer.format_package(tables, HEADER, dict.fromkeys(TASKS, SOURCES))


def read_design(published: dict[str, pd.DataFrame], task: str) -> pd.DataFrame:
    """Read the design of a task: judges, trials and rate of each agent in each part of a cohort."""
    numbers = dict.fromkeys(["n_judges", "trials_per_judge", "n_trials", "judged_machine"], int)
    design = published["design"].query("task == @task").astype(numbers).reset_index(drop=True)
    # Trials of cues with shared words belong to their cohort.
    design["shared"] = design["cohort"].str.endswith("_shared")
    design["part"] = design["cohort"].str.removesuffix("_shared")
    asked = published["demographics"].query("task == @task")["cohort"]
    design["people"] = design["part"].isin(asked)
    split = design["part"].str.partition(" ")
    design["cohort"], design["variant"] = split[0], split[2].replace("", None)
    if task == "attention":
        seen = np.where(design["cohort"] == "ablated", "visual search", "free viewing")
        design["variant"] = design["variant"].fillna(pd.Series(seen))
    parts = design.drop_duplicates("part")
    first = parts.groupby("cohort")["n_judges"].transform("cumsum") - parts["n_judges"]
    design["first_judge"] = design["part"].map(dict(zip(parts["part"], first, strict=True)))
    design["rate"] = design["judged_machine"] / design["n_trials"]
    repeated = design["cohort"].isin(REPEATED)
    design["n_trials"] //= design["n_judges"].where(repeated, 1)
    design["repeats"] = design["n_judges"].where(repeated, 1)
    return design.assign(n_judges=design["n_judges"].where(~repeated, 1), phase="test")


def deal_trials(
    rng: np.random.Generator, part: pd.DataFrame, pools: dict[str, np.ndarray]
) -> pd.DataFrame:
    """Deal the trials of a part to its judges: nearly the same number of each kind, in random order.

    Training comes first. No judge gets a stimulus twice; where `part` names no pool, stimuli are not known.
    """
    judges = part["n_judges"].iloc[0]
    trials = part.loc[part.index.repeat(part["n_trials"])].reset_index(drop=True)
    trials["number"] = np.arange(len(trials)) % judges
    trials = trials.assign(tested=trials["phase"] != "train").sample(frac=1, random_state=rng)
    trials = trials.sort_values(["number", "tested"], kind="stable", ignore_index=True)
    trials["position"] = trials.groupby("number").cumcount() + 1
    trials["judge"] = name_judges(trials["first_judge"] + trials["number"])
    trials["stimulus"] = None
    for pool, own in trials.groupby("pool"):
        order = rng.random((judges, len(pools[pool]))).argsort(axis=1)
        place = own.groupby("number").cumcount()
        trials.loc[own.index, "stimulus"] = pools[pool][order[own["number"], place]]
    return trials


def name_judges(number: pd.Series) -> pd.Series:
    """Name the judges of a cohort by their number, from 0."""
    return (number + 1).astype(str).str.zfill(3).radd("w")


def draw_trials(
    rng: np.random.Generator, task: str, design: pd.DataFrame, stimuli: np.ndarray
) -> pd.DataFrame:
    """Draw the trials of a task in which one response is judged at a time."""
    aside = design["agent"].isin(["catch", "swapped"]) & (task == "attention")
    design["phase"] = design["agent"].where(aside, "test")
    if task == "attention":
        training = design[(design["cohort"] == "feedback") & ~aside].assign(phase="train")
        design = pd.concat([design, training], ignore_index=True)
    design["missed"] = False
    if task in FIRST_WAVE:
        design = add_missed_trials(design)
    design["pool"] = design["variant"].fillna("all").where(design["people"])
    # The models of 2025 described the first 655 images alone.
    design.loc[(task == "caption") & (design["cohort"] == "gpt4o_agent"), "pool"] = "described"
    viewed = pd.Series(stimuli).str.startswith("img").to_numpy()
    pools = {"all": stimuli, "described": stimuli[:655]}
    pools |= {"free viewing": stimuli[viewed], "visual search": stimuli[~viewed]}
    parts = [deal_trials(rng, own, pools) for _, own in design.groupby("part", sort=False)]
    trials = pd.concat(parts, ignore_index=True)
    add_verdicts(rng, trials, trials["stimulus"] + " " + trials["agent"], ["phase", "missed"])
    trials["agent"] = trials["agent"].replace("swapped", "human")
    whole = [trials[trials["repeats"] > number] for number in range(trials["repeats"].max())]
    trials = pd.concat(whole, ignore_index=True)
    trials["position"] = trials.groupby(["part", "judge"]).cumcount() + 1
    people = trials["people"]
    trials["rt_ms"] = draw_times(rng, people, 9150)
    asked = people & trials["cohort"].isin(ASKED) & (task in RIGHT)
    trials["control_ok"] = draw_answers(rng, trials, RIGHT.get(task, 1)).where(asked)
    if task in FIRST_WAVE:
        trials.loc[trials["cohort"] == "amt", "control_ok"] = ~trials["missed"]
    if task == "caption":
        # 250 images come from each domain, in the order of their numbers.
        domain = np.array(["COCO", "in-domain", "near-domain", "out-of-domain"], object)
        shown = trials["stimulus"].notna()
        quarter = (trials.loc[shown, "stimulus"].astype(int) - 1) // 250
        trials.loc[shown, "domain"] = domain[quarter]
    if task == "word":
        trials["defect"] = np.where(trials["shared"], "shared word", None)
        trials.loc[trials["agent"] == "catch", "defect"] = "catch as machine"
        online = (trials["cohort"] == "amt") & ~trials["shared"]
        half = np.where(trials["number"] < trials["n_judges"] // 2, "free", "prompted")
        trials["variant"] = np.where(online, half, None)
    return trials


def add_missed_trials(design: pd.DataFrame) -> pd.DataFrame:
    """Add the trials of the cohort amt with a wrong answer to the control question."""
    first = design[design["cohort"] == "amt"]
    right = first["n_trials"].sum()
    wrong = (first["n_judges"] * first["trials_per_judge"]).iloc[0] - right
    until = (first["n_trials"].cumsum() * wrong / right).round().astype(int)
    missed = first.assign(n_trials=np.diff(until, prepend=0), missed=True)
    return pd.concat([design, missed], ignore_index=True)


def add_verdicts(
    rng: np.random.Generator, trials: pd.DataFrame, response: pd.Series, of: list[str]
) -> None:
    """Draw the verdicts, with the rate of each agent in each part and level of the columns `of`."""
    kind = trials.groupby(["part", "agent", "shared", *of], dropna=False).ngroup()
    person = (trials["cohort"] + " " + trials["judge"]).where(trials["people"])
    described = {"judge": person, "response": response, "kind": kind, "rate": trials["rate"]}
    is_machine = ~trials["agent"].isin(["human", "swapped"])
    machine = draw_machine_verdicts(rng, pd.DataFrame(described | {"is_machine": is_machine}))
    trials["verdict"] = np.where(machine, "machine", "human")


def draw_times(rng: np.random.Generator, people: pd.Series, median: int) -> pd.Series:
    """Draw times to the verdicts of people, in milliseconds."""
    times = median * np.exp(rng.normal(0, 0.6, len(people)))
    return pd.Series(times, people.index).round().where(people)


def draw_answers(rng: np.random.Generator, trials: pd.DataFrame, share: object) -> pd.Series:
    """Draw answers to control questions: each judge has this share right, as nearly as possible."""
    chance = pd.Series(rng.random(len(trials)), trials.index)
    place = chance.groupby([trials["part"], trials["judge"]]).rank(pct=True)
    return (place <= share).astype(object)


def draw_conversation_trials(
    rng: np.random.Generator, design: pd.DataFrame, stimuli: pd.DataFrame
) -> pd.DataFrame:
    """Draw the trials in which both speakers of a conversation are judged."""
    design[["agent", "kind"]] = design["agent"].str.split("/", expand=True)
    design["phase"] = np.where(design["kind"] == "catch", "catch", "test")
    pools = {name: own["stimulus"].to_numpy() for name, own in stimuli.groupby("pool")}
    parts = []
    for name, own in design.groupby("part", sort=False):
        # A conversation of a person and a machine stands in the design twice, one of two alike once.
        alike = own["kind"].isin(["H-H", "M-M"])
        shown = own.assign(n_trials=own["n_trials"] // np.where(alike, 2, 1))
        shown = shown[alike | (shown["agent"] != "human")].copy()
        catch = shown["phase"] == "catch"
        kept = shown.loc[~catch, "n_trials"].sum()
        whole = own["n_judges"].iloc[0] * own["trials_per_judge"].iloc[0]
        whole -= shown.loc[catch, "n_trials"].sum()
        right = kept / whole
        # The design has the trials with a right answer to the question on the topic.
        shown.loc[~catch, "n_trials"] = (shown["n_trials"] / right).round().astype(int)
        collection = {"prolific2025": "2025"}.get(str(name), "first")
        shown["pool"] = collection + " " + shown["agent"] + " " + shown["kind"]
        shown.loc[catch, "pool"] = "first machine catch"
        if name == "online":
            shown["pool"] = None
        # Judges with feedback are trained in the first half.
        half = 2 if name == "feedback" else 1
        dealt = deal_trials(rng, shown, pools).assign(right=min(RIGHT_TOPICS, half * right))
        early = (dealt["position"] <= own["trials_per_judge"].iloc[0] // 2) & (half == 2)
        dealt.loc[early & (dealt["phase"] == "test"), "phase"] = "train"
        if name == "online":
            # Each judge sees one conversation, after more and more of it.
            dealt["stimulus"] = pools["online llama3 H-M"][dealt["number"]]
            dealt["exchanges"] = dealt["kind"].astype(int)
            dealt["position"] = dealt.groupby("judge")["exchanges"].rank().astype(int)
        parts.append(dealt)
    return judge_sides(rng, pd.concat(parts, ignore_index=True), design, stimuli)


def judge_sides(
    rng: np.random.Generator, trials: pd.DataFrame, design: pd.DataFrame, stimuli: pd.DataFrame
) -> pd.DataFrame:
    """Draw the verdicts on both speakers, and what else judges say of a conversation."""
    online = trials["cohort"] == "online"
    about = stimuli.set_index("stimulus").loc[trials["stimulus"]].reset_index()
    lengths = pd.Series(rng.choice(responses.LENGTHS, len(trials)))
    lengths = lengths.where(about["turns"] != responses.LONGEST, responses.LONGEST)
    trials["exchanges"] = trials["exchanges"].fillna(lengths)
    trials["control_ok"] = draw_answers(rng, trials, trials["right"]).where(~online)
    trials["rt_ms"] = draw_times(rng, ~online, 47_000)
    sides = []
    for side in "ab":
        response = trials["stimulus"] + " " + side
        gender = pd.Series(np.where(rng.random(len(trials)) < 0.4, "female", "male"))
        # Half of the judges in the laboratory were not asked.
        unasked = online | ((trials["cohort"] == "inlab") & (trials["number"] % 2 == 1))
        trials[f"perceived_gender_{side}"] = gender.where(~unasked)
        own = trials.drop(columns="rate").assign(agent=about[f"agent_{side}"], response=response)
        sides.append(own)
    both = pd.concat(sides, ignore_index=True)
    both = both.merge(design[["part", "agent", "kind", "rate"]], how="left")
    add_verdicts(rng, both, both["response"], ["kind", "phase", "control_ok"])
    one, two = map(pd.Series, np.split(both["verdict"].to_numpy(), 2))
    # Of two speakers online, one is chosen as the person.
    opposite, is_a = {"human": "machine", "machine": "human"}, about["agent_a"] == "human"
    trials["verdict_a"] = one.where(~online | is_a, two.map(opposite))
    trials["verdict_b"] = two.where(~online | ~is_a, one.map(opposite))
    return trials.drop(columns=["agent", "variant"]).assign(variant=about["variant"])


def draw_judges(
    rng: np.random.Generator, task: str, design: pd.DataFrame, demographics: pd.DataFrame
) -> pd.DataFrame:
    """Draw the judges: people with the published counts of each answer, dealt independently."""
    tables = []
    for name, own in design.groupby("part", sort=False):
        part = own.iloc[0]
        number = pd.Series(np.arange(part["n_judges"])) + part["first_judge"]
        table = pd.DataFrame({"cohort": part["cohort"], "judge": name_judges(number)})
        if part["people"] and name != "online":
            answers = demographics.query("task == @task and cohort == @name")
            for variable, column in DEMOGRAPHICS.items():
                asked = answers[answers["variable"] == variable]
                values = asked["value"].replace(AGE_BANDS).repeat(asked["n_judges"].astype(int))
                table[column] = rng.permutation(values)
        if part["cohort"] in FIRST_PERSON and (task, name) != ("conversation", "amt"):
            register = "prolific" if task == "conversation" else "mturk"
            person = number + FIRST_PERSON[part["cohort"]]
            person += PEOPLE_BETWEEN_TASKS * TASKS.index(task)
            table["person"] = f"{register}.p" + person.astype(str).str.zfill(3)
        tables.append(table)
    return pd.concat(tables, ignore_index=True).drop_duplicates(["cohort", "judge"])
