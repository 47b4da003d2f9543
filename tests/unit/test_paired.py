"""Pairs of dialogues: generated counts, errors over judges and stimuli, words per message."""

import numpy as np
import pandas as pd
import pytest
from project import NOBODY, ROOT, read_study

from turingstats.analysis import message_lengths, printed_rates
from turingstats.analysis.estimates.estimate import estimate_rates
from turingstats.analysis.estimates.sides import sum_verdicts
from turingstats.config.study import Study
from turingstats.data import counts
from turingstats.stats import crossed

PUBLISHED = ROOT / "data/published/xturing"
OPTIONS = {"seed": 1, "n_bootstrap": 200, "confidence": 0.95}


@pytest.fixture(scope="module")
def study():
    return read_study("xturing")


@pytest.fixture(scope="module")
def design():
    return pd.read_csv(PUBLISHED / "design.csv", dtype={"exchanges": str, "history": str})


def test_words_are_compared_within_the_pairs_at_a_level(study):
    task = study.tasks["turns"].model_copy(update={"conditions": ("variant",)})
    small = study.model_copy(update={"tasks": {"turns": task}})
    judged = pd.DataFrame({"stimulus": ["a", "a", "b", "c"], "task": "turns", "agent": "gpt4"})
    judged["variant"] = ["burst", "burst", "ping-pong", "burst"]
    said = [("a", "gpt4", "one two three"), ("a", "gpt4", "one"), ("a", "human", "one")]
    said += [("b", "gpt4", "one two"), ("b", "human", "one two three"), ("c", "gpt4", "one two")]
    responses = pd.DataFrame(said, columns=["stimulus", "agent", "response"]).assign(task="turns")
    found = message_lengths.measure_message_lengths(judged, responses, small, OPTIONS)
    found = found.set_index("length_id")
    burst = found.loc["turns.burst.gpt4"]
    # The pair c has no message of the person.
    assert (burst["n_stimuli"], burst["words"], burst["words_human"]) == (1, 2, 1)
    assert np.isnan(burst["ci_low"])
    whole = found.loc["turns.all.gpt4"]
    assert whole["difference"] == pytest.approx(6 / 3 - 4 / 2)
    assert whole["n_messages"] == 3


def test_published_rates_give_every_pair_the_same_weight():
    task = {"label": "Pairs", "choice": True, "published_mean_over": "stimuli"}
    task["cohorts"] = {"people": {"label": "people"}}
    agents = {"bot": {"label": "Bot"}}
    study = Study(study="small", title="small", agents=agents, tasks={"pairs": task})
    rows = [("j1", "a", "human"), ("j2", "a", "machine"), ("j3", "a", "machine")]
    rows += [("j4", "a", "machine"), ("j1", "b", "human"), ("j2", "c", "machine")]
    rows += [("j5", "d", "unsure")]
    table = pd.DataFrame(rows, columns=["judge", "stimulus", "verdict"]).assign(
        study="small", task="pairs", cohort="people", judge_kind="human", agent="bot",
        kept_published=True, kept_recommended=True,
    )  # fmt: skip
    found = estimate_rates(counts.count_verdicts(table, study), NOBODY, study, OPTIONS)
    rate = found[(found["agent"] == "bot") & (found["quantity"] == "p_HM")].set_index("reading")
    # Pair a: 1 of 4 judges passed the machine, pair b: 1 of 1, pair c: 0 of 1.
    assert rate.loc["published", "value"] == pytest.approx((1 / 4 + 1 + 0) / 3)
    assert rate.loc["recommended", "value"] == pytest.approx(2 / 6)
    # Who was unsure judged, too.
    assert rate["n"].tolist() == [6, 6] and rate["n_judges"].tolist() == [5, 5]
    assert rate.loc["published", "se"] == pytest.approx(np.std([0.25, 1, 0], ddof=1) / np.sqrt(3))


def test_printed_rates_have_the_counts_that_they_give_away(design):
    printed = pd.read_csv(PUBLISHED / "pass_rates.csv", dtype={"exchanges": str, "history": str})
    found = printed_rates.measure_printed_rates(printed, design, read_study("xturing"), 0.95)
    found = found.set_index("rate_id")
    assert len(found) == len(printed) == 108
    known = found[found["n"].notna()]
    # Every rate of the language models, and of Claude-3-Sonnet also of both settings together.
    assert np.allclose(known["k"] / known["n"], known["printed"], atol=0.00051)
    assert known.loc["xt.t1.Claude3Sonnet.10turn.human.avg", ["k", "n"]].tolist() == [18, 56]
    assert set(found[found["n"].isna()]["agent"]) == {"gpt4", "qwen"}
    # R 4.2.2: prop.test(4, 21, correct = FALSE)$conf.int
    one = found.loc["xt.t1.Claude3Sonnet.10turn.human.pp"]
    assert [one["ci_low"], one["ci_high"]] == pytest.approx([0.07667565, 0.40000565], abs=1e-7)
    # A figure names each rate, and shows those whose counts are not known without interval.
    assert one["label"] == "Claude-3-Sonnet, 10 turns" and one["value"] == 4 / 21
    gpt = found.loc["xt.t1.GPT4.3turn.human.pp"]
    assert gpt["value"] == 0.562 and np.isnan([gpt["n"], gpt["ci_low"]]).all()
    told = found[found["location"] == "Table 2"]["label"].str.split(", ").str[1]
    assert set(told) == {f"{n} turns of history" for n in (10, 50, 100)}


def arrange(**changed):
    """Four verdicts of two judges on two stimuli, all of them human."""
    rows = {"judge": [*"aabb"], "stimulus": [*"sssr"], "agent": ["human", "gpt4", "human", "gpt4"]}
    rows = pd.DataFrame(rows | {"person": ""} | changed)
    rows = rows.assign(group_by="all", group="all", n=1, n_human=1, n_machine=0)
    return counts.arrange_counts(rows, NOBODY, ["gpt4"])


def test_responses_to_one_stimulus_are_one_pair_for_a_judge():
    pairs = arrange().pair
    assert pairs[0] == pairs[1] and len(set(pairs)) == 3
    products = crossed.multiply_pairs(np.array([[1.0, 0], [0, 2], [3, 0], [0, 4]]), pairs)
    assert products.tolist() == [[10, 2], [2, 20]]


@pytest.mark.parametrize("unknown", ["", None])
def test_a_stimulus_that_is_not_known_leaves_all_of_a_cohort_unknown(unknown):
    cohort = arrange(stimulus=["s", "s", "s", unknown])
    assert cohort.stimuli is None and cohort.stimulus is None
    assert cohort.pair.tolist() == cohort.judge.tolist() == [0, 0, 1, 1]


def test_the_person_behind_a_judge_is_empty_where_not_known():
    assert arrange(person=["p", "p", None, None]).people.tolist() == ["p", ""]


def test_verdicts_are_summed_by_the_units_that_gave_them():
    cohort = arrange()
    (judges, by_judge), (stimuli, by_stimulus), (_, by_pair) = sum_verdicts(
        cohort, np.array([1, 2, 3]), np.array([1, 0, 1]), 2
    )
    # Right and decided verdicts: a machine that is judged human is a wrong one.
    assert (judges.tolist(), by_judge[..., 1].tolist()) == ([0, 1], [[0, 1], [1, 1]])
    assert by_judge[..., 0].tolist() == [[0, 1], [0, 0]]
    assert (stimuli.tolist(), by_stimulus[..., 1].tolist()) == ([0, 1], [[0, 1], [1, 1]])
    assert by_pair[..., 1].tolist() == [[0, 0, 1], [1, 1, 0]]
    # Without the first judge, the second keeps its number.
    judges, by_judge = next(sum_verdicts(cohort, np.array([2, 3]), np.array([0, 1]), 2))
    assert (judges.tolist(), by_judge[..., 1].tolist()) == ([1], [[1], [1]])
