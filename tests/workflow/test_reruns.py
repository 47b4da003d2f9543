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
    ({"resamples": {"permutation": 600}}, {"statistics", *SHOWN}),
    ({"cleaning": {"min_rt_ms": 300}}, FROM_DATA),
]
STUDY = "config/studies/zhang2025"
COLOR, PAPER = f"{STUDY}/color.yaml", f"{STUDY}.yaml"
# Edits (file, text, replacement), and the rules that rerun: no computation where only what is shown changes.
# Which jobs read which file is tested by itself (tests/unit/test_code_dependencies.py).
EDITS = {
    "module that reads tables": (
        [("src/turingstats/data/adapters/verdict_table.py", r"\Z", "# a remark\n")],
        {"read", "judges", *FROM_DATA},
    ),
    "label of a cohort": (
        [(COLOR, r"(amt: *\{? *(?:\n *)?label: )[^,\n]+", r"\1Other judges")],
        SHOWN,
    ),
    "title of the study, caption and docstring of figures": (
        [
            (PAPER, r"(?m)^title: .*", "title: Another title"),
            (PAPER, r"( fig6:\n    title: .*\n    caption: >-\n      )\w+", r"\1Another"),
            ("src/turingstats/figures/forests.py", r'\A"""', '"""As before: '),
        ],
        {"figures"},
    ),
    "remark on a claim": (
        [("data/published/zhang2025/claims.csv", r"\A(.*\n.*)\n", r"\1another remark\n")],
        {"ledger"},
    ),
}


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
    return observed.copy(tmp_path_factory.mktemp("reruns") / "project")


def test_a_second_run_does_nothing(finished):
    assert "Nothing to be done" in finished.make()


@pytest.mark.parametrize(("config", "expected"), KEYS, ids=[str(config) for config, _ in KEYS])
def test_a_changed_key_reruns_the_jobs_that_use_it(finished, config, expected):
    jobs = finished.plan(config=config)
    assert {job.rule for job in jobs} == expected | {"report"}


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_reruns_the_jobs_that_it_concerns(finished, name):
    edits, expected = EDITS[name]
    with edited(finished.folder, edits):
        jobs = finished.plan()
    assert {job.rule for job in jobs} == {"report", *expected}
