"""Genders that judges took speakers for: shares, intervals over judges, and the table made of them."""

import pandas as pd
import pytest
from project import describe_texts

from turingstats.analysis import genders
from turingstats.config import settings
from turingstats.config.study import Study
from turingstats.core import yaml_models
from turingstats.core.errors import ConfigError
from turingstats.data import cleaning, counts, schema

TABLE = {"shows": "genders", "title": "Genders", "task": "chat"}
TABLE |= {"by": "variant", "label": "Type", "judges": "gender"}
QUIZ = {"label": "Quiz", "cohorts": {"web": {"label": "Web"}}}
STUDY = describe_texts(
    tasks={"chat": QUIZ | {"label": "Chat", "conditions": ["variant"]}, "quiz": QUIZ},
    demographics={"gender": {"female": ["female"], "male": ["male"]}},
    tables={"genders": TABLE},
)
# Two judges on people: three of four F, and none of four; on the bot one answer, and three unasked.
ANSWERS = (
    [("w1", "human", "H-H", told) for told in "FFFM"]
    + [("w2", "human", "H-M", told) for told in "MMMM"]
    + [("w1", "bot", "H-M", told) for told in ("F", None, None, None)]
)


def study(**changes):
    return yaml_models.build_model(Study, STUDY | changes, "study")


def measured(answers=ANSWERS, phase="test", described=None):
    described = described or study()
    rows = [
        dict.fromkeys(schema.JUDGMENTS)
        | {"study": "own", "task": "chat", "cohort": "web", "judge_kind": "human", "trial": i}
        | {"judge": judge, "agent": agent, "variant": variant, "phase": phase}
        | {"truth": "human" if agent == "human" else "machine", "verdict": "human"}
        | {"perceived_gender": {"F": "female", "M": "male"}.get(told)}
        for i, (judge, agent, variant, told) in enumerate(answers)
    ]
    judgments = schema.check_judgments(pd.DataFrame(rows, columns=schema.JUDGMENTS), "test")
    judges = pd.DataFrame({"judge": ["w1", "w2"], "gender": ["female", "male"]})
    marked = cleaning.mark_exclusions(judgments, described, settings.Cleaning())
    groups = counts.assign_groups(judges, described.demographics)
    return genders.measure_perceived_genders(marked, groups, described, 0.95)


def test_share_called_female_with_an_interval_over_judges():
    """Left over: 3 - 4 * 3/8 = 1.5, or -1.5; variance 6/5 * 6 * 2.25 / 24^2; 8.333 independent answers."""
    told = [
        (f"w{j}", "human", "H-H", "FFFM"[i] if j % 2 else "M") for j in range(6) for i in range(4)
    ]
    row = measured(told).set_index("gender_id").loc["chat.web.all.human.all"]
    assert (row["k"], row["n"], row["n_judges"]) == (9, 24, 6)
    assert row["value"] == pytest.approx(0.375)
    assert (row["ci_low"], row["ci_high"]) == pytest.approx((0.13965, 0.68923), abs=1e-4)


def test_shares_by_who_judged_and_what_on_trials_that_are_analysed():
    found = measured().set_index("gender_id")[["k", "n"]]
    machines = [f"{level}.{agent}" for level in ("all", "H-M") for agent in ("all", "bot")]
    expected = {f"{name}.{who}": (1, 1) for name in machines for who in ("all", "female")}
    expected |= {"all.human.all": (3, 8), "all.human.female": (3, 4), "all.human.male": (0, 4)}
    expected |= {"H-H.human.all": (3, 4), "H-H.human.female": (3, 4)}
    expected |= {"H-M.human.all": (0, 4), "H-M.human.male": (0, 4)}
    rows = found.astype(int).rename(lambda name: name.removeprefix("chat.web.")).iterrows()
    assert {name: tuple(row) for name, row in rows} == expected
    assert measured(phase="catch").empty
    assert measured([("w1", "bot", "H-M", None)]).empty
    assert list(measured([]).columns) == schema.RESULTS["genders"]


@pytest.mark.parametrize(
    ("key", "name", "known"),
    [("task", "chess", "chat"), ("by", "mood", "variant"), ("judges", "mood", "gender")],
)
def test_names_of_a_table_must_exist(key, name, known):
    with pytest.raises(ConfigError, match=rf"(?s)tables\.genders.*{name}.*{known}"):
        study(tables={"genders": TABLE | {key: name}})
