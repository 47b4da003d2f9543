"""Default figures of ratings and scores: which there are."""

import pandas as pd
from project import read_example

from turingstats.analysis import detector_scores, graded_verdicts
from turingstats.config import defaults, graded, raw_files
from turingstats.config.settings import Cleaning
from turingstats.config.study import Study
from turingstats.core import yaml_models
from turingstats.data import adapters, cleaning
from turingstats.figures import source_data

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
FILE = SHARED | {"path": "scores.csv", "columns": COLUMNS | {"judge": "detector"}}
FILE |= {"score": {"column": "p_fake", "machine": ">= 0.5"}}
DETECTORS = ("Watermark probe", "Perplexity", "Word counts")


def analyze(folder, declared, file):
    """The study with its default figures, and what its figures are picked from."""
    read_example("scores").to_csv(folder / "scores.csv", index=False)
    raw = [yaml_models.build_model(raw_files.RawFile, file, "sources")]
    grades = graded.list_grades(raw)
    study = defaults.fill_defaults(yaml_models.build_model(Study, declared, "study"), grades)
    judgments = adapters.read_with_left_out(raw, folder, study)[0]
    marked = cleaning.mark_exclusions(judgments, study, Cleaning())
    ratings = detector_scores.measure_graded(
        graded_verdicts.list_graded(marked, study, grades), 0.95
    )
    missing = pd.DataFrame(columns=["task", "cohort", "path", "would_supply", "why"])
    return study, {"ratings": ratings, "missing": missing}


def test_detectors_that_are_cohorts_share_a_panel(tmp_path):
    names = dict(zip(("probe", "perplexity", "counts"), DETECTORS, strict=True))
    cohorts = {key: {"label": label, "judge_kind": "detector"} for key, label in names.items()}
    declared = STUDY | {"tasks": {"texts": {"label": "Texts", "cohorts": cohorts}}}
    columns = COLUMNS | {"cohort": "detector"}
    study, results = analyze(tmp_path, declared, FILE | {"columns": columns})
    assert results["ratings"]["judge"].unique().tolist() == [""]
    assert results["ratings"]["cohort"].drop_duplicates().tolist() == [*names, "all"]
    for figure in ("ratings", "roc"):
        place = {"reading": "recommended", "level": 0.95, "data": "generated data"}
        data = source_data.select_figure_data(figure, study, results, **place)
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
