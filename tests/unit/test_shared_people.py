"""People in several groups or sessions: units, independent groups, paired tests, sizes."""

import numpy as np
import pandas as pd
import pytest
from judged_studies import prepare_trials
from project import NOBODY, read_study

from turingstats.analysis.comparisons import shared_people
from turingstats.analysis.comparisons.compare import run_comparisons
from turingstats.analysis.comparisons.samples import Sample
from turingstats.config import settings
from turingstats.config.study import Study
from turingstats.core.yaml_models import READINGS, build_model
from turingstats.data import cleaning, counts, schema
from turingstats.stats.hypothesis import ranks

STUDY = read_study("zhang2025")
OPTIONS = {"seed": 1, "n_bootstrap": 400, "n_permutation": 999, "confidence": 0.95}


def trials(judges, variants=("free viewing",), cohort="amt", seed=3, n=8):
    rng = np.random.default_rng(seed)
    pairs = list(zip(judges, variants * len(judges), strict=False))
    rows = [(*pair, number) for pair in pairs for number in range(n)]
    table = pd.DataFrame(rows, columns=["judge", "variant", "trial"])
    human = table["trial"] % 2 == 0
    return table.assign(
        **{"study": "zhang2025", "task": "attention", "cohort": cohort, "judge_kind": "human"},
        **{"phase": "test", "position": table["trial"]},
        stimulus="s" + table["trial"].astype(str),
        agent=np.where(human, "human", "gbvs"),
        truth=np.where(human, "human", "machine"),
        verdict=rng.choice(["human", "machine"], len(table)),
    )


def cleaned(*parts):
    table = pd.concat(parts, ignore_index=True).reindex(columns=list(schema.JUDGMENTS))
    table = schema.check_judgments(table, "judgments")
    return cleaning.mark_exclusions(table, STUDY, settings.Cleaning())


def named(cohort, numbers):
    return [f"attention.{cohort}.w{number:03d}" for number in numbers]


def test_first_session_names_the_person():
    people = {"b": "m.p1", "c": "m.p1", "d": "m.p2"}
    units = counts.map_judges_to_units(["c", "b", "a", "d"], people)
    assert units == {"a": "a", "b": "b", "c": "b", "d": "d"}
    # Of a person whose first session is elsewhere, the first one here.
    assert counts.map_judges_to_units(["c", "d"], people) == {"c": "c", "d": "d"}


def test_sessions_of_a_person_are_one_unit_of_the_recommended_reading_only():
    judges = named("amt", range(1, 7))
    people = dict(zip(judges, ["m.p1", "m.p2", "m.p1", "m.p3", "m.p3", "m.p3"], strict=True))
    marked = cleaned(trials(judges))
    table = counts.count_verdicts(marked, STUDY, people=people)
    own = table[(table["group_by"] == "all")]
    by_reading = own.groupby("reading")["judge"].nunique()
    assert by_reading.to_dict() == {"published": 6, "recommended": 3}
    merged = own[own["reading"] == "recommended"].groupby("judge")
    assert merged["n"].sum().to_dict() == {judges[0]: 16, judges[1]: 8, judges[3]: 24}
    assert merged["person"].first().tolist() == ["m.p1", "m.p2", "m.p3"]
    assert own[own["reading"] == "published"]["n"].sum() == merged["n"].sum().sum()


def test_a_person_has_one_answer_in_all_sessions_of_a_cohort():
    judges = pd.DataFrame(
        {
            "task": "attention", "cohort": ["amt", "amt", "feedback", "amt"],
            "judge": ["a", "b", "c", "d"], "person": ["m.p1", "m.p1", "m.p1", None],
            "education": ["school", "college", "college", None],
        }
    )  # fmt: skip
    levels = [(name, {key: [name] for key in READINGS}) for name in ("school", "college")]
    described = {"education": dict(levels)}
    groups = counts.assign_groups(judges, described)
    groups = groups.set_index(["reading", "judge"])["group"].to_dict()
    assert groups["published", "b"] == "college"
    assert groups["recommended", "b"] == "school"
    assert groups["recommended", "c"] == "college"
    assert ("recommended", "d") not in groups


def sample(people, n=4, seed=1):
    rng = np.random.default_rng(seed)
    judges = np.array([f"j{seed}{i}" for i in range(len(people))])
    size = np.full((len(people), 2), n)
    return Sample(judges, ["human", "gbvs"], size, rng.binomial(size, 0.6), False, np.array(people))


def people_named(*numbers):
    return [f"m.p{number}" for number in numbers]


def test_shared_people_stay_in_the_smaller_group():
    one = sample(people_named(*range(12)))
    two = sample(people_named(*range(8, 18)), seed=2)
    settled = shared_people.separate_shared_people({"one": one, "two": two}, True)
    assert not settled.paired
    assert settled.note == "4 people are in both groups"
    assert settled.dropped == "4 people of another group, left out of one"
    assert [len(part.judges) for part in settled.samples.values()] == [8, 10]
    assert set(settled.samples["one"].people) == set(people_named(*range(8)))
    np.testing.assert_array_equal(settled.samples["one"].right, one.right[:8])


def test_mostly_shared_people_are_compared_with_themselves():
    one = sample(people_named(5, 3, 1, 2, 4))
    two = sample(people_named(1, 2, 3, 4, 5, 9), seed=2)
    settled = shared_people.separate_shared_people({"one": one, "two": two}, True)
    assert settled.paired
    assert settled.dropped == "1 person of two without a value in every group"
    first, second = settled.samples.values()
    assert first.people.tolist() == second.people.tolist() == people_named(1, 2, 3, 4, 5)
    np.testing.assert_array_equal(first.right, one.right[[2, 3, 1, 4, 0]])
    # A test without a paired form leaves them out instead.
    assert not shared_people.separate_shared_people({"one": one, "two": two}, False).paired


@pytest.mark.parametrize(
    ("one", "two", "known"),
    [(["m.p1"], ["m.p2"], True), (["m.p1"], ["k.p2"], False), (["m.p1", ""], ["m.p2"], False)],
)
def test_registers_tell_whether_shared_people_are_known(one, two, known):
    samples = {"one": sample(one), "two": sample(two, seed=2)}
    assert shared_people.has_common_registers(samples) is known


def declared(**more):
    values = STUDY.model_dump(
        mode="json", include={"study", "title", "reference", "agents", "tasks", "demographics"}
    )
    test = {"test": more.pop("test", "permutation")}
    own = {"id": "own", "task": "attention", "quantity": "p_MM", "agents": ["gbvs"]}
    own |= {"published": test, "recommended": test} | more
    return build_model(Study, values | {"comparisons": [own]}, "study")


def compared(people, *parts, **more):
    study = declared(**more)
    table = counts.count_verdicts(cleaned(*parts), study, people=people)
    return run_comparisons(table, NOBODY, study, OPTIONS).set_index("reading")


def test_cohorts_that_share_people_are_not_taken_as_independent():
    first, second = named("amt", range(1, 13)), named("feedback", range(1, 10))
    people = {name: f"m.p{i}" for i, name in enumerate(first)}
    people |= {name: f"m.p{i}" for i, name in enumerate(second, start=9)}
    parts = trials(first), trials(second, cohort="feedback", seed=4)
    found = compared(people, *parts, cohorts=["amt", "feedback"])
    assert found["n_per_group"].to_dict() == {"published": "12; 9", "recommended": "9; 9"}
    assert found.loc["recommended", "note"] == "3 people are in both groups"
    assert "left out of amt" in found.loc["recommended", "dropped"]
    assert found.loc["published", "note"] == ""
    unknown = compared({}, *parts, cohorts=["amt", "feedback"])
    assert unknown["note"].to_dict() == {"published": "", "recommended": shared_people.UNKNOWN}
    assert unknown.loc["recommended", "n_per_group"] == "12; 9"


def test_the_same_people_in_both_groups_make_a_paired_test():
    first, second = named("amt", range(1, 13)), named("amt", range(13, 25))
    people = {name: f"m.p{i % 12}" for i, name in enumerate([*first, *second])}
    parts = trials(first), trials(second, ("visual search",), seed=4)
    found = compared(people, *parts, cohorts=["amt"], by="variant", test="mann_whitney")
    assert found.loc[list(READINGS), "test"].tolist() == ["mann_whitney", "paired_wilcoxon"]
    assert found.loc["recommended", "note"] == "12 people are in both groups"
    right = [
        part[part["agent"] == "gbvs"].groupby("judge")["verdict"].apply(lambda v: (v == "machine").mean())
        for part in parts
    ]  # fmt: skip
    expected = ranks.paired_wilcoxon(*right)
    assert found.loc["recommended", "p"] == pytest.approx(expected.p)
    # Of two groups, Friedman's test is not defined.
    found = compared(people, *parts, cohorts=["amt"], by="variant", test="kruskal")
    assert found.loc["recommended", "test"] == "friedman"
    assert "2 treatments, at least 3 needed" in found.loc["recommended", "dropped"]


def test_a_person_is_one_judge_of_a_model():
    first, second = named("amt", range(1, 5)), named("feedback", range(1, 4))
    people = dict(zip([*first, *second], people_named(1, 1, 2, 3, 3, 4, 5), strict=True))
    marked = cleaned(trials(first), trials(second, cohort="feedback"))
    model = next(m for m in STUDY.models if m.task == "attention")
    model = model.model_copy(update={"cohorts": ("amt", "feedback"), "only": {}})
    table = prepare_trials(model, marked, NOBODY, STUDY, people)
    assert table["judge"].nunique() == 5
    assert prepare_trials(model, marked, NOBODY, STUDY)["judge"].nunique() == 7
