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
COLOR, PAPER = f"{STUDY}/color.yaml", f"{STUDY}.yaml"
REMARK = r"\Z", "# a remark\n"
# What only shows results, so that an edit reruns no computation: the edits (file, text, replacement), the
# rules that rerun, and the figures that are drawn again if not all are. Edits that rerun different jobs are
# made together.
PRESENTED = {
    "label of a cohort": (
        [(COLOR, r"(amt: *\{? *(?:\n *)?label: )[^,\n]+", r"\1Other judges")],
        (SHOWN - LEDGERS) | {"show_judges", "show_related_tasks", "model_figure_data", "summarize"},
        None,
    ),
    "title of the study, caption, layout and docstring of figures": (
        [
            (PAPER, r"(?m)^title: .*", "title: Another title"),
            (PAPER, r"( fig6:\n    title: .*\n    caption: >-\n      )\w+", r"\1Another"),
            (
                PAPER,
                r"( fig7:(?:\n    .*)*?\n    layout: ).*",
                r"\1[ABCD, EFGH, IJKL, MNOP, UVWX, QRST]",
            ),
            (
                "src/turingstats/figures/standalone/forest.py",
                r'\A"""',
                '"""As before: ',
            ),
        ],
        {"draw"},
        ["fig6", "fig7", "forest"],
    ),
    "title of a figure, remark on a claim": (
        [
            (PAPER, r"( fig6:\n    title: ).*", r"\1Another title"),
            ("data/published/zhang2025/claims.csv", r"\A(.*\n.*)\n", r"\1another remark\n"),
        ],
        {"draw", "summarize", *LEDGERS, *PAGES},
        ["fig6"],
    ),
    "a tool": ([("tools/baseline.py", *REMARK)], set(), []),
}
# An edited file of the library reruns the rules that read it, and those whose input is new then.
# Which jobs read which file is tested by itself (tests/unit/test_code_dependencies.py).
ADAPTER = "src/turingstats/data/adapters/zhang2025/trial_dictionary.py"
AFTER_INGEST = {"clean", "train_judges", "measure_texts", "provenance", *FROM_CLEAN, *MODELS}


@contextlib.contextmanager
def edited(folder, edits):
    """Replace texts of files for a while.

    Parameters
    ----------
    folder : pathlib.Path
    edits : list of (str, str, str)
        File in the folder, pattern and replacement.
    """
    kept = {}
    try:
        for name, pattern, replacement in edits:
            path = folder / name
            content, stat = path.read_bytes(), path.stat()
            kept.setdefault(path, (content, stat))
            changed, number = re.subn(pattern, replacement, content.decode(), count=1)
            assert number == 1
            path.write_bytes(changed.encode())
        yield
    finally:
        for path, (content, stat) in kept.items():
            path.write_bytes(content)
            os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))


@pytest.fixture(scope="module")
def finished(observed, tmp_path_factory):
    """A copy of the default run."""
    return observed.copy(tmp_path_factory.mktemp("reruns") / "project")


def test_a_second_run_does_nothing(finished):
    assert "Nothing to be done" in finished.make()


@pytest.mark.parametrize(("config", "expected"), KEYS, ids=[str(config) for config, _ in KEYS])
def test_a_changed_key_reruns_the_jobs_that_use_it(finished, config, expected):
    jobs = finished.plan(config=config)
    assert {job.rule for job in jobs} == expected | {"provenance", "write_report"}


def test_an_edited_function_reruns_the_jobs_that_use_it(finished):
    with edited(finished.folder, [(ADAPTER, *REMARK)]):
        jobs = finished.plan()
    assert {job.rule for job in jobs if ADAPTER in job.inputs} - {"write_report"} == {"ingest"}
    # Whatever is made anew is in the report.
    assert {job.rule for job in jobs} == AFTER_INGEST | {"ingest", "write_report"}


@pytest.mark.parametrize("name", PRESENTED)
def test_edited_presentation_reruns_no_computation(finished, name):
    edits, expected, drawn = PRESENTED[name]
    with edited(finished.folder, edits):
        jobs = finished.plan()
    assert {job.rule for job in jobs} == expected | ({"write_report"} if expected else set())
    if drawn is not None:
        assert sorted(job.figure for job in jobs if job.rule == "draw") == drawn


def test_a_removed_picture_is_drawn_again_alone_and_the_same(finished):
    picture = finished.folder / "results/zhang2025/figures/fig6.png"
    before = finished.results()
    picture.unlink()
    planned = [(job.rule, job.figure) for job in finished.plan()]
    assert [job for job in planned if job[0] != "write_report"] == [("draw", "fig6")]
    finished.make()
    assert finished.results() == before
