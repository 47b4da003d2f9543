"""Whatever is wrong with configuration, source or data: one clear message, and no harm done.

All tests share a small finished run on a checkout. Each spoils something and puts it right again. A job that
fails leaves nothing of its own, and all other results stay as they were; the last test mends a raw file with
other content. Here is one fault of each kind; unit tests have the others and what is said of them.
"""

import contextlib
import json

import pandas as pd
import pytest
from project import SMOKE, Project, git

from demo import zhang2025
from demo.zhang2025 import color

TRIALS = color.COLOR_AMT
NO_COMMIT = "0" * 40
TARGETS = ("data", "tables")
RESULTS = "results/smoke/zhang2025"
# What the jobs make that list and read the raw files: there while none of them fails.
LISTED = {"data/sources.csv", "data/missing.csv"}
READ = {f"data/{name}.parquet" for name in ("raw_judgments", "judges", "responses")}
READ |= {"data/left_out.csv"}


class Checkout:
    """A checkout of raw data and the project that reads it."""

    def __init__(self, folder):
        self.project = Project(folder / "project")
        self.raw = folder / "raw data"
        published = self.project.folder / "data/published/zhang2025"
        tables = published / "design.csv", published / "demographics.csv"
        zhang2025.write_demo(*tables, self.raw, 2025, ["color"])
        git(self.raw, "init", "-q")
        git(self.raw, "add", "-A")
        git(self.raw, "commit", "-qm", "raw data")
        self.commit = git(self.raw, "rev-parse", "HEAD")
        self.trials = self.raw / TRIALS

    def run(self, data=None, **config):
        """Run the targets of these tests on the checkout, or with some keys changed."""
        data = {"source": str(self.raw), "commit": "any"} | (data or {})
        asked = {"data": data, "tasks": ["color"]} | config
        return self.project.snakemake(*TARGETS, *SMOKE, config=asked)

    def results(self):
        """Content of the results by their path."""
        return self.project.results(RESULTS)

    def later_results(self):
        """Content of the results that follow from the raw files once these are read."""
        found = self.results()
        return {name: found[name] for name in found if name not in LISTED | READ}

    @contextlib.contextmanager
    def changed(self, change):
        """Change the file of trials for a while, by a function of its text."""
        content = self.trials.read_text()
        try:
            self.trials.write_text(change(content))
            yield
        finally:
            self.trials.write_text(content)


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A small finished run."""
    made = Checkout(tmp_path_factory.mktemp("checkout"))
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
    assert len(run.output.splitlines()) <= 30, run.output
    for secret in ("AGENERATED", "workerID"):
        assert secret not in run.output


# --- configuration -----------------------------------------------------------------------------


def test_configuration_at_fault(checkout):
    before = checkout.results()
    run = checkout.run(sead=3)
    expect_refusal(run, ["sead: unknown key", "cohorts", "seed", "docs/configuration.md"])
    assert checkout.results() == before


def test_subset_without_data(checkout):
    # The study names this cohort, but its predictions were never made public.
    before = checkout.later_results()
    run = checkout.run(cohorts=["svm"])
    expect_refusal(run, ["no judgments", "svm"])
    assert checkout.later_results() == before


# --- source ------------------------------------------------------------------------------------


def test_file_absent_at_the_source(checkout):
    before = checkout.later_results()
    away = checkout.trials.rename(checkout.trials.with_suffix(".away"))
    try:
        run = checkout.run()
    finally:
        away.rename(checkout.trials)
    expect_refusal(run, [f"{TRIALS} (cohort amt)", "1 of 3 raw files", "data.allow_missing: true"])
    assert checkout.later_results() == before


def test_public_repository_without_the_commit(checkout):
    before = checkout.later_results()
    run = checkout.run({"source": "public", "repository": str(checkout.raw), "commit": NO_COMMIT})
    expect_refusal(
        run, ["The public data could not be fetched", NO_COMMIT, "data.repository and data.commit"]
    )
    assert checkout.later_results() == before


# --- raw data ----------------------------------------------------------------------------------


def edit(change):
    """Make a function of the file's text from a function of the data of trial 7."""

    def changed(text):
        content = json.loads(text)
        change(content["mturk"]["Trial_7"]["trialData"])
        return json.dumps(content)

    return changed


def other_verdict(trial):
    """Turn the verdict round."""
    verdict = trial["response_speaker"]
    trial["response_speaker"] = {"human": "machine", "machine": "human"}[verdict]


NO_VERDICT = edit(lambda trial: trial.update(response_speaker="robot"))


def verdicts(checkout):
    """Verdicts by trial."""
    judgments = pd.read_parquet(checkout.project.folder / RESULTS / "data/judgments.parquet")
    return judgments.set_index("trial")["verdict"].astype(str)


def test_raw_data_at_fault_until_they_are_mended(checkout):
    before, earlier = verdicts(checkout), checkout.results()
    later = checkout.later_results()
    with checkout.changed(NO_VERDICT):
        assert checkout.run().code != 0
        # The fault stays a fault: earlier results in place do not hide it.
        run = checkout.run()
    told = ["row:     Trial_7", "column:  trialData.response_speaker", "found:   'robot'"]
    expect_refusal(
        run, ["outside the vocabulary", TRIALS, *told, "allowed: human, machine", "fix:"]
    )
    assert checkout.later_results() == later
    assert not READ & set(checkout.results())
    # Mended, but with another content than the results were made from.
    with checkout.changed(edit(other_verdict)):
        run = checkout.run()
    assert run.code == 0, run.output
    after, results = verdicts(checkout), checkout.results()
    assert list(after.index[after != before]) == [7]
    for name in ("data/counts.parquet", "statistics/estimates.csv", "data/provenance.json"):
        assert results[name] != earlier[name], name
