"""Cleaning, counting, estimating and comparing on a small study worked out by hand."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from project import NOBODY, read_study

from turingstats.analysis.comparisons.compare import adjust_families
from turingstats.analysis.comparisons.permutation import permutation
from turingstats.analysis.comparisons.registry import Question
from turingstats.analysis.comparisons.samples import Sample, Source
from turingstats.analysis.estimates.estimate import estimate_rates
from turingstats.config import settings
from turingstats.config.study import Comparison
from turingstats.config.study.tests import PlainTest
from turingstats.core.errors import InputError
from turingstats.core.yaml_models import READINGS
from turingstats.data import cleaning, counts, exclusion_log, schema
from turingstats.stats.hypothesis.outcome import Outcome

STUDY = read_study("zhang2025")
OPTIONS = {"seed": 1, "n_bootstrap": 2000, "n_permutation": 2000, "confidence": 0.95}


def trials(judge, cells, cohort="amt", task="color", **columns):
    """Judgments of one judge from {(agent, verdict): number}, and what else is the same in all of them."""
    rows = [pair for pair, number in cells.items() for _ in range(number)]
    table = pd.DataFrame(rows, columns=["agent", "verdict"]).reindex(columns=list(schema.JUDGMENTS))
    number = range(1, len(table) + 1)
    return table.assign(
        **{"study": "zhang2025", "task": task, "cohort": cohort, "judge_kind": "human"},
        **{"judge": f"{task}.{cohort}.{judge}", "phase": "test"},
        **{"position": number, "trial": number} | columns,
        truth=np.where(table["agent"] == "human", "human", "machine"),
    )


def checked(*tables):
    joined = pd.concat([t.astype(object) for t in tables], ignore_index=True)
    return schema.check_judgments(joined, "test")


def mark(table, study=STUDY, **options):
    return cleaning.mark_exclusions(table, study, settings.Cleaning(**options))


@pytest.fixture
def marked():
    one = trials("w001", {("human", "human"): 3, ("human", "machine"): 1, ("azure", "machine"): 2})
    two = trials("w002", {("human", "human"): 1, ("azure", "human"): 1, ("mccq", "machine"): 3})
    return mark(checked(one, two))


def test_a_pool_may_ask_for_more_right_control_answers_than_its_parts(marked):
    cohorts = dict(STUDY.tasks["color"].cohorts)
    pool = cohorts["amt"].model_copy(update={"pools": ("amt",), "min_control_right": 5})
    right = pd.Series(True, marked.index, dtype="boolean")
    asked = marked.assign(control_ok=right.where(marked["judge"].duplicated()))
    table = counts.add_pooled_cohorts(asked, study_with(cohorts=cohorts | {"strict": pool}))
    judges = table.groupby("cohort", observed=True)["judge"].nunique()
    # Besides one that was not given, one judge has five right answers, the other four.
    assert judges.to_dict() == {"amt": 2, "strict": 1}


def test_rates_and_detectability_by_hand(marked):
    table = estimate_rates(counts.count_verdicts(marked, STUDY), NOBODY, STUDY, OPTIONS)
    own = table.set_index(["estimate_id", "reading"])
    value = own["value"]
    assert value["color.amt.all.human.p_HH", "recommended"] == 4 / 5
    assert value["color.amt.all.human.p_MH", "recommended"] == pytest.approx(1 / 5)
    called = [value[f"color.amt.all.human.p_{verdict}H", "published"] for verdict in "HM"]
    assert called == pytest.approx([4 / 5, 1 / 5])
    assert value["color.amt.all.all.p_MM", "recommended"] == 5 / 6
    recommended = value["color.amt.all.all.detectability", "recommended"]
    assert recommended == pytest.approx((4 / 5 + 5 / 6) / 2)
    # 5/6 is 0.83 at two decimals before the mean is formed.
    assert value["color.amt.all.all.detectability", "published"] == pytest.approx(0.815)
    asked = [f"color.amt.all.all.{name}" for name in ("p_MM", "detectability", "accuracy")]
    assert own["n"].xs("published", level="reading")[asked].tolist() == [6, 11, 11]
    correct = np.array([1, 1, 1, 1, 1, 0])
    error = own.loc[("color.amt.all.all.p_MM", "published"), "se"]
    assert error == pytest.approx(correct.std() / np.sqrt(6))


def test_judges_are_counted_where_they_gave_a_verdict():
    both = {("human", "human"): 2, ("azure", "machine"): 2}
    tables = [trials("w000", both | {("azure", "human"): 1})]
    tables += [trials(f"w{i:03}", both) for i in range(1, 6)]
    tables += [trials("w006", {("human", "machine"): 1}), trials("w007", {("mccq", "human"): 3})]
    tables.append(trials("w008", {("google", "unsure"): 2}))
    counted = counts.count_verdicts(mark(checked(*tables)), STUDY)
    table = estimate_rates(counted, NOBODY, STUDY, OPTIONS)
    table["estimate_id"] = table["estimate_id"].str.removeprefix("color.amt.all.")
    published, own = (table[table["reading"] == name].set_index("estimate_id") for name in READINGS)
    # Who was unsure of everything gave a verdict.
    assert own.loc["google.p_MM", "n_judges"] == published.loc["google.p_MM", "n_judges"] == 1
    assert own.loc["human.p_HH", "n_judges"] == 7
    assert own.loc["azure.p_MM", "n_judges"] == 6
    assert own.loc["mccq.p_MM", "n_judges"] == 1
    # A pair has the judges of either side.
    assert own.loc["azure.detectability", "n_judges"] == 7
    assert own.loc["mccq.detectability", "n_judges"] == 8
    # An agent that one judge saw has no error over judges, alone or set against people.
    assert own.loc[["azure.p_MM", "azure.detectability", "human.p_HH"], "se"].notna().all()
    assert own.loc[["mccq.p_MM", "mccq.p_HM", "mccq.detectability"], "se"].isna().all()
    assert "fewer than 5 judges" in own.loc["mccq.detectability", "method"]


def test_repeated_verdicts_of_a_machine_judge_count_once():
    counted = counts.count_verdicts(mark(five_blocks()), STUDY).set_index(["reading", "agent"])
    assert counted.loc[("recommended", "azure"), ["n", "n_machine"]].tolist() == [4, 1]
    assert counted.loc[("published", "azure"), ["n", "n_machine"]].tolist() == [20, 5]
    # The first block is kept whatever the order of rows.
    table = five_blocks().sample(frac=1, random_state=1)
    out = cleaning.find_repeated_verdicts(table, STUDY)
    assert sorted(table.loc[~out, "trial"]) == [1, 2, 3, 4, 5, 6]
    table.loc[table["trial"] == 8, "verdict"] = "machine"
    with pytest.raises(InputError, match="color, svm_full are not 5 equal blocks"):
        cleaning.find_repeated_verdicts(table, STUDY)


def five_blocks():
    block = {("human", "human"): 2, ("azure", "machine"): 1, ("azure", "human"): 3}
    table = pd.concat([trials("w001", block, cohort="svm_full")] * 5, ignore_index=True)
    number = range(1, len(table) + 1)
    return checked(table.assign(judge_kind="svm", trial=number, position=number))


def test_groups_follow_the_reading():
    judges = pd.DataFrame({"judge": ["a", "b"], "gender": ["female", "non_binary"]})
    judges = judges.assign(education="master", age_band=["46-50", "51+"])
    groups = counts.assign_groups(judges, STUDY.demographics)
    ages = groups[groups["group_by"] == "age"].groupby("reading")["judge"].agg(list)
    assert ages.to_dict() == {"published": ["a"], "recommended": ["a", "b"]}
    gender = groups[(groups["group_by"] == "gender") & (groups["reading"] == "published")]
    assert gender["judge"].tolist() == ["a"]


def test_family_correction_and_declared_size():
    rows = [("f", "color", 0.01, 6), ("f", "color", np.nan, 6)]
    rows += [(None, "color", 0.04, None), (None, "word", 0.05, None)]
    table = pd.DataFrame(rows, columns=["family", "task", "p", "family_size"])
    table = table.astype({"family_size": "Int64"}).assign(
        **{"reading": "published", "p_adjusted": np.nan, "p_fdr": np.nan},
        correction=["bonferroni", "bonferroni", "none", "none"],
    )
    corrected = adjust_families(table)
    assert corrected["p_adjusted"].iloc[0] == pytest.approx(0.06)
    assert corrected["p_adjusted"].iloc[1:].isna().all()
    # Benjamini and Hochberg: 0.01 * 2 / 1 and 0.04 * 2 / 2, and another task is on its own.
    assert corrected["p_fdr"].dropna().tolist() == pytest.approx([0.02, 0.04, 0.05])
    assert corrected["family_size"].tolist()[:2] == [6, 6]


def sample_of(right, judges, people_right=10):
    """Judges who all saw 20 responses of people and 20 of one agent."""
    cells = np.tile([20, 20], (judges, 1)), np.tile([people_right, right], (judges, 1))
    return Sample(np.arange(judges).astype(str), ["human", "all"], *cells)


def asked(quantity):
    return Comparison(id=quantity, task="color", cohorts=("amt",), quantity=quantity)


def permute(quantity, samples, studentized):
    """Permutation test of a quantity, as the recommended reading makes it or as the published one."""
    reading = "recommended" if studentized else "published"
    procedure = PlainTest(test="permutation")
    return permutation(Question(asked(quantity), procedure, reading, OPTIONS, samples))


@pytest.mark.parametrize("studentized", [False, True])
def test_permutation_finds_a_difference_and_only_then(studentized):
    def test(one, other, quantity="detectability"):
        samples = {"one": one, "other": other}
        ((_, outcome),) = permute(quantity, samples, studentized)
        return outcome

    same = test(sample_of(10, 12), sample_of(10, 12))
    apart = test(sample_of(18, 12), sample_of(8, 12))
    assert same.p == 1
    assert apart.p == pytest.approx(1 / 2001)
    assert apart.effect == pytest.approx(0.25)
    # All judges of a group are alike, so that drawing them again shows no error.
    assert np.isnan([apart.ci_low, apart.ci_high]).all()
    assert isinstance(apart, Outcome)


def test_verdicts_that_are_all_alike_have_no_interval_of_no_width():
    """Six judges called every response of azure machine, and not all of people's human."""
    same = {("human", "machine"): 2, ("azure", "machine"): 1}
    judges = [trials(f"w{j:03d}", same | {("human", "human"): 2 + j}) for j in range(6)]
    table = counts.count_verdicts(mark(checked(*judges)), STUDY)
    # Groups of the other reading are not used.
    one = {"judge": table["judge"].astype(str)[:1], "group_by": "gender", "group": "female"}
    groups = pd.DataFrame(one | {"reading": "published"})
    found = estimate_rates(table, groups, STUDY, OPTIONS)
    found = found[found["reading"] == "recommended"].set_index(["agent", "quantity"])
    row = found.loc[("azure", "p_MM")]
    assert (row["value"], row["k"], row["n"]) == (1, 6, 6)
    assert row[["se", "ci_low", "ci_high"]].isna().all()
    assert (row["wilson_low"], row["wilson_high"]) == (pytest.approx(0.6096657), 1)
    assert "Wilson only" in row["method"]
    assert found.loc[("azure", "detectability"), ["se", "ci_low", "ci_high"]].notna().all()
    assert "error over judges" in found.loc[("human", "p_HH"), "method"]


def test_permutation_of_three_groups_has_the_spread_between_them():
    samples = {str(right): sample_of(right, 6) for right in (4, 10, 16)}
    samples["none"] = samples["4"]._replace(n=np.zeros((6, 2), int))
    ((compared, outcome),) = permute("p_MM", samples, False)
    assert (compared.groups, outcome.dropped) == ("4 vs 10 vs 16", "no p_MM, left out: none")
    assert outcome.statistic == pytest.approx(np.var([0.2, 0.5, 0.8]))
    assert outcome.effect == pytest.approx(np.std([0.2, 0.5, 0.8]))
    # As of every test of more than two groups, the first n is that of all.
    assert (outcome.n1, np.isnan(outcome.n2), outcome.n_per_group) == (18, True, "6; 6; 6")
    assert outcome.p == pytest.approx(1 / 2001)


def test_a_group_that_lacks_one_agent_is_left_out_for_all():
    cells = np.full((6, 3), 20), np.tile([10, 12, 15], (6, 1))
    whole = Sample(np.arange(6).astype(str), ["human", "gpt2", "azure"], *cells)
    samples = {"one": whole, "two": whole}
    samples["half"] = whole._replace(n=np.where([True, True, False], whole.n, 0))
    comparison = asked("detectability").model_copy(update={"agents": ("gpt2", "azure")})
    question = Question(comparison, PlainTest(test="permutation"), "published", OPTIONS, samples)
    outcomes = [*permutation(question)]
    assert [compared.agent for compared, _ in outcomes] == ["gpt2", "azure"]
    for compared, outcome in outcomes:
        assert (compared.groups, outcome.n1, outcome.n2) == ("one vs two", 6, 6)
        assert outcome.dropped == "no detectability, left out: half"
    alone = replace(question, samples={name: samples[name] for name in ("one", "half")})
    for (compared, outcome), agent in zip(permutation(alone), ("gpt2", "azure"), strict=True):
        assert (compared.groups, compared.agent) == ("one vs half", agent)
        assert (outcome.n1, outcome.statistic_name) == (6, "difference")
        assert outcome.dropped.endswith("left out: half; not computed: fewer than two groups")


@pytest.mark.parametrize("quantity", ["p_HH", "p_MM", "p_HM", "detectability", "accuracy"])
def test_a_studentized_difference_is_over_its_error_over_judges(quantity):
    """Errors from what each judge adds to the difference: their own rates less the group's, by trials."""
    rng = np.random.default_rng(4)
    samples, values, errors = {}, [], []
    for name, judges, most in (("one", 6, 20), ("other", 9, 60)):
        n = rng.integers(5, most, (judges, 2))
        right = rng.binomial(n, 0.6)
        samples[name] = Sample(np.arange(judges).astype(str), ["human", "all"], n, right)
        people, machines = right.sum(axis=0) / n.sum(axis=0)
        left = (right - n * [people, machines]) / n.sum(axis=0)
        value, added = {
            "p_HH": (people, left[:, 0]),
            "p_MM": (machines, left[:, 1]),
            "p_HM": (1 - machines, -left[:, 1]),
            "detectability": ((people + machines) / 2, left.mean(axis=1)),
            "accuracy": (
                right.sum() / n.sum(),
                (right - n * (right.sum() / n.sum())).sum(axis=1) / n.sum(),
            ),
        }[quantity]
        values.append(value)
        errors.append(judges / (judges - 1) * (added**2).sum())
    found = {kind: next(permute(quantity, samples, kind))[1] for kind in (False, True)}
    difference = values[0] - values[1]
    assert found[True].statistic == pytest.approx(difference / np.sqrt(sum(errors)), rel=1e-6)
    assert (found[True].statistic_name, found[False].statistic_name) == ("t", "difference")
    assert found[False].statistic == found[True].effect == found[False].effect
    assert found[True].effect == pytest.approx(difference)
    assert "over its error over judges" in found[True].method


def study_with(**task):
    color = STUDY.tasks["color"].model_copy(update=task)
    return STUDY.model_copy(update={"tasks": {"color": color}})


def by_variant():
    """Two levels of a condition, one of them without responses of people."""
    one = {("human", "human"): 3, ("human", "machine"): 1, ("azure", "machine"): 2}
    two = {("azure", "human"): 1, ("mccq", "machine"): 3}
    levels = {"mixed": one, "alone": two}
    parts = [trials("w001", cells, variant=level, exchanges=3) for level, cells in levels.items()]
    parts[1]["trial"] += 6
    return checked(*parts).astype({"exchanges": "Int32"})


def test_levels_of_a_condition_have_counts_of_their_own():
    study = study_with(conditions=("variant", "variant+exchanges"))
    table = counts.count_verdicts(mark(by_variant(), study), study)
    own = table[(table["reading"] == "published") & (table["agent"] == "azure")]
    found = own.set_index(["group_by", "group"])["n"].to_dict()
    assert found == {
        ("all", "all"): 3,
        ("variant", "mixed"): 2,
        ("variant", "alone"): 1,
        ("variant+exchanges", "mixed/3"): 2,
        ("variant+exchanges", "alone/3"): 1,
    }


@pytest.mark.parametrize(
    ("pooled", "expected"), [((), np.nan), (("variant",), (3 / 4 + 3 / 4) / 2)]
)
def test_level_without_people_is_set_against_all_people_if_asked(pooled, expected):
    study = study_with(conditions=("variant",), pooled_humans=pooled)
    table = counts.count_verdicts(mark(by_variant(), study), study)
    found = estimate_rates(table, NOBODY, study, OPTIONS)
    value = found.set_index(["estimate_id", "reading"])["value"]
    assert value["color.amt.alone.all.p_MM", "recommended"] == 3 / 4
    np.testing.assert_allclose(value["color.amt.alone.all.detectability", "recommended"], expected)
    np.testing.assert_allclose(value["color.amt.mixed.human.p_HH", "recommended"], 3 / 4)


def test_conditions_are_crossed_with_groups_of_judges():
    study = study_with(conditions=("variant+gender",))
    verdicts = {("human", "human"): 3, ("azure", "machine"): 2}
    parts = [trials(name, verdicts, variant="mixed") for name in ("w001", "w002", "w003")]
    marked = mark(checked(*parts), study)
    judges = sorted(marked["judge"].astype(str).unique())
    groups = pd.DataFrame({"judge": judges[:2], "group": ["female", "male"]})
    groups = groups.assign(reading="published", group_by="gender")
    table = counts.count_verdicts(marked, study, groups)
    own = table[(table["group_by"] == "variant+gender") & (table["agent"] == "azure")]
    # Who did not say is in no group, and no group of the other reading is used.
    found = own.set_index(["reading", "judge", "group"])["n"].to_dict()
    assert found == {
        ("published", judges[0], "mixed/female"): 2,
        ("published", judges[1], "mixed/male"): 2,
    }


@pytest.mark.parametrize(
    ("held", "unread", "absent"), [(90, 0, 10), (90, 6, 4), (98, 6, 0), (104, 0, -4)]
)
def test_trials_that_the_source_lacks_have_a_reason(held, unread, absent):
    """Of 100 trials after feedback the study file says why; of a cohort without, the account does."""
    task = STUDY.tasks["color"]
    cohort = task.cohorts["feedback"].model_copy(update={"absent_because": ""})
    task = task.model_copy(update={"cohorts": {"feedback": cohort}})
    study = STUDY.model_copy(update={"tasks": {"color": task}})
    table = checked(trials("w001", {("human", "human"): held}, cohort="feedback"))
    lost = pd.DataFrame(
        {"task": "color", "cohort": "feedback", "reason": "empty", "rows": [unread]}
    )
    lost = lost if unread else None
    account = exclusion_log.log_exclusions(mark(table, study), study, lost)
    source = account[(account["step"] == "source") & (account["judge"] == "all")]
    excluded = source.groupby("reason")["excluded"].max().to_dict()
    expected = {exclusion_log.UNREAD if absent else "": absent} | (
        {"empty": unread} if unread else {}
    )
    assert excluded == expected


def test_published_matrix_is_the_mean_of_the_variants():
    levels = {"free viewing": (81, 19, 5, 95), "visual search": (154, 46, 14, 186)}
    cells = [(agent, said) for agent in ("human", "gbvs") for said in ("human", "machine")]
    parts = [
        trials("w001", dict(zip(cells, numbers, strict=True)), "svm", "attention", variant=level)
        for level, numbers in levels.items()
    ]
    counted = counts.count_verdicts(mark(checked(*parts).assign(judge_kind="svm")), STUDY)
    table = estimate_rates(counted, NOBODY, STUDY, OPTIONS)
    value = table.set_index(["reading", "estimate_id"])["value"]
    published = value["published"].rename(lambda name: name.removeprefix("attention.svm."))
    expected = {"all.human.p_HH": 0.79, "all.human.p_MH": 0.21, "all.gbvs.p_MM": 0.94}
    expected |= {"all.gbvs.detectability": 0.865, "free viewing.human.p_HH": 0.81}
    assert published[list(expected)].to_dict() == pytest.approx(expected)
    assert value["recommended", "attention.svm.all.human.p_HH"] == pytest.approx(235 / 300)


def test_cohorts_are_compared_at_one_level():
    seen = [
        (1, "amt", "free viewing"),
        (1, "feedback", "free viewing"),
        (2, "amt", "visual search"),
    ]
    cells = {("human", "machine"): 6, ("gbvs", "machine"): 6}
    parts = [
        trials(f"w{block}{n:02}", cells, cohort, "attention", variant=level)
        for block, cohort, level in seen
        for n in range(7)
    ]
    counted = counts.count_verdicts(mark(checked(*parts)), STUDY)
    (asked,) = (c for c in STUDY.comparisons if c.id == "attention.feedback.detectability")
    in_reading = counted[counted["reading"] == "published"]
    samples = Source(in_reading, NOBODY, STUDY).select_samples(asked)
    judges = {name: len(sample.judges) for name, sample in samples.items()}
    assert judges == {"amt": 7, "feedback": 7}
