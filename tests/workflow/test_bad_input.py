"""Whatever is wrong with configuration, source or data: one clear message, and no harm done.

All tests share a small finished run on a data package of one's own. Each spoils something and puts it right
again. A job that fails leaves nothing of its own, and all other results stay as they were; the last test
mends a table with other content. Here is one fault of each kind; unit tests have the others and what is said
of them.
"""

import contextlib
import hashlib
import shutil

import pandas as pd
import pytest
from project import SMOKE, Project

TRIALS = "color_trials.csv"
PACKAGE = "datapackage.json"
ROW = 7
"""Row of the table that is changed; the header is row 1."""
RESULTS = "results/smoke/zhang2025"
# What the jobs make that list and read the raw files: there while none of them fails.
LISTED = {"data/sources.csv", "data/missing.csv"}
READ = {f"data/{name}.parquet" for name in ("raw_judgments", "judges", "responses")}
READ |= {"data/left_out.csv", "data/reading_notes.csv"}


class Package:
    """A folder with a data package, and the project that reads it."""

    def __init__(self, folder):
        self.project = Project(folder / "project")
        self.raw = folder / "raw data"
        shutil.copytree(self.project.folder / "data/observed/zhang2025", self.raw)
        self.trials = self.raw / TRIALS

    def run(self, data=None, **config):
        """Run the targets of these tests on the package, or with some keys changed."""
        data = {"source": str(self.raw)} | (data or {})
        asked = {"data": data, "tasks": ["color"]} | config
        return self.project.snakemake("data", *SMOKE, config=asked)

    def results(self):
        return self.project.results(RESULTS)

    def later_results(self):
        """Content of the results that follow from the raw files once these are read."""
        found = self.results()
        return {name: found[name] for name in found if name not in LISTED | READ}

    @contextlib.contextmanager
    def changed(self, change, described=False):
        """Change the verdict in row `ROW` for a while; `described`: the checksum of the table too."""
        table, description = self.trials.read_text(), (self.raw / PACKAGE).read_text()
        lines = [line.split(",") for line in table.split("\n")]
        place = lines[0].index("verdict")
        lines[ROW - 1][place] = change[lines[ROW - 1][place]]
        other = "\n".join(map(",".join, lines))
        try:
            self.trials.write_text(other)
            if described:
                old, new = (hashlib.sha256(text.encode()).hexdigest() for text in (table, other))
                (self.raw / PACKAGE).write_text(description.replace(old, new))
            yield
        finally:
            self.trials.write_text(table)
            (self.raw / PACKAGE).write_text(description)


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    made = Package(tmp_path_factory.mktemp("package"))
    run = made.run()
    assert run.code == 0, run.output
    return made


def expect_refusal(run, words):
    """Check that a run failed with one clear message that holds all the words."""
    assert run.code != 0
    for word in words:
        assert word in run.output, f"{word!r} is missing in:\n{run.output[-3000:]}"
    assert run.output.count(words[0]) == 1, run.output[-3000:]
    assert "Traceback" not in run.output
    # The message and little else.
    assert len(run.output.splitlines()) <= 40, run.output


def test_configuration_at_fault(package):
    before = package.results()
    run = package.run(sead=3)
    expect_refusal(run, ["sead: unknown key", "cohorts", "seed", "config/config.yaml"])
    assert package.results() == before


def test_subset_without_data(package):
    # The study names this cohort, but its predictions were never made public.
    before = package.later_results()
    run = package.run(cohorts=["svm"])
    expect_refusal(run, ["no judgments", "svm"])
    assert package.later_results() == before


def verdicts(package):
    judgments = pd.read_parquet(package.project.folder / RESULTS / "data/judgments.parquet")
    return judgments["verdict"].astype(str)


def test_raw_data_at_fault_until_they_are_mended(package):
    before, earlier = verdicts(package), package.results()
    later = package.later_results()
    with package.changed(dict.fromkeys(("human", "machine"), "robot")):
        # Earlier results in place do not hide the fault.
        run = package.run()
    expect_refusal(run, ["checksum mismatch with datapackage.json", TRIALS, "fix:"])
    assert package.later_results() == later
    assert not READ & set(package.results())
    # Mended, but with another content than the results were made from.
    with package.changed({"human": "machine", "machine": "human"}, described=True):
        run = package.run()
    assert run.code == 0, run.output
    after = verdicts(package)
    assert list(after.index[after != before]) == [ROW - 2]
    assert package.results()["data/counts.parquet"] != earlier["data/counts.parquet"]
