"""People and machine judges of the same responses: accuracy, agreement, and whether one may stand in."""

import numpy as np
import pandas as pd
import pytest
from project import describe_texts
from scipy import stats

from turingstats.analysis import machine_judges, people_and_machines, responses
from turingstats.config.study import Study
from turingstats.core import yaml_models
from turingstats.figures import forests
from turingstats.report import front
from turingstats.stats import annotator_test, crossed, machine_agreement, prediction_powered
from turingstats.tables import formats
from turingstats.tables import people_and_machines as shown_pairs
from turingstats.tables.latex import format_latex

CONFIG = {"seed": 1, "n_bootstrap": 200, "confidence": 0.95}
KINDS = {"people": "human", "models": "llm"}
HEAD = ("cohort", "judge", "stimulus", "agent", "truth", "verdict")


@pytest.fixture(scope="module")
def study():
    return yaml_models.build_model(Study, describe_texts(["bot"]), "study")


def judge(n_judges=8, n_seen=80, skill=0.6, machine_seen=80):
    """Verdicts of people and of a machine that find the same responses easy; even stimuli are by the bot."""
    rng = np.random.default_rng(5)
    rows = []
    easy = rng.random(machine_seen) < skill
    for person in ["gpt", *(f"p{number}" for number in range(n_judges))]:
        for stimulus in range(machine_seen if person == "gpt" else n_seen):
            truth = "machine" if stimulus % 2 == 0 else "human"
            wrong = {"machine": "human", "human": "machine"}[truth]
            right = easy[stimulus] if rng.random() < 0.8 else rng.random() < 0.5
            place = ("models" if person == "gpt" else "people", person, f"s{stimulus:03d}")
            agent = "bot" if truth == "machine" else "human"
            rows.append((*place, agent, truth, truth if right else wrong))
    return rows


def compare(study, rows, texts=()):
    table = pd.DataFrame(rows, columns=[*HEAD]).assign(study="own", task="texts", side=None)
    table = table.assign(judge_kind=table["cohort"].map(KINDS), kept_recommended=True)
    verdicts = responses.select_first_verdicts(table, study)
    place = ["task", "stimulus", "side", "turn", "agent", "response"]
    listed = pd.DataFrame([("texts", s, None, None, a, r) for s, a, r in texts], columns=place)
    return people_and_machines.compare_people_with_machines(verdicts, listed, study, CONFIG)


@pytest.fixture(scope="module")
def table(study):
    return compare(study, judge())


def pick(table, quantity, agent="all"):
    (row,) = table[(table["quantity"] == quantity) & (table["agent"] == agent)].to_dict("records")
    return row


def test_accuracies_are_of_the_same_responses_and_their_difference_is_paired(study, table):
    names = ("people_accuracy", "machine_accuracy", "accuracy_difference")
    people, machine, difference = (pick(table, name) for name in names)
    assert (people["n"], people["n_judges"], people["n_verdicts"]) == (80, 8, 640)
    assert difference["value"] == pytest.approx(people["value"] - machine["value"])
    # Responses are hard or easy for both: the paired error is below that of independent judges.
    assert difference["se"] < np.hypot(people["se"], machine["se"])
    more = compare(study, judge(machine_seen=120))
    assert pick(more, "machine_accuracy")["n"] == 80


def test_errors_of_accuracies_are_those_of_each_mean(table):
    rows = pd.DataFrame(judge(), columns=[*HEAD]).assign(
        right=lambda rows: rows["verdict"].eq(rows["truth"]).astype(float)
    )
    people, machine = (rows[rows["cohort"] == cohort] for cohort in ("people", "models"))
    apart = people["right"] - people["stimulus"].map(machine.set_index("stimulus")["right"])
    for quantity, values in (("people_accuracy", people["right"]), ("accuracy_difference", apart)):
        error = crossed.estimate_mean_error(values, people["judge"], people["stimulus"])
        assert pick(table, quantity)["se"] == pytest.approx(float(error.se))


def test_responses_of_two_agents_to_a_stimulus_are_two(study):
    rng = np.random.default_rng(3)
    rows = [
        ("models" if who == "gpt" else "people", who, f"s{number}", agent, truth, said)
        for who in ("gpt", "p1", "p2", "p3", "p4", "p5")
        for number in range(10)
        for agent, truth in (("human", "human"), ("bot", "machine"))
        for said in rng.choice(["human", "machine"], 1)
    ]
    row = pick(compare(study, rows), "people_accuracy")
    assert (row["n"], row["n_stimuli"], row["n_verdicts"]) == (20, 10, 100)


def test_a_machine_that_judges_as_people_do_passes_and_one_that_contradicts_fails(study, table):
    rates = [pick(table, f"winning_rate_{epsilon:.2f}") for epsilon in (0.1, 0.15, 0.2)]
    first, *_ = values = [row["value"] for row in rates]
    assert first >= 0.5 and rates[0]["ci_low"] <= first <= rates[0]["ci_high"]
    assert values == sorted(values)
    assert pick(table, "advantage")["value"] > 0.8
    other = {"human": "machine", "machine": "human"}
    rows = [(*row[:5], other[row[5]] if row[1] == "gpt" else row[5]) for row in judge()]
    table = compare(study, rows)
    assert pick(table, "winning_rate_0.20")["value"] == 0
    assert pick(table, "corrected_correlation")["value"] < -0.5


@pytest.mark.parametrize(("n_judges", "n_seen"), [(2, 80), (8, 29)])
def test_too_few_people_or_responses_are_not_tested(study, n_judges, n_seen):
    row = pick(compare(study, judge(n_judges, n_seen)), "winning_rate_0.10")
    assert np.isnan(row["value"]) and "fewer than 3 people share 30" in row["note"]


def test_agreement_leaves_out_responses_that_are_not_known(study, table):
    texts = [("s001", "human", "one"), ("s001", "human", "other"), ("s003", "human", "one")]
    fewer = compare(study, judge(), texts)
    assert pick(fewer, "agreement")["n"] == 79 == pick(table, "agreement")["n"] - 1
    assert "1 stimuli to which an agent gave several" in pick(fewer, "advantage")["dropped"]
    assert pick(fewer, "people_accuracy")["n"] == 80


def test_verdicts_of_the_machine_on_more_stimuli_narrow_the_interval(study):
    table = compare(study, judge(n_seen=40, machine_seen=400))
    for agent in ("bot", "human"):
        alone, helped = pick(table, "people_rate", agent), pick(table, "powered_rate", agent)
        assert helped["se"] < alone["se"] and "180 more stimuli" in helped["method"]


def test_judged_responses_that_the_machine_finds_more_human_are_noticed(study):
    rows = judge(n_seen=40, machine_seen=400)
    table = compare(study, rows)
    assert "random part" not in pick(table, "powered_rate", "bot")["note"]
    selected = [(*row[:5], "human") if row[1] == "gpt" and row[2] < "s036" else row for row in rows]
    table = compare(study, selected)
    difference = pick(table, "judged_difference", "bot")
    assert difference["value"] > 0.3 and difference["p"] < 0.001
    assert difference["ci_low"] < difference["value"] < difference["ci_high"]
    assert "random part" in pick(table, "powered_rate", "bot")["note"]


def test_errors_of_agreement_are_those_of_a_jackknife_of_stimuli():
    rng = np.random.default_rng(3)
    predicted, stimuli = rng.integers(0, 2, 30), np.arange(30) % 6
    humans = rng.integers(0, 4, 30)

    def measure(kept):
        given = (predicted[kept], humans[kept], np.full(kept.sum(), 3), stimuli[kept])
        return machine_agreement.estimate_machine_agreement(*given)

    whole = measure(stimuli >= 0)
    without = [measure(stimuli != one) for one in range(6)]
    for name in ("agreement", "cohen_kappa", "reliability"):
        values = [part[name].value for part in without]
        assert whole[name].se == pytest.approx(np.sqrt(5 * np.var(values)))


def test_people_who_judge_all_responses_alike_have_no_correlation():
    predicted, thirds = np.tile([True, False], 15), np.full(30, 3)
    given = (predicted, thirds // 3, thirds, np.arange(30))
    found = machine_agreement.estimate_machine_agreement(*given)
    undefined = ("correlation", "reliability", "corrected_correlation")
    assert all(np.isnan(found[name].value) for name in undefined)
    assert found["agreement"].value == pytest.approx(0.5)
    # Of few responses, the interval of a share ends at 0, and that of kappa at -1.
    few = machine_agreement.estimate_machine_agreement(*(part[:3] for part in given))
    humans = np.array([2, 1, 1, 2, 3, 0, 1, 2])
    more = predicted[:8], humans, thirds[:8], np.arange(8)
    assert few["agreement"].ci_low == 0
    assert machine_agreement.estimate_machine_agreement(*more)["cohen_kappa"].ci_low == -1
    # A machine that says always the same does not help.
    verdicts, units = np.tile([1.0, 0.0], 10), np.arange(20)
    same = np.ones(20)
    rate = prediction_powered.estimate_powered_rate(verdicts, same, units, units, same, units + 20)
    assert rate.tuning == 0 and rate.value == 0.5 and rate.error == rate.people_error
    difference = prediction_powered.compare_judged(same, units, 0 * same, units + 20, 0.95)
    assert difference.value == 1 and np.isnan(difference[1:]).all()


def test_without_shared_or_more_stimuli_a_row_says_so(study, table):
    rows = [row for row in judge() if (row[1] == "gpt") == (int(row[2][1:]) < 40)]
    (row,) = compare(study, rows).to_dict("records")
    assert "share fewer than 5 stimuli" in row["note"]
    unnamed = [(*row[:2], None, *row[3:]) for row in judge()]
    (row,) = compare(study, unnamed).to_dict("records")
    assert "does not name stimuli" in row["note"]
    assert shown_pairs.list_pairs(pd.DataFrame([row]), study, 0.95, "observed data").empty
    row = pick(table, "powered_rate")
    assert np.isnan(row["value"]) and "fewer than 5 more stimuli" in row["note"]
    # A cohort of more than 20 machine judges.
    rows = [row for row in judge() if row[2] < "s006"]
    more = [(*row[:1], f"m{n}", *row[2:]) for row in rows if row[1] == "gpt" for n in range(20)]
    (row,) = compare(study, rows + more).to_dict("records")
    assert (row["machine"], row["quantity"]) == ("models/all", "agreement")
    assert row["note"] == "not computed: 21 machine judges, at most 20 are compared"


def test_a_table_says_once_why_cells_are_empty(study, table):
    lacking = (table["quantity"] == "advantage") & (table["agent"] == "all")
    table = table.assign(
        value=table["value"].mask(lacking), note=table["note"].mask(lacking, "x: few")
    )
    filled = shown_pairs.tabulate_pairs(table, study, 0.95, "observed data")
    assert filled.frame["\N{GREEK SMALL LETTER RHO}"].tolist() == ["not defined"]
    assert filled.title.endswith("responses. \N{EN DASH}, not computed: few")
    numeric, links = [True] * len(filled.frame.columns), {"name": "x", "picture": "", "home": ""}
    page = formats.format_page(filled.frame, filled.title, numeric, links)
    latex = format_latex(filled.frame, filled.title, numeric)
    assert formats.is_numeric(pd.Series(["0.5 (0.4 to 0.6)", "not defined"]))
    assert "<td>\N{EN DASH}" in page and "& \N{EN DASH} &" in latex
    assert "not defined" not in page + latex


def test_the_figure_the_table_and_the_first_screen_say_the_same(study, table):
    pairs = shown_pairs.list_pairs(table, study, 0.95, "observed data")
    filled = shown_pairs.tabulate_pairs(table, study, 0.95, "observed data")
    (shown,) = filled.frame.to_dict("records")
    assert filled.title == "Machine judges and people on the same responses"
    assert shown["Responses"] == "80" and shown["Machine judge"] == "Models"
    texts = [
        text.get_text() for axes in forests.draw_machine_judges(pairs).axes for text in axes.texts
    ]
    assert "Models" in texts and shown["\N{GREEK SMALL LETTER RHO}"] in texts
    rows = pairs.astype(str).replace("nan", "").to_dict("records")
    (sentence,) = front.describe_machine_judges(rows)
    assert "agrees with people" in sentence and f"on {pairs['advantage'][0]:.0%} of " in sentence
    assert sentence.endswith("is 0.88 with 80 verdicts per person, and rises with their number.")
    untested = rows[0] | {"winning_rate_0.10": ""}
    assert "cannot be tested" in front.describe_machine_judges([untested])[0]
    # Corrected over the machine judges of a task.
    close = rows[0] | {"p": "0.03", "accuracy_difference": "-0.1"}
    other = close | {"agreement": "0.01"}
    for beside, words in (
        ([], "right 10 points more often"),
        ([other], "not shown to be right"),
    ):
        (sentence,) = front.describe_machine_judges([close, *beside])
        assert f"It is {words}" in sentence


def test_omega_depends_on_the_number_of_responses_and_rho_does_not():
    """The machine is just like one more person."""
    rng = np.random.default_rng(1)
    found = []
    for number in (40, 800):
        share = rng.beta(2, 2, number)
        verdicts = rng.random((9, number)) < share
        who, what = (part.ravel() for part in np.indices((8, number)))
        machine = np.tile(verdicts[8], 8)
        trials = annotator_test.leave_each_out(who, what, what, verdicts[:8].ravel(), machine)
        rho = annotator_test.estimate_advantage(trials).value
        omega = annotator_test.estimate_winning_rate(trials, 0.1, rng, 20).value
        found.append((round(rho, 1), omega))
    (rho, omega), (again, more) = found
    assert rho == again == 0.8 and omega < 0.3 and more > 0.9


@pytest.mark.parametrize(
    ("second", "note"),
    [([1, 0, np.nan], "they agree on every response"), ([np.nan] * 3, "no response was decided")],
)
def test_judges_of_nothing_in_common_and_those_who_always_agree_are_told_apart(second, note):
    correct = pd.DataFrame({"one": [1.0, 0, 1], "two": second})
    whole, *_ = machine_judges.compare_columns(correct, 0.95)
    assert note in whole["note"] and np.isnan(whole["p"])


def test_p_of_a_loss_is_that_of_a_one_sided_t_test():
    loss = np.random.default_rng(2).integers(-1, 2, (3, 9))
    sums = np.stack([np.full(3, 9), loss.sum(axis=1), (loss**2).sum(axis=1)], axis=1)
    expected = stats.ttest_1samp(loss, 0.1, axis=1, alternative="less").pvalue
    assert annotator_test.assess_loss(sums, 0.1) == pytest.approx(expected)
    # One verdict, none, or as many as epsilon says; then all alike, on either side of it.
    few = [[1, 0, 0], [0, 0, 0], [4, 0.4, 0.04], [4, 0, 0], [4, 4, 4]]
    assert annotator_test.assess_loss(np.array(few), 0.1).tolist() == [1, 1, 1, 0, 1]
