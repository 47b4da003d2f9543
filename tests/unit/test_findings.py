"""What a run found, by task and by agent, picked from the statistics."""

import pandas as pd
import pytest
from project import read_study

from turingstats.analysis import findings, headline_cohorts
from turingstats.data.schema import RESULTS
from turingstats.report import chart

STUDY = read_study("zhang2025")
JUDGES = {"amt": 65, "expert": 12, "gpt4o_agent": 50, "feedback": 200, "svm": 900}


def estimates(agent="all"):
    own = {"reading": "recommended", "group_by": "all", "quantity": "detectability", "value": 0.58}
    own |= {"ci_low": 0.55, "ci_high": 0.61}
    ids = {f"color.{cohort}.all.{agent}.detectability": n for cohort, n in JUDGES.items()}
    table = pd.DataFrame([own | {"estimate_id": name, "n_judges": n} for name, n in ids.items()])
    return pd.concat([table, table.assign(reading="published", value=0.5)])


def equivalence(verdict, difference, cohort="amt", agent="all", against="people"):
    row = {"task": "color", "cohort": cohort, "agent": agent, "against": against}
    row |= {"equivalence_id": f"color.{cohort}.{agent}.{against}", "n_judges": JUDGES[cohort]}
    row |= {"rate": 0.55 + difference, "baseline": 0.55, "difference": difference}
    row |= {"ci_low": difference - 0.05, "ci_high": difference + 0.05}
    return pd.DataFrame([row | {"conclusion": verdict, "margin": 0.1, "smallest_margin": 0.12}])


def who_judges(**p):
    """The corrected p of the tests whether cohorts differ, by agent."""
    table = pd.DataFrame(p.items(), columns=["agent", "p_adjusted"])
    table = table.assign(comparison="color.amt.who_judges", reading="recommended")
    # Neither another reading nor another task counts.
    others = {"reading": "published", "comparison": "word.amt.who_judges"}
    more = [table.assign(**{key: other}, p_adjusted=1e-9) for key, other in others.items()]
    return pd.concat([table, *more], ignore_index=True)


SIZES = pd.DataFrame(
    {
        "size_id": "color.amt.all.n_trials",
        "reading": ["recommended", "published"],
        "value": [1416.0, 1500.0],
    }
)
STATUSES = ["reproduced", "close", "differs", "no data", "taken over", "impossible", "not computed"]
CLAIMS = pd.DataFrame({"task": "color", "kind": "result", "status": [*STATUSES, "differs"]})
CLAIMS.loc[7, "kind"] = "count"


def estimate_agents(agents):
    return pd.concat(map(estimates, agents))


def summary(verdict="distinguishable", difference=-0.16):
    found = summarize(equivalence(verdict, difference))
    assert found["task"].tolist() == ["color"]
    return found.iloc[0]


def summarize(compared, found=None, judged_by=None, study=STUDY):
    found = estimates() if found is None else found
    judged_by = who_judges() if judged_by is None else judged_by
    return findings.summarize_tasks(
        found, compared, judged_by, SIZES, CLAIMS, study, "observed data", 0.95
    )


def test_the_largest_cohort_without_feedback_and_claims_that_could_have_held_are_counted():
    row = summary()
    assert (row["cohort"], row["n_judges"], row["n_trials"]) == ("amt", 65, 1416)
    assert (row["claims_checked"], row["claims_hold"]) == (3, 2)


@pytest.mark.parametrize(
    ("verdict", "difference", "answer", "words"),
    [
        ("distinguishable", -0.16, "told apart", ["16 points less often", "(11 to 21)"]),
        (
            *("distinguishable", 0.16, "judged more human than people"),
            ["16 points more often", "(11 to 21)"],
        ),
        ("equivalent", -0.01, "not told apart", ["equivalent within 10 points (−6 to 4)"]),
        ("undecided", -0.04, "undecided", ["too few data to tell (−9 to 1 points)"]),
        ("undecided", -0.06, "undecided", ["too few data to tell after correction (−11 to −1"]),
        (
            "different, but within the margin",
            *(-0.04, "barely told apart", ["4 points less often", "equivalent within 10 points"]),
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
        ((0.01, 0.16, 0.0, 0.0), "not told apart", "; Azure judged human more often than people"),
        ((-0.16, -0.16, -0.2, 0.0), "told apart", "; Google within 10 points of people"),
    ],
)
def test_the_conclusion_about_all_agents_hides_none(differences, answer, words):
    agents = ("all", "azure", "mccq", "google")
    compared = [
        equivalence("distinguishable" if abs(gap) > 0.05 else "equivalent", gap, agent=agent)
        for agent, gap in zip(agents, differences, strict=True)
    ]
    table = summarize(pd.concat(compared), estimate_agents(agents))
    assert table["agent"].tolist() == list(agents)
    assert table["answer"][0] == answer
    assert words in table["conclusion"][0]


def test_a_task_that_is_not_compared_with_people_has_no_row():
    found = summarize(equivalence("equivalent", 0, cohort="svm"))
    assert found.empty
    assert list(found) == RESULTS["findings"]


@pytest.mark.parametrize(
    ("gap", "p", "answer", "words"),
    [
        (
            *(-0.14, 0.04, "depends on who judges"),
            "less often than people by 5 points among online judges, 14 among AI experts (p = 0.040)",
        ),
        (
            *(0.14, 0.0001, "depends on who judges"),
            "by 5 points among online judges, more often by 14",
        ),
        # What their tests against people say does not count.
        (-0.14, 0.06, "barely told apart", "equivalent within 10 points"),
        (-0.14, float("nan"), "barely told apart", "equivalent within 10 points"),
    ],
)
def test_the_headline_says_if_a_test_shows_that_cohorts_differ(gap, p, answer, words):
    main = equivalence("different, but within the margin", -0.05)
    table = pd.concat([main, equivalence("distinguishable", gap, "expert")])
    (row,) = summarize(table, judged_by=who_judges(all=p)).to_dict("records")
    assert (row["answer"], row["cohorts"]) == (answer, "amt; expert")
    assert words in row["conclusion"]
    first, second = draw([row], table)
    assert (first["who"], second["who"]) == ("Online judges", "AI experts")
    assert (first["number"], first["interval"]) == ("−5", "−10 to 0")
    if answer.startswith("depends"):
        assert (first["words"], first["at"], words in first["note"]) == (answer, {}, True)
    else:
        assert first["words"] == "told apart"
        assert first["at"][15] == "told apart, but within 15 points"


def test_a_machine_of_which_cohorts_differ_is_named():
    agents = ("all", "azure", "mccq")
    compared = [
        equivalence("distinguishable", gap - 0.1 * (agent == "azure"), cohort, agent)
        for cohort, gap in (("amt", -0.2), ("expert", -0.3))
        for agent in agents
    ]
    p = who_judges(all=0.3, azure=0.01, mccq=0.05)
    table = summarize(pd.concat(compared), estimate_agents(agents), p).set_index("agent")
    answers = ["told apart", "depends on who judges", "told apart"]
    assert table.loc[list(agents), "answer"].tolist() == answers
    assert table.at["all", "conclusion"].endswith(
        "; Azure judged human less often than people by 30 points among online judges, 40 among AI "
        "experts (p = 0.010)"
    )


def test_cohorts_with_other_machines_have_an_answer_of_their_own():
    agents = {"amt": "ab", "expert": "ab", "gpt4o_agent": "cda", "svm": "c"}
    color = STUDY.tasks["color"]
    cohorts = {
        name: color.cohorts[name].model_copy(update={"agents": tuple(own)})
        for name, own in agents.items()
    }
    tasks = {"color": color.model_copy(update={"cohorts": cohorts})}
    study = STUDY.model_copy(update={"tasks": tasks})
    compared = pd.concat(equivalence("equivalent", -0.02, cohort) for cohort in agents)
    table = summarize(compared, study=study)
    assert table["cohort"].tolist() == ["amt", "gpt4o_agent"]
    assert table["task_label"][1].startswith("Color estimation (")
    assert table["claims_checked"].isna().tolist() == [False, True]
    headlines = headline_cohorts.list_headlines(study, compared)
    assert headlines == [("color", "amt"), ("color", "gpt4o_agent")]
    # Most of its machines are those of the headline.
    cohorts["gpt4o_agent"] = cohorts["amt"].model_copy(update={"agents": ("a", "b", "c")})
    assert headline_cohorts.list_headlines(study, compared) == [("color", "amt")]


def test_every_task_asks_once_about_all_machines_and_once_about_each():
    present = {("color", "amt"): ["human", "azure", "mccq"], ("color", "expert"): ["azure", "mccq"]}
    present |= {("color", "feedback"): ["azure", "mccq"], ("object", "amt"): ["azure"]}
    asked = headline_cohorts.ask_who_judges(STUDY, present)
    assert [one.cohorts for one in asked] == [("amt", "expert")] * 2
    assert [one.agents for one in asked] == [("all",), ("azure", "mccq")]
    families = [one.recommended.family for one in asked]
    assert families == ["who judges", "who judges, machines"]
    assert {one.recommended.correction for one in asked} == {"holm"}


def test_choices_are_compared_with_one_half():
    color = STUDY.tasks["color"].model_copy(update={"choice": True})
    study = STUDY.model_copy(update={"tasks": {"color": color}})
    for conclusion, answer, words in (
        ("distinguishable", "told apart", "less often than by chance"),
        ("equivalent", "not told apart", "as often as by chance, within 10 points"),
        ("undecided", "undecided", "too few data to tell"),
        (
            *("different, but within the margin", "barely told apart"),
            "less often than by chance, by less than 10 points",
        ),
    ):
        half = equivalence(conclusion, -0.13, against="chance").assign(baseline=0.5, rate=0.42)
        told = summarize(half, study=study)
        assert list(told) == RESULTS["findings"]
        (row,) = told.to_dict("records")
        expected = f"chosen over the person in 42% [39%, 45%] of choices: {words}"
        assert (row["answer"], row["conclusion"]) == (answer, expected)
        (shown,) = draw([row], half, choice=True)
        assert (shown["number"], shown["shares"]) == ("−13", None)
        assert shown["signal"].startswith("detectability 0.58")


def test_gaps_of_opposite_signs_are_not_pooled():
    """Pooled, one machine above people and one below would be equivalent."""
    gaps = {"all": 0.0, "eloquent": 0.2, "plain": -0.2}
    compared = pd.concat(
        equivalence("different" if gap else "equivalent", gap, agent=agent)
        for agent, gap in gaps.items()
    )
    rows = [
        {"task": "color", "cohort": "amt", "agent": agent, "conclusion": "", "answer": ""}
        | {"cohorts": "amt" if agent == "all" else ""}
        for agent in gaps
    ]
    for answer, names in (
        ("depends on the machine", ["eloquent", "plain"]),
        ("undecided", ["all machines", "eloquent", "plain"]),
    ):
        lines = draw([rows[0] | {"answer": answer}, *rows[1:]], compared)
        assert [line["name"] for line in lines] == names
        assert [line["words"] for line in lines[-2:]] == [chart.MORE_HUMAN, "told apart"]


LABELS = {
    "choice": False,
    "tasks": {"color": "Color estimation"},
    "cohorts": {"color": {"amt": "Online judges", "expert": "AI experts"}},
    "agents": {"eloquent": "eloquent", "plain": "plain"},
}
"""What a report knows of the study."""


def draw(rows, compared, **known):
    """The lines of the chart of findings, from what was compared."""
    texts = [
        [{key: "" if pd.isna(cell) else str(cell) for key, cell in row.items()} for row in table]
        for table in (rows, compared.assign(n=60).to_dict("records"))
    ]
    return chart.list_gaps(*texts, [], LABELS | known)["groups"][0]["lines"]
