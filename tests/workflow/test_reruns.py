"""A change reruns the jobs that depend on it, and no others."""

import contextlib
import os
import re

import pytest

SHOWN = {"tables", "figures", "ledger"}
FROM_DATA = {"clean", "statistics", "models", *SHOWN}
# The report holds the whole configuration, so every changed key renews it.
KEYS = [
    ({"figures": {"dpi": 100}}, {"figures", "ledger"}),
    ({"figures": {"reading": "recommended"}}, SHOWN),
    ({"resamples": {"permutation": 600}}, {"statistics", *SHOWN}),
    ({"cleaning": {"min_rt_ms": 300}}, FROM_DATA),
    ({"seed": 1}, {"judges", *FROM_DATA}),
]
STUDY = "config/studies/zhang2025"
COLOR, PAPER = f"{STUDY}/color.yaml", f"{STUDY}.yaml"
REMARK = r"\Z", "# a remark\n"
# What only shows results, so that an edit reruns no computation: the edits (file, text, replacement), the
# rules that rerun, and the figures that are drawn again if not all are.
PRESENTED = {
    "label of a cohort": (
        [(COLOR, r"(amt: *\{? *(?:\n *)?label: )[^,\n]+", r"\1Other judges")],
        SHOWN,
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
        {"figures"},
    ),
    "remark on a claim": (
        [("data/published/zhang2025/claims.csv", r"\A(.*\n.*)\n", r"\1another remark\n")],
        # A figure may show a printed number.
        SHOWN,
    ),
    "a tool": ([("tools/baseline.py", *REMARK)], set()),
}
REDRAWN = {"fig6", "fig7", "forest"}
"""Figures that the edits of figures change."""
# An edited file of the library reruns the rules that read it, and those whose input is new then.
# Which jobs read which file is tested by itself (tests/unit/test_code_dependencies.py).
ADAPTER = "src/turingstats/data/adapters/verdict_table.py"


@contextlib.contextmanager
def edited(folder, edits):
    """Replace texts of files for a while; an edit is a file in the folder, a pattern and a replacement."""
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
    assert {job.rule for job in jobs} == expected | {"report"}


def test_an_edited_module_reruns_the_jobs_that_import_it(finished):
    with edited(finished.folder, [(ADAPTER, *REMARK)]):
        jobs = finished.plan()
    assert {job.rule for job in jobs if ADAPTER in job.inputs} == {"read"}
    # Whatever is made anew is in the report.
    assert {job.rule for job in jobs} == {"read", "judges", "report", *FROM_DATA}


@pytest.mark.parametrize("name", PRESENTED)
def test_edited_presentation_reruns_no_computation(finished, name):
    edits, expected = PRESENTED[name]
    with edited(finished.folder, edits):
        jobs = finished.plan()
    assert {job.rule for job in jobs} == expected | ({"report"} if expected else set())


def read_drawn(project):
    """Names of the figures that the last run drew."""
    log = (project.folder / "results/zhang2025/logs/figures.log").read_text()
    return set(re.findall(r"^(\w+): drawn$", log, re.MULTILINE))


def test_only_figures_that_change_are_drawn_again_even_if_one_fails(finished, tmp_path):
    project = finished.copy(tmp_path / "project")
    before = project.results()
    edits = PRESENTED["title of the study, caption, layout and docstring of figures"][0]
    with edited(project.folder, edits):
        project.make("figures")
        assert read_drawn(project) == REDRAWN
    fault = [
        ("src/turingstats/figures/standalone/forest.py", r"(\ndef draw\(.*\n)", r"\1    1 / 0\n")
    ]
    with edited(project.folder, fault):
        run = project.snakemake("figures", "--quiet", "all")
    assert run.code != 0
    assert "ZeroDivisionError" in run.output
    assert re.search(r"1 of \d+ figures could not be drawn: forest", run.output)
    # Snakemake removes what a failed job made; the other figures are in the cache.
    project.make("figures")
    assert read_drawn(project) <= {"forest"}
    assert project.results() == before
