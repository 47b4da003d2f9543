"""The configuration model: unknown keys, names that must exist, subsets."""

import json
import shutil
from typing import get_args

import pandas as pd
import pytest
from project import ROOT, read_study

from turingstats.analysis.comparisons.compare import TESTS
from turingstats.config import defaults, graded, raw_files, settings, subset
from turingstats.config.raw_files import Wide
from turingstats.config.settings import Config
from turingstats.config.study import Study, panels, tests
from turingstats.config.study.checks import list_bad_formulas
from turingstats.config.subset import cut_study, load_study
from turingstats.core import yaml_models
from turingstats.core.errors import ConfigError
from turingstats.data.distinct_values import are_equal
from turingstats.figures.kinds import KIND_OF
from turingstats.figures.similarity import KIND_OF as SIMILAR

STUDY = read_study("zhang2025")


def test_names_of_a_study_must_be_known(tmp_path):
    values = STUDY.model_dump(mode="json")
    values["comparisons"][0]["cohorts"] = ["nobody"]
    with pytest.raises(ConfigError, match="unknown name 'nobody'; cohorts known: amt"):
        yaml_models.build_model(Study, values, "study.yaml")
    with pytest.raises(ConfigError, match=r"known: .*zhang2025"):
        load_study(ROOT / "config/studies/zhang2026.yaml")


def test_parts_of_a_study_are_merged(tmp_path):
    (tmp_path / "a.yaml").write_text("include: [b.yaml]\nx: {one: 1}\ny: [1]\n")
    (tmp_path / "b.yaml").write_text("x: {two: 2}\ny: [2]\n")
    assert yaml_models.read_parts(tmp_path / "a.yaml") == {"x": {"one": 1, "two": 2}, "y": [1, 2]}
    (tmp_path / "b.yaml").write_text("x: {one: 2}\n")
    with pytest.raises(ConfigError, match=r"b\.yaml: 2 was set to 1 in an earlier part"):
        yaml_models.read_parts(tmp_path / "a.yaml")


def test_a_model_left_out_of_its_task_is_gone_everywhere(tmp_path):
    shutil.copytree(ROOT / "config/studies", tmp_path / "studies")
    path = tmp_path / "studies/zhang2025/caption.yaml"
    text = path.read_text()
    models = "[git, ofa, blip, clipcap, microsoft"
    assert text.count(f"    agents: {models}, openflamingo") == 2
    text = text.replace(f"    agents: {models}", "    agents: [ofa, blip, clipcap, microsoft")
    path.write_text(text.replace(f"&models {models}", "&models [ofa, blip, clipcap, microsoft"))
    cut = subset.cut_study(load_study(tmp_path / "studies/zhang2025.yaml"), settings.Config())
    whole = subset.cut_study(STUDY, settings.Config())
    assert "git" not in cut.tasks["caption"].agents
    assert not any("git" in c.agents for c in cut.tasks["caption"].cohorts.values())
    assert not any("git" in c.agents for c in cut.comparisons)
    panels = [p for f in cut.figures.values() for p in f.panels.values()]
    assert not any("git" in p.agent_names for p in panels)
    assert len(panels) == sum(len(f.panels) for f in whole.figures.values())
    # What names no agent of that model stays as it was.
    assert whole.comparisons == STUDY.comparisons and whole.figures == STUDY.figures
    assert [c.id for c in cut.comparisons] == [c.id for c in whole.comparisons]


SHORT = """\
title: Short
agents:
  bot: {label: Bot}
tasks:
  chat:
    label: Chat
    cohorts:
      lab: {label: Lab}
demographics:
  age: {young: 18-35, old: [36-50, 51+]}
"""


def test_a_short_study_file_is_filled_in(tmp_path):
    path = tmp_path / "short.yaml"
    path.write_text(SHORT)
    study = load_study(path)
    assert study.study == "short"
    assert study.agents["human"].label == "Human"
    assert study.tasks["chat"].agents == study.tasks["chat"].cohorts["lab"].agents == ("bot",)
    assert study.demographics["age"]["old"]["recommended"] == ("36-50", "51+")


def test_parts_of_another_study_can_be_taken(tmp_path):
    (tmp_path / "whole.yaml").write_text(SHORT + "claims: [paper]\n")
    path = tmp_path / "part.yaml"
    part = "title: Part\ninclude: [{file: whole.yaml, only: [agents, tasks]}]\n"
    path.write_text(part)
    study = load_study(path)
    assert (study.claims, study.demographics) == ((), {})
    path.write_text(part + "keep: {cohorts: [web]}\n")
    with pytest.raises(ConfigError, match="cohorts: web unknown"):
        load_study(path)
    path.write_text(part.replace("agents, tasks", "agents, taks"))
    with pytest.raises(ConfigError, match="has no taks"):
        load_study(path)


@pytest.mark.parametrize(
    ("data", "sources", "said"),
    [
        ({}, {}, "generated data"),
        ({"source": "public"}, {}, "public data"),
        # The commit vouches for the files of a checkout and of another repository, if it is the pinned one.
        ({"source": "/here"}, {}, "public data"),
        ({"source": "public", "repository": "/fork.git"}, {}, "public data"),
        ({"source": "/here", "commit": "b" * 40}, {}, "observed data"),
        ({"source": "public", "repository": "/fork.git", "commit": "b" * 40}, {}, "observed data"),
        # Studies whose trials are not public pin no commit.
        ({"source": "/here"}, {"commit": "any"}, "observed data"),
        ({"source": "public"}, {"folder": "mine"}, "observed data"),
        ({}, {"folder": "mine", "generated": True}, "generated data"),
    ],
)
def test_only_public_data_are_called_so(data, sources, said):
    pinned = raw_files.Sources(**{"repository": "/public.git", "commit": "a" * 40} | sources)
    assert raw_files.label_data(pinned, settings.Data(**data)) == said


def describe_chat(**keys):
    """A study of one task, as its file would declare it."""
    values = {"study": "mine", "title": "Chats", "readings": ["recommended"]}
    task = {"label": "Chat", "cohorts": {"people": {"label": "Judges"}}}
    return values | {"agents": {"bot": {"label": "Bot"}}, "tasks": {"chat": task}} | keys


def build(**keys):
    return yaml_models.build_model(Study, describe_chat(**keys), "mine.yaml")


def test_only_ratings_and_scores_have_figures_of_their_own():
    names, plain = {"ratings", "roc"}, defaults.fill_defaults(build())
    assert not names & set(plain.figures) and names <= set(defaults.explain_skipped_figures(plain))
    rated = {"chat": {"people": graded.Grades(kind="rating", points=[1, 2])}}
    assert names <= set(defaults.fill_defaults(build(), rated).figures)


PASSING = {"id": "passing", "task": "chat", "cohorts": ["people"], "quantity": "called human"}
PASSING |= {"agents": ["human", "bot"], "recommended": {"test": "friedman_pairs"}}
PANEL = {"kind": "matrix", "title": "Chats", "task": "chat", "cohort": "people", "agents": ["bot"]}
OWN = {"title": "Mine", "panels": {"A": PANEL}}


def test_what_is_added_joins_the_defaults():
    added = {"comparisons": [PASSING], "figures": {"mine": OWN}}
    filled = defaults.fill_defaults(build(add=added))
    usual = defaults.fill_defaults(build())
    assert [c.id for c in filled.comparisons] == [*(c.id for c in usual.comparisons), "passing"]
    assert list(filled.figures) == [*usual.figures, "mine"]
    assert defaults.explain_skipped_figures(filled) == defaults.explain_skipped_figures(usual)
    # As jobs get it.
    assert Study(**filled.model_dump(mode="json")) == filled
    # What is declared at the top replaces them.
    filled = defaults.fill_defaults(build(**added))
    assert [c.id for c in filled.comparisons] == ["passing"]
    assert list(filled.figures) == ["mine"]
    twice = build(add={"comparisons": [PASSING | {"id": "chat.people.chance"}]})
    with pytest.raises(ConfigError, match=r"chat\.people\.chance is the id of a default test"):
        defaults.fill_defaults(twice)


def declare_model(formula, **keys):
    """What a study with one regression declares."""
    model = {"id": "chat.agents", "task": "chat", "cohorts": ["people"], "formula": formula}
    task = {"label": "Chat", "cohorts": {"people": {"label": "Judges"}}}
    return {"models": [model | keys], "tasks": {"chat": task | {"columns": {"mood": "number"}}}}


@pytest.mark.parametrize(
    "formula",
    [
        "correct ~ mood * position + (1 + position | judge) + (1 | judge:made_by)",
        "cbind(said_machine, said_human) ~ 1",
    ],
)
def test_formulas_name_columns_of_trials(formula):
    assert [*list_bad_formulas(build(**declare_model(formula)))] == []


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"add": {"comparisons": [PASSING | {"task": "talk"}]}}, ["comparisons.passing", "talk"]),
        ({"add": {"tests": []}}, ["add.tests", "unknown key", "comparisons, figures"]),
        (
            {"add": {"figures": {"mine": {"panels": {"A": PANEL}}}}},
            ["add.figures.mine.title", "required"],
        ),
        (
            {"comparisons": [PASSING], "add": {"comparisons": [PASSING | {"id": "more"}]}},
            ["add.comparisons joins the default comparisons"],
        ),
        (declare_model("said_machine ~ agnet"), ["models.chat.agents", "agnet", "agent"]),
        (declare_model("said_machine ~ poly(position, 2)"), ["poly() is not offered", "columns"]),
        (declare_model("said_machine agent"), ["a formula needs one ~"]),
        (declare_model("said_machine ~ agent + (1 || judge)"), ["|| is not offered"]),
        (declare_model("said_machine ~ moods"), ["moods", "mood"]),
        (declare_model("said_machine ~ agent", cluster="rater"), ["rater", "judge"]),
        (
            declare_model("said_machine ~ agent", only={"variants": ["a"]}),
            ["variants", "variant"],
        ),
    ],
)
def test_faults_of_what_is_declared_are_found_when_the_file_is_read(tmp_path, keys, words):
    path = tmp_path / "mine.yaml"
    path.write_text(json.dumps(describe_chat(**keys)))
    with pytest.raises(ConfigError) as error:
        load_study(path)
    for word in (str(path), *words):
        assert word in str(error.value)


def test_machines_among_which_people_chose_are_compared_in_pairs():
    cohorts = {"people": {"label": "Judges"}}
    task = {"label": "Chat", "design": "three_party", "agents": ["bot", "gpt"], "cohorts": cohorts}
    agents = {"bot": {"label": "Bot"}, "gpt": {"label": "GPT"}}
    *_, last = defaults.fill_defaults(build(agents=agents, tasks={"chat": task})).comparisons
    assert (last.id, last.agents) == ("chat.people.bot-gpt", ("bot", "gpt"))
    assert (last.quantity, last.recommended.test) == ("called human", "crossed_t")
    assert (last.recommended.family, last.recommended.correction) == ("chat.agents", "holm")


def test_machine_judges_are_tested_over_stimuli_where_these_are_known():
    cohorts = {"people": {"label": "Judges", "judge_kind": "detector"}}
    study = build(tasks={"chat": {"label": "Chat", "cohorts": cohorts}})
    described = {"path": "t.csv", "format": "verdict_table", "task": "chat"}
    columns = {"judge": "who", "verdict": "said", "agent": "by"}

    def choose_test(**keys):
        file = yaml_models.build_model(raw_files.RawFile, {**described, **keys}, "sources")
        known = raw_files.list_cohorts_with_stimuli([file])
        first = defaults.fill_defaults(study, with_stimuli=known).comparisons[0]
        return first.recommended.test

    with_stimulus = {**columns, "stimulus": "text"}
    assert choose_test(columns=with_stimulus, cohort="people") == "crossed_t"
    assert choose_test(columns={**with_stimulus, "cohort": "by_whom"}) == "crossed_t"
    assert choose_test(columns=columns, cohort="people") == "two_proportions"
    optional = choose_test(columns=with_stimulus, cohort="people", optional=["stimulus"])
    assert optional == "two_proportions"


def test_a_study_of_similarity_keeps_references_and_what_is_left_of_tests_and_panels():
    study = load_study(ROOT / "config/studies/turingrsa.yaml")
    asked = settings.Config(tasks=("objects",), agents=("gpt4", "gpt4o"))
    cut = subset.cut_study(study, asked)
    kept = {name: task.agents for name, task in cut.tasks.items()}
    assert kept == {"objects": ("spose", "gpt4", "gpt4o")}
    assert cut.alignment_tests == ()
    # Its matrices are those of other agents.
    assert cut.figures["figS1"].panels["B"].agents == ("spose",)
    assert set(cut.figures) == {"figS1", "figS2", "alignment"}
    cut = subset.cut_study(study, settings.Config(agents=("gpt4",)))
    assert set(cut.figures["fig2"].panels) == {"A", "C", "D"}


def test_study_files_may_name_the_tests_and_kinds_of_panels_that_there_are():
    procedures = get_args(get_args(tests.Procedure)[0])
    named = [name for model in procedures for name in list_names(model, "test")]
    assert sorted(named) == sorted(TESTS)
    (union, *_), drawn = get_args(panels.Panel), {*KIND_OF, *SIMILAR}
    kinds = {kind for model in get_args(union) for kind in list_names(model, "kind")}
    # Other panels say something about a figure.
    assert kinds < drawn and drawn - kinds == {"group test", "no data"}


def list_names(model, key):
    """List the names that a key of a model may have."""
    return get_args(model.model_fields[key].annotation)


def test_a_cohort_alone_keeps_its_agents_and_a_pool_needs_its_cohorts():
    study = load_study("config/studies/zhang2025.yaml")
    for name, task in study.tasks.items():
        for cohort, described in task.cohorts.items():
            config = Config(tasks=[name], cohorts=[cohort])
            if described.pools:
                with pytest.raises(ConfigError, match="leave no cohort"):
                    cut_study(study, config)
            else:
                kept = cut_study(study, config).tasks[name]
                assert set(kept.agents) == {*described.agents} & {*task.agents}
                assert {*kept.published_control} == {*task.published_control} & {cohort}


def test_patterns_of_wide_columns_have_as_many_stars():
    with pytest.raises(ValueError, match="as many"):
        Wide(name="item", columns={"said": "a_*", "sure": "b_*_*"})


def test_missing_cells_equal_nothing():
    cells, other = (pd.Series(own, dtype="category") for own in (["a", None], ["a", None]))
    assert are_equal(cells, other).tolist() == [True, False]
