"""What a run found, by task and by agent, picked from the statistics."""

import pandas as pd
import pytest
from project import read_study

from turingstats.analysis import findings
from turingstats.report import front

STUDY = read_study("zhang2025")
JUDGES = {"amt": 65, "expert": 12, "feedback": 200, "svm": 900}


def estimates():
    rows = [
        {
            "estimate_id": f"color.{cohort}.all.all.detectability",
            "reading": "recommended",
            "group_by": "all",
            "quantity": "detectability",
            "value": 0.58,
            "ci_low": 0.55,
            "ci_high": 0.61,
            "n_judges": n,
        }
        for cohort, n in JUDGES.items()
    ]
    return pd.DataFrame(rows)


def equivalence(verdict, difference):
    row = {
        "equivalence_id": "color.amt.all.people",
        "against": "people",
        "rate": 0.55 + difference,
        "baseline": 0.55,
        "difference": difference,
        "ci_low": difference - 0.05,
        "ci_high": difference + 0.05,
        "n_judges": 65,
        "conclusion": verdict,
        "margin": 0.1,
    }
    return pd.DataFrame([row])


SIZES = pd.DataFrame(
    [{"size_id": "color.amt.all.n_trials", "reading": "recommended", "value": 1416.0}]
)
CLAIMS = pd.DataFrame(
    [
        {"task": "color", "kind": "result", "status": status}
        for status in (
            *("reproduced", "close", "differs", "no data"),
            *("taken over", "impossible", "not computed"),
        )
    ]
    + [{"task": "color", "kind": "count", "status": "differs"}]
)


def summary(verdict="distinguishable", difference=-0.16):
    found = findings.summarize_tasks(
        STUDY, estimates(), equivalence(verdict, difference), SIZES, CLAIMS, "observed data"
    )
    assert found["task"].tolist() == ["color"]
    return found.iloc[0]


def test_the_largest_cohort_of_people_without_feedback_stands_for_a_task():
    row = summary()
    assert (row["cohort"], row["n_judges"], row["n_trials"]) == ("amt", 65, 1416)


def test_only_results_that_could_have_held_or_not_are_counted():
    row = summary()
    assert (row["claims_checked"], row["claims_hold"]) == (3, 2)


@pytest.mark.parametrize(
    ("verdict", "difference", "answer", "words"),
    [
        ("distinguishable", -0.16, "told apart", ["16 points less often", "(11 to 21)"]),
        ("distinguishable", 0.16, "told apart", ["16 points more often", "(11 to 21)"]),
        (
            "equivalent",
            -0.01,
            "not told apart",
            ["any gap is under 10 percentage points (−6 to 4)"],
        ),
        ("undecided", -0.05, "undecided", ["neither"]),
        (
            "different, but within the margin",
            *(-0.04, "barely told apart", ["4 points less often", "within the margin of 10"]),
        ),
    ],
)
def test_conclusions_say_what_was_shown_and_in_which_direction(verdict, difference, answer, words):
    row = summary(verdict, difference)
    assert row["answer"] == answer
    assert [word for word in words if word not in row["conclusion"]] == []


@pytest.mark.parametrize(
    ("differences", "answer", "words"),
    [
        # Of all agents, azure, mccq, google; those beyond 0.05 differ from people.
        ((0.0, 0.16, -0.16, 0.0), "depends on the machine", "Azure judged human more often than"),
        ((-0.01, -0.16, 0.0, 0.0), "not told apart", "; Azure judged human less often than people"),
        ((-0.16, -0.16, -0.2, 0.0), "told apart", "; Google within 10 points of people"),
    ],
)
def test_the_conclusion_about_all_agents_hides_none(differences, answer, words):
    agents = ("all", "azure", "mccq", "google")
    compared = [
        equivalence(
            "distinguishable" if abs(difference) > 0.05 else "equivalent", difference
        ).assign(equivalence_id=f"color.amt.{agent}.people")
        for agent, difference in zip(agents, differences, strict=True)
    ]
    shown = estimates()
    shares = [
        shown.assign(estimate_id=shown["estimate_id"].str.replace(".all.det", f".{agent}.det"))
        for agent in agents
    ]
    table = findings.summarize_tasks(
        STUDY, pd.concat(shares), pd.concat(compared), SIZES, CLAIMS, "observed data"
    )
    assert table["agent"].tolist() == list(agents)
    assert table["answer"][0] == answer
    assert words in table["conclusion"][0]
    shown = front.list_answers([as_text(row) for _, row in table.iterrows()])
    assert [row["of_agent"] for row in shown] == [False, True, True, True]
    assert (
        front.write_summary([as_text(row) for _, row in table.iterrows()], None, False).count(
            "Color estimation"
        )
        == 1
    )


def test_a_task_that_is_not_compared_with_people_has_no_row():
    other = equivalence("equivalent", 0).assign(equivalence_id="color.svm.all.people")
    found = findings.summarize_tasks(STUDY, estimates(), other, SIZES, CLAIMS, "observed data")
    assert found.empty
    assert list(found) == list(findings.COLUMNS)


@pytest.mark.parametrize(
    ("others", "answer", "words"),
    [
        (
            {"expert": ("distinguishable", -0.14)},
            "depends on who judges",
            "5 (Online judges) to 14 points (AI experts) less often than people",
        ),
        ({"expert": ("distinguishable", 0.14)}, "depends on who judges", "5 points less (Online"),
        ({"expert": ("undecided", -0.14)}, "barely told apart", "within the margin of 10"),
    ],
)
def test_the_headline_says_if_cohorts_contradict_each_other(others, answer, words):
    main = equivalence("different, but within the margin", -0.05)
    rows = [
        equivalence(conclusion, gap).assign(
            equivalence_id=f"color.{cohort}.all.people", n_judges=JUDGES[cohort]
        )
        for cohort, (conclusion, gap) in others.items()
    ]
    table = pd.concat([main, *rows])
    (row,) = findings.summarize_tasks(
        STUDY, estimates(), table, SIZES, CLAIMS, "observed data"
    ).to_dict("records")
    assert (row["answer"], row["cohorts"]) == (answer, "amt; expert")
    assert words in row["conclusion"]
    margins = front.list_margins(
        [as_text(row)],
        [as_text(line | {"smallest_margin": 0.12}) for line in table.to_dict("records")],
        {"choice": False, "cohorts": {"color": {"amt": "Online judges", "expert": "AI experts"}}},
    )
    assert [line["task"] for line in margins] == ["Color estimation", ""]
    assert margins[0]["gap"] == "−5 (−10 to 0)"
    assert margins[0]["at"] == ["different", "different", "different, but within the margin"]


def test_choices_are_compared_with_one_half():
    color = STUDY.tasks["color"].model_copy(update={"choice": True})
    study = STUDY.model_copy(update={"tasks": {"color": color}})
    for conclusion, answer, words in (
        ("distinguishable", "told apart", "less often than by chance"),
        ("equivalent", "not told apart", "as often as by chance, within 10 percentage points"),
        ("undecided", "undecided", "neither a difference from chance nor its absence is shown"),
    ):
        half = equivalence(conclusion, -0.13).assign(
            equivalence_id="color.amt.all.chance", against="chance", baseline=0.5, rate=0.42
        )
        told = findings.summarize_tasks(study, estimates(), half, SIZES, CLAIMS, "observed data")
        assert list(told) == list(findings.COLUMNS)
        (row,) = told.to_dict("records")
        expected = f"chosen over the person in 42% [39%, 45%] of choices: {words}"
        assert (row["answer"], row["conclusion"]) == (answer, expected)
        (shown,) = front.list_answers([as_text(row)])
        assert (shown["people"], shown["machines"]) == ("", "42%")
        assert (shown["detectability"], shown["interval"]) == ("0.58", "0.55 to 0.61")


def test_gaps_of_opposite_signs_are_not_pooled():
    """Pooled, one machine above people and one below would be equivalent."""
    gaps = {"all": 0.0, "eloquent": 0.2, "plain": -0.2}
    compared = [
        {
            "equivalence_id": f"color.amt.{agent}.people",
            "conclusion": "different" if gap else "equivalent",
            "smallest_margin": str(abs(gap) + 0.04),
            "difference": str(gap),
            "ci_low": str(gap - 0.04),
            "ci_high": str(gap + 0.04),
            "n_judges": "30",
        }
        for agent, gap in gaps.items()
    ]
    shown = {"task": "color", "task_label": "Color", "cohort": "amt"}
    rows = [
        shown | {"agent": agent, "agent_label": agent, "cohorts": "amt" if agent == "all" else ""}
        for agent in gaps
    ]
    study = {"choice": False, "cohorts": {"color": {"amt": "Online judges"}}}
    for answer, tasks in (
        ("depends on the machine", ["Color: eloquent", "Color: plain"]),
        ("undecided", ["Color"]),
    ):
        margins = front.list_margins([row | {"answer": answer} for row in rows], compared, study)
        assert [line["task"] for line in margins] == tasks


def as_text(row):
    """A row as the report reads it."""
    return {key: "" if pd.isna(value) else str(value) for key, value in dict(row).items()}
