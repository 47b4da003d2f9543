"""Every figure of a report has a caption that readers who have not read the paper understand."""

import re

import pytest
from project import ROOT, read_study

from turingstats.config import defaults
from turingstats.config.load import load_study
from turingstats.report.headings import CAPTIONS, TITLES

STUDIES = sorted((ROOT / "config/studies").glob("*.yaml"))
STANDALONE = ROOT / "src/turingstats/figures/standalone"
LAYOUTS = {"__init__", "panels_in_rows", "similarity"}
"""Modules that draw figures of panels, which study files name."""


def find_faults(caption):
    """What is wrong with a caption; empty if nothing is."""
    words, sentences = caption.split(), re.findall(r"[.?](?=\s|$)", caption)
    rules = {
        "no caption": not caption,
        f"{len(words)} words": len(words) > 90,
        f"{len(sentences)} sentences": not 2 <= len(sentences) <= 4,
        "no question first": not re.match(r"Shows whether |[^.?]+\?\s", caption),
        "numbers of one run": re.search(r"\bn =|\bp [<=]|\d[.,]\d|\d ?%", caption),
        "errors of one reading": "standard error" in caption,
        "a file or a code": re.search(r"\w_\w|\.(csv|json|yaml)\b", caption),
    }
    return [fault for fault, found in rules.items() if found]


@pytest.mark.parametrize("path", STUDIES, ids=lambda path: path.stem)
def test_figures_of_study_files(path):
    figures = load_study(path).figures
    assert figures
    faults = {name: find_faults(figure.caption) for name, figure in figures.items()}
    assert not {name: found for name, found in faults.items() if found}


def test_figures_of_every_study():
    drawn = {path.stem for path in STANDALONE.glob("*.py")} - LAYOUTS
    assert drawn | {"claims_overview", "power", "looks"} == set(CAPTIONS) <= set(TITLES)
    faults = {name: find_faults(caption) for name, caption in CAPTIONS.items()}
    assert not {name: found for name, found in faults.items() if found}


def test_default_figures():
    study = read_study("zhang2025")
    banded = study.model_copy(update={"bands": {"confidence": ()}})
    grades = {
        "caption": {"all": {"kind": "rating"}},
        "word": {"all": {"kind": "score"}},
    }
    figures = defaults.declare_figures(banded, grades)
    assert {"matrices", "confidence", "ratings", "roc", "calibration", "conditions"} <= set(figures)
    faults = {name: find_faults(figure.caption) for name, figure in figures.items()}
    assert not {name: found for name, found in faults.items() if found}
