"""A change reruns the jobs that depend on it, and no others."""

import contextlib
import os
import re

import pytest

STATISTICS = {"estimate", "compare"}
PAGES = {"claims_page", "draw_claims"}
LEDGERS = {"check_claims", "check_notebooks"}
SHOWN = {"figure_data", "draw", "inventory", "table", *LEDGERS, *PAGES}
DESCRIBED = {"describe_judges", "show_judges"}
RELATED = {"relate_tasks", "show_related_tasks"}
FROM_CLEAN = {"clean", "summarize", *STATISTICS, *DESCRIBED, *RELATED, *SHOWN}
MODELS = {"fit_models", "what_changes", "judge_equivalence", "model_figure_data"}
# The provenance holds the whole configuration, so every changed key renews it, and the report with it.
KEYS = [
    ({"figures": {"dpi": 100}}, {"draw", "draw_claims"}),
    ({"figures": {"reading": "recommended"}}, SHOWN - LEDGERS),
    (
        {"resamples": {"permutation": 600}},
        {"compare", "figure_data", "draw", "inventory", "summarize", *LEDGERS, *PAGES}
        | {"what_changes", "model_figure_data"},
    ),
    ({"confidence": 0.9}, {"train_judges", "measure_texts", *FROM_CLEAN, *MODELS}),
    ({"cleaning": {"min_rt_ms": 300}}, FROM_CLEAN | MODELS),
    ({"seed": 1}, {"train_judges", *FROM_CLEAN, *MODELS}),
]
STUDY = "config/studies/zhang2025"
# What only shows results: file, text and its replacement, and the rules that rerun; none of them computes.
PRESENTED = {
    "label of a cohort": (
        f"{STUDY}/color.yaml",
        (r"(amt: *\{? *(?:\n *)?label: )[^,\n]+", r"\1Other judges"),
        (SHOWN - LEDGERS) | {"show_judges", "show_related_tasks", "model_figure_data", "summarize"},
    ),
    "title of the study": (f"{STUDY}.yaml", (r"(?m)^title: .*", "title: Another title"), set()),
    "title of a figure": (
        f"{STUDY}.yaml",
        (r"( fig6:\n    title: ).*", r"\1Another title"),
        {"claims_page", "draw", "draw_claims"},
    ),
    "caption of a figure": (
        f"{STUDY}.yaml",
        (r"( fig6:\n    title: .*\n    caption: >-\n      )\w+", r"\1Another"),
        {"draw"},
    ),
    "layout of a figure": (
        f"{STUDY}.yaml",
        (r"( fig6:(?:\n    .*)*?\n    layout: ).*", r"\1[ABCD, EF]"),
        {"draw"},
    ),
    "remark on a claim": (
        "data/published/zhang2025/claims.csv",
        (r"\A(.*\n.*)\n", r"\1another remark\n"),
        {"summarize", *LEDGERS, *PAGES},
    ),
    "docstring of a figure": (
        "scripts/turingstats/figures/standalone/forest.py",
        (r'\A"""', '"""As before: '),
        {"draw"},
    ),
}
# Edited file of the library: the rules that read it, and those that follow because their input is new. Which
# jobs read which file is tested by itself (tests/unit/test_code_dependencies.py).
AFTER_CLEAN = (FROM_CLEAN - {"clean"}) | MODELS
EDITED = {
    "claims/consistency.py": ({"check_claims"}, {"check_notebooks", "summarize", *PAGES}),
    "../../tools/baseline.py": (set(), set()),
    "figures/standalone/forest.py": ({"draw"}, set()),
    "data/adapters/zhang2025/trial_dictionary.py": (
        {"ingest"},
        {"clean", "train_judges", "measure_texts", "provenance", *AFTER_CLEAN},
    ),
}


@contextlib.contextmanager
def edited(path, pattern=r"\Z", replacement="# a remark\n"):
    """Replace a text of a file for a while; by default, append a comment."""
    content, stat = path.read_bytes(), path.stat()
    changed, number = re.subn(pattern, replacement, content.decode(), count=1)
    assert number == 1
    try:
        path.write_bytes(changed.encode())
        yield
    finally:
        path.write_bytes(content)
        os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))


def test_a_second_run_does_nothing(observed):
    assert "Nothing to be done" in observed.make()


@pytest.mark.parametrize(("config", "expected"), KEYS, ids=lambda value: str(value)[:50])
def test_a_changed_key_reruns_the_jobs_that_use_it(observed, config, expected):
    jobs = observed.plan(config=config)
    assert {job.rule for job in jobs} == expected | {"provenance", "write_report"}


@pytest.mark.parametrize("name", EDITED)
def test_an_edited_function_reruns_the_jobs_that_use_it(observed, name):
    readers, followers = EDITED[name]
    path = observed.folder / "scripts/turingstats" / name
    with edited(path):
        jobs = observed.plan()
    read = os.path.relpath(path, observed.folder)
    assert {job.rule for job in jobs if read in job.inputs} - {"write_report"} == readers
    # Whatever is made anew is in the report.
    renewed = readers | followers
    assert {job.rule for job in jobs} == renewed | ({"write_report"} if renewed else set())
    if name.startswith("figures/"):
        assert [job.figure for job in jobs if job.rule == "draw"] == [path.stem]


@pytest.mark.parametrize("name", PRESENTED)
def test_edited_presentation_reruns_no_computation(observed, name):
    file, (pattern, replacement), expected = PRESENTED[name]
    with edited(observed.folder / file, pattern, replacement):
        jobs = observed.plan()
    assert {job.rule for job in jobs} == expected | {"write_report"}
    if expected == {"draw"}:
        assert len(jobs) == 2


def test_a_removed_picture_is_drawn_again_alone_and_the_same(observed):
    picture = observed.folder / "results/zhang2025/figures/fig6.png"
    before = observed.results()
    picture.unlink()
    planned = [(job.rule, job.figure) for job in observed.plan()]
    assert [job for job in planned if job[0] != "write_report"] == [("draw", "fig6")]
    observed.make()
    assert observed.results() == before
