"""People and machine judges of the same responses: who is right more often, and may machines stand in?"""

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from turingstats.analysis.machine_judges import MAX_JUDGES, name_judges
from turingstats.analysis.responses import READING, RESPONSE, UNNAMED, select_named
from turingstats.analysis.rows import tabulate
from turingstats.analysis.settings import AnalysisSettings
from turingstats.config.study import Study
from turingstats.core.names import SLASH, join_names
from turingstats.data.distinct_values import combine_columns
from turingstats.stats import annotator_test, crossed, machine_agreement, resampling
from turingstats.stats.agreement import Estimate
from turingstats.stats.annotator_test import FEWEST_PEOPLE, FEWEST_RESPONSES, Trials
from turingstats.stats.crossed import MIN_UNITS, describe_estimate, estimate_mean_error
from turingstats.stats.hypothesis.outcome import join_notes
from turingstats.stats.prediction_powered import compare_judged, estimate_powered_rate

EPSILONS = {0.1: "crowd workers", 0.15: "skilled people", 0.2: "experts"}
"""Margins of the alternative annotator test, and the people whom its authors propose them for."""
JUDGED = (
    "how much more often the machine calls responses human that people judged than those that they did not; "
    "Welch's t test of means by stimulus"
)
NOT_RANDOM = (
    "people did not judge a random part of the stimuli: the machine's verdicts on them differ from those on "
    "the others (p = {0.p:.2g}), so that the rate and its interval may be wrong"
)
CROSSED = "two-way clustered by judge and stimulus, Student's t"
TEST = "alternative annotator test (Calderon, Reichart and Dror 2025)"
Rows = Iterator[dict[str, Any]]


def compare_people_with_machines(
    verdicts: pd.DataFrame, responses: pd.DataFrame, study: Study, config: AnalysisSettings
) -> pd.DataFrame:
    """Compare each machine judge with each cohort of people, on the responses that both judged.

    Verdicts are the first ones of each judge (`select_first_verdicts`); unsure ones are left out. machine is
    cohort and judge, joined by a slash. A task without shared responses, and a cohort of more machine judges
    than `MAX_JUDGES`, has one row, whose note says so.
    """
    ambiguous = find_ambiguous_responses(responses, study)
    decided = verdicts[verdicts["verdict"].isin(["human", "machine"])]
    rows = []
    for task in study.tasks:
        part = decided[decided["task"] == task]
        of_people = part["judge_kind"] == "human"
        if of_people.all() or not of_people.any():
            continue
        numbered = prepare_verdicts(select_named(part), ambiguous)
        rows += [{"task": task} | row for row in compare_task(numbered, task, config)]
    return tabulate(rows, "people_and_machines", study=study.study, reading=READING)


def find_ambiguous_responses(responses: pd.DataFrame, study: Study) -> pd.MultiIndex:
    """Find the stimuli to which an agent gave several responses: verdicts do not say on which.

    Those who choose see a conversation as a whole, whatever number of rows it has.
    """
    single = [name for name, task in study.tasks.items() if not task.choice]
    texts = responses[responses["task"].isin(single)]
    texts = texts.astype(object).fillna({"side": "", "turn": ""})
    number = texts.groupby(["task", *RESPONSE, "turn"])["response"].nunique()
    return number[number > 1].droplevel("turn").index


def prepare_verdicts(verdicts: pd.DataFrame, ambiguous: pd.MultiIndex) -> pd.DataFrame:
    """Number judges, stimuli and responses, name machine judges, and turn verdicts into numbers: whether they
    are human, and whether right.
    """
    texts = verdicts.astype(object)
    return texts[["cohort", "judge_kind", "agent", "truth"]].assign(
        machine=name_judges(verdicts),
        judge=crossed.number_units(texts["judge"].to_numpy(str)),
        stimulus=crossed.number_units(texts["stimulus"].to_numpy(str)),
        response=combine_columns(verdicts[RESPONSE])[0],
        clear=~pd.MultiIndex.from_frame(texts[["task", *RESPONSE]]).isin(ambiguous),
        human=(texts["verdict"] == "human").astype(float),
        right=(texts["verdict"] == texts["truth"]).astype(float),
    )


def compare_task(numbered: pd.DataFrame, task: str, config: AnalysisSettings) -> Rows:
    """Compare the machine judges of a task with each cohort of people."""
    by_machines = numbered[numbered["judge_kind"] != "human"]
    by_people = numbered[numbered["judge_kind"] == "human"]
    nothing = {"cohort": "all", "machine": "all", "agent": "all", "quantity": "agreement"}
    rows = []
    for cohort, of_cohort in by_machines.groupby("cohort", sort=False):
        number = of_cohort["machine"].nunique()
        if number > MAX_JUDGES:
            note = f"not computed: {number} machine judges, at most {MAX_JUDGES} are compared"
            rows.append(nothing | {"machine": join_names((cohort, "all"), SLASH), "note": note})
            continue
        for machine, predicted in of_cohort.groupby("machine", sort=False):
            of_machine = predicted.set_index("response")[["human", "right"]].add_suffix("_machine")
            for group, verdicts in by_people.groupby("cohort", sort=False):
                both = verdicts.join(of_machine, on="response", how="inner")
                if both["stimulus"].nunique() < MIN_UNITS:
                    continue
                pair = compare_pair(both, predicted, f"{task} {group} {machine}", config)
                place = {"cohort": group, "machine": machine, "agent": "all"}
                rows += [place | row for row in pair]
    if not rows:
        note = f"not computed: people and machine judges share fewer than {MIN_UNITS} stimuli"
        rows = [nothing | {"note": UNNAMED if by_people.empty or by_machines.empty else note}]
    yield from rows


def compare_pair(
    both: pd.DataFrame, predicted: pd.DataFrame, name: str, config: AnalysisSettings
) -> Rows:
    """Compare a cohort of people with a machine judge, whose verdicts on all responses are `predicted`."""
    level, clear = config["confidence"], both[both["clear"]]
    yield from compare_accuracy(both, level)
    number = both["response"].nunique() - clear["response"].nunique()
    unclear = f"{number} stimuli to which an agent gave several responses" if number else ""
    for row in (*measure_agreement(clear, level), *assess_replacement(clear, name, config)):
        yield row | {"dropped": join_notes(unclear, row.get("dropped", ""))}
    yield from power_rates(both, predicted, level)


def make_row(verdicts: pd.DataFrame, quantity: str, **values: Any) -> dict[str, Any]:
    """Make a row with the numbers of responses, stimuli, judges and verdicts of people."""
    return {
        "quantity": quantity,
        "n": verdicts["response"].nunique(),
        "n_stimuli": verdicts["stimulus"].nunique(),
        "n_judges": verdicts["judge"].nunique(),
        "n_verdicts": len(verdicts),
    } | values


def compare_accuracy(both: pd.DataFrame, level: float) -> Rows:
    """Compare the shares of right verdicts of people and of the machine on the same responses."""
    truths = both["truth"].unique()
    note = "" if len(truths) > 1 else f"all of these responses are by {truths[0]}s"
    people, machine = both["right"].to_numpy(), both["right_machine"].to_numpy()
    over_judges = np.column_stack([people, people - machine])
    errors = estimate_mean_error(over_judges, both["judge"], both["stimulus"])
    once = "each response as often as people judged it; clustered by stimulus, Student's t"
    of_machine = estimate_mean_error(machine, None, both["stimulus"])
    for quantity, right, error, method in (
        ("people_accuracy", people, errors.pick(0), CROSSED),
        ("machine_accuracy", machine, of_machine, once),
        ("accuracy_difference", people - machine, errors.pick(1), f"paired by response; {CROSSED}"),
    ):
        differs = quantity == "accuracy_difference"
        estimate = describe_estimate(right.mean(), error, level, share=not differs)
        p = {"p": crossed.compute_p(right.mean(), error)} if differs else {}
        yield make_row(both, quantity, method=method, note=note, **estimate, **p)


def measure_agreement(clear: pd.DataFrame, level: float) -> Rows:
    """Measure how far the machine agrees with people about responses that are known."""
    row = partial(make_row, clear, method="jackknife of stimuli, Student's t")
    if clear["stimulus"].nunique() < MIN_UNITS:
        note = f"not computed: fewer than {MIN_UNITS} stimuli with one response of each agent"
        yield row("agreement", note=note)
        return
    by_response = clear.groupby("response", sort=False).agg(
        predicted=("human_machine", "first"),
        humans=("human", "sum"),
        verdicts=("human", "size"),
        clusters=("stimulus", "first"),
    )
    estimates = machine_agreement.estimate_machine_agreement(**by_response, level=level)
    twice = int((by_response["verdicts"] > 1).sum())
    reliable = estimates["reliability"].ci_low > 0
    for quantity, estimate in estimates.items():
        alone, note = quantity in ("agreement", "cohen_kappa"), ""
        if not (alone or twice):
            note = "not computed: no response was judged by two people"
        elif quantity == "corrected_correlation" and not reliable:
            # Division by a reliability that may be 0 gives any number.
            note = "not computed: people are not shown to agree more than by chance"
            estimate = Estimate(*[np.nan] * 4)
        elif not np.isfinite(estimate.value):
            note = "not defined: verdicts of people, or of the machine, are all the same"
        numbers = {"n": len(by_response) if alone else twice}
        yield row(quantity, error_over="stimuli", note=note, **estimate._asdict()) | numbers


def assess_replacement(clear: pd.DataFrame, name: str, config: AnalysisSettings) -> Rows:
    """Test whether the machine agrees with people as well as one of them does."""
    level, draws = config["confidence"], config["n_bootstrap"]
    columns = ("judge", "response", "stimulus", "human", "human_machine")
    trials = annotator_test.leave_each_out(*(clear[column] for column in columns))
    enough = annotator_test.keep_people(trials)

    def row(
        quantity: str, of: Trials, estimate: Estimate, shared: str, **values: str
    ) -> dict[str, Any]:
        few = f"not computed: fewer than {FEWEST_PEOPLE} people share {shared}"
        note = "" if of.count_people() >= FEWEST_PEOPLE else few
        numbers = {"n_judges": of.count_people(), "n_verdicts": len(of.person)}
        values |= {"error_over": "judges and stimuli", "note": note}
        return make_row(clear, quantity, **values, **estimate._asdict()) | numbers

    advantage = annotator_test.estimate_advantage(trials, level)
    yield row("advantage", trials, advantage, "responses", method=f"rho of the {TEST}; {CROSSED}")
    lost = trials.count_people() - enough.count_people()
    left_out = f"{lost} people who share fewer than {FEWEST_RESPONSES} responses" if lost else ""
    for epsilon, whom in EPSILONS.items():
        quantity = f"winning_rate_{epsilon:.2f}"
        rng = resampling.make_generator(config["seed"], f"{quantity} {name}")
        rate = annotator_test.estimate_winning_rate(enough, epsilon, rng, draws, level)
        method = (
            f"omega of the {TEST}, epsilon {epsilon:g} (for {whom}), Benjamini-Yekutieli at "
            f"{annotator_test.RATE:g}; bootstrap of judges and stimuli, {draws} draws, at most "
            f"{annotator_test.MOST_PEOPLE} people"
        )
        shared = f"{FEWEST_RESPONSES} responses"
        yield row(quantity, enough, rate, shared, method=method, dropped=left_out)


def power_rates(both: pd.DataFrame, predicted: pd.DataFrame, level: float) -> Rows:
    """Estimate how often each agent is judged human, with the machine's verdicts on other stimuli."""
    powered, by_agent = False, dict(iter(predicted.groupby("agent")))
    for agent, verdicts in both.groupby("agent", sort=False):
        of_agent, stimuli = by_agent[agent], verdicts["stimulus"]
        others = of_agent[~of_agent["stimulus"].isin(stimuli)]
        if min(stimuli.nunique(), others["stimulus"].nunique()) < MIN_UNITS:
            continue
        powered = True
        of_machine = verdicts["human_machine"], stimuli, others["human"], others["stimulus"]
        rate = estimate_powered_rate(
            verdicts["human"], of_machine[0], verdicts["judge"], *of_machine[1:]
        )
        row = partial(make_row, verdicts, agent=agent)
        alone = describe_estimate(rate.people_value, rate.people_error, level)
        yield row("people_rate", method=f"people alone; {CROSSED}", **alone)
        judged = compare_judged(*of_machine, level)
        notes = [
            "" if rate.tuning else "people alone: the machine's verdicts do not help",
            NOT_RANDOM.format(judged) if judged.p < 1 - level else "",
        ]
        method = (
            "prediction-powered, with power tuning (Angelopoulos et al. 2023): the machine's verdicts on "
            f"{rate.n_others} more stimuli have the weight {rate.tuning:.3f}; {CROSSED}"
        )
        helped = describe_estimate(rate.value, rate.error, level)
        yield row("powered_rate", method=method, **helped, note=join_notes(*notes))
        yield row("judged_difference", method=JUDGED, **judged._asdict())
    if not powered:
        note = f"not computed: the machine judged fewer than {MIN_UNITS} more stimuli of each agent"
        yield make_row(both, "powered_rate", method="prediction-powered", note=note)
