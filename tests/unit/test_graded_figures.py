"""Default figures of ratings and scores: which there are, the numbers that they show, and what they lack."""

import pandas as pd
import pytest
from project import read_example

from turingstats.analysis import detector_scores, graded_verdicts
from turingstats.config import defaults, graded, raw_files
from turingstats.config.settings import Cleaning
from turingstats.config.study import Study
from turingstats.core import yaml_models
from turingstats.data import adapters, cleaning
from turingstats.figures import grid, source_data

LABELS = {"gpt_4o": "GPT-4o", "llama_3": "Llama 3", "markov_chain": "Markov chain"}
COHORTS = {"judges": {"label": "Judges"}}
COHORTS["detectors"] = {"label": "Detectors", "judge_kind": "detector"}
STUDY = {
    **{"study": "own", "title": "T", "readings": ["recommended"]},
    "agents": {name: {"label": label} for name, label in LABELS.items()},
    "tasks": {"texts": {"label": "Texts", "cohorts": COHORTS}},
}
SHARED = {"format": "verdict_table", "task": "texts"}
COLUMNS = {"stimulus": "text_id", "agent": "written_by"}
SCALE = {"column": "answer", "human": "1-3", "unsure": 4, "machine": "5-7"}
FILES = [
    SHARED
    | {"path": "ratings.csv", "cohort": "judges", "columns": COLUMNS | {"judge": "participant"}}
    | {"rating": SCALE, "values": {"rating": {"-1": None}}},
    SHARED
    | {"path": "scores.csv", "cohort": "detectors", "columns": COLUMNS | {"judge": "detector"}}
    | {"score": {"column": "p_fake", "machine": ">= 0.5"}},
]

DETECTORS = ("Watermark probe", "Perplexity", "Word counts")


def analyze(folder, declared=STUDY, files=FILES):
    """The study with its default figures, and what its figures are picked from."""
    read_example("ratings").to_csv(folder / "ratings.csv", index=False)
    read_example("scores").to_csv(folder / "scores.csv", index=False)
    raw = [yaml_models.build_model(raw_files.RawFile, file, "sources") for file in files]
    grades = graded.list_grades(raw)
    study = defaults.fill_defaults(yaml_models.build_model(Study, declared, "study"), grades)
    judgments = adapters.read_with_left_out(raw, folder, study)[0]
    marked = cleaning.mark_exclusions(judgments, study, Cleaning())
    parts = [
        measure(graded_verdicts.list_graded(marked, study, grades), 0.95)
        for measure in (graded_verdicts.measure_ratings, detector_scores.measure_scores)
    ]
    missing = pd.DataFrame(columns=["task", "cohort", "path", "would_supply", "why"])
    return study, {"ratings": pd.concat(parts, ignore_index=True), "missing": missing}


def draw(study, results, name):
    place = {"reading": "recommended", "level": 0.95, "data": "generated data"}
    data = source_data.select_figure_data(name, study, results, **place)
    texts = [text.get_text() for axes in grid.draw_panels(data).axes for text in axes.texts]
    return data, texts


@pytest.fixture(scope="module")
def analysis(tmp_path_factory):
    return analyze(tmp_path_factory.mktemp("grades"))


def test_distribution_has_one_bar_per_agent_and_detector(analysis):
    study, results = analysis
    data, texts = draw(study, results, "ratings")
    shares = data[data["quantity"] == "share"]
    people = shares[shares["panel"] == "A"]
    counted = people.groupby("agent_label").size().to_dict()
    assert counted == dict.fromkeys(("Human", *LABELS.values()), 7)
    detectors = shares[shares["panel"] == "B"]
    assert set(detectors["group"]) == set(DETECTORS)
    assert (detectors.groupby(["group", "agent"]).size() == 10).all()
    sums = shares.fillna({"group": ""}).groupby(["panel", "group", "agent"])["value"].sum()
    assert sums.tolist() == pytest.approx([1] * len(sums))
    for words in ("Watermark probe", "1 (human)", "7 (machine)", "Markov chain"):
        assert words in texts


def test_roc_curves_are_of_agents_for_people_and_of_detectors(analysis):
    study, results = analysis
    data, texts = draw(study, results, "roc")
    areas = data[data["quantity"] == "roc_area"]
    groups = areas.groupby("panel")["group"].agg(list).to_dict()
    assert groups == {"A": ["All models", *LABELS.values()], "B": list(DETECTORS)}
    assert areas[["ci_low", "ci_high"]].notna().all().all()
    for row in areas.to_dict("records"):
        assert any(f"{row['group']}: AUC {row['value']:.2f}" in text for text in texts)


def test_detectors_that_are_cohorts_share_a_panel(tmp_path):
    names = dict(zip(("probe", "perplexity", "counts"), DETECTORS, strict=True))
    cohorts = {key: {"label": label, "judge_kind": "detector"} for key, label in names.items()}
    declared = STUDY | {"tasks": {"texts": {"label": "Texts", "cohorts": cohorts}}}
    columns = COLUMNS | {"cohort": "detector"}
    file = {key: value for key, value in FILES[1].items() if key != "cohort"} | {"columns": columns}
    study, results = analyze(tmp_path, declared=declared, files=[file])
    assert results["ratings"]["judge"].unique().tolist() == [""]
    assert results["ratings"]["cohort"].drop_duplicates().tolist() == [*names, "all"]
    for figure in ("ratings", "roc"):
        data, _ = draw(study, results, figure)
        assert data["panel"].unique().tolist() == ["A"]
        assert data["group"].drop_duplicates().tolist() == list(DETECTORS)
        assert data["cohort"].drop_duplicates().tolist() == list(names)
        assert "Detectors" in data["title"].tolist()


def test_plain_verdicts_have_none_of_these_figures():
    study = defaults.fill_defaults(yaml_models.build_model(Study, STUDY, "study"))
    names = {"ratings", "roc"}
    assert not names & set(study.figures)
    assert names <= set(defaults.explain_skipped_figures(study))
    rated = {"texts": {"judges": graded.Grades(kind="rating", points=[1, 2])}}
    study = defaults.fill_defaults(yaml_models.build_model(Study, STUDY, "study"), rated)
    assert names <= set(study.figures)
