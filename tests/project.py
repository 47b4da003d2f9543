"""A copy of the project to run the workflow in, and what the tests ask about a run."""

import copy
import csv
import functools
import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import yaml

from tools import check
from turingstats.config.raw_files import RawFile
from turingstats.config.settings import Config
from turingstats.config.study import Study
from turingstats.config.subset import load_study
from turingstats.core.yaml_models import build_model
from turingstats.data import adapters

ROOT = Path(__file__).resolve().parents[1]
# Transcribed trials of the public repository; not part of the project.
TRANSCRIBED = ROOT.parent / "shared"
GOLDEN = ROOT / "tests/golden"
OBSERVED = ROOT / "data/observed/zhang2025"
# Judgments of unrelated public studies.
REAL_TABLES = ROOT / "tests/real_tables"
NOBODY = pd.DataFrame(columns=["judge", "reading", "group_by", "group"])
"""Groups of judges, without any."""
STATED = {
    "model": "stated",
    "rates": {"people": 0.55, "agent": 0.35, "other": 0.5},
    "spreads": {"judge": 0.6, "judge:made_by": 0.3, "stimulus": 0.4},
    "stimuli": 40,
}
"""What is stated of a planned study without a fitted model."""
SMOKE = ("--configfile", "config/subsets/smoke.yaml")
# These tell how a run went, not what came out.
ACCOUNTS = ("logs", "benchmarks")
# Variables that would lead a run out of its copy.
FOREIGN = (
    *("PYTHONPATH", "SNAKEMAKE_PROFILE", "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"),
    # Each step of a run would compile all modules again.
    "PYTHONDONTWRITEBYTECODE",
)


def read_example(name):
    """Read a generated table of docs/example/."""
    return pd.read_csv(ROOT / f"docs/example/{name}.csv", keep_default_na=name != "games")


def read_said(name):
    """What `init` is told of a table of docs/example/."""
    asked = (part.split("=", 1) for part in check.EXAMPLES.get(name, ()))
    config = Config(**{key: yaml.safe_load(text) for key, text in asked})
    return {"words": config.values, "shape": config.table}


def list_people(judges):
    """List the person behind each judge, None where that is not known."""
    known = judges["person"].astype(object).where(judges["person"].notna(), None)
    return dict(zip(judges["judge"], known, strict=True))


def read_reference(name):
    """Read what other software computed: tests/oracle/<name>.json."""
    return json.loads((ROOT / f"tests/oracle/{name}.json").read_text())


def read_rows(name):
    """Read the rows of a table beside the tests, as text."""
    with (ROOT / "tests" / name).open(encoding="utf-8", newline="") as stream:
        return [tuple(row) for row in csv.reader(stream)][1:]


@dataclass(frozen=True)
class Job:
    """A job that a dry run announces."""

    rule: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


@dataclass(frozen=True)
class Run:
    """How a call of Snakemake ended."""

    code: int
    output: str


class Project:
    """A copy of the project in a new folder, without its tests, with data and results of its own."""

    def __init__(self, folder):
        self.folder = Path(folder)
        # With what Python has compiled: no copy compiles the modules again.
        compiled = (str(path.relative_to(ROOT)) for path in (ROOT / "src").rglob("*.pyc"))
        for name in (*project_files(), *compiled):
            if not name.startswith("tests/"):
                target = self.folder / name
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, target)

    def copy(self, folder):
        """Copy the project with its results; to Snakemake these are as new as before."""
        copied = copy.copy(self)
        copied.folder = Path(shutil.copytree(self.folder, folder, symlinks=True))
        return copied

    def compute_less(self):
        """Let the default run of this copy draw and train less, and make small PNGs."""
        path = self.folder / "config/config.yaml"
        less = {
            "bootstrap: 10000": "bootstrap: 200",
            "permutation: 10000": "permutation: 200",
            "folds: 10": "folds: 3",
            "seeds: 3": "seeds: 1",
            "max_responses: 1000": "max_responses: 300",
            "formats: [svg, png]": "formats: [png]",
            "dpi: 300": "dpi: 72",
        }
        text = path.read_text()
        for key, smaller in less.items():
            assert key in text
            text = text.replace(key, smaller)
        path.write_text(text)
        return self

    def snakemake(self, *arguments, config=None, environment=None):
        """Call Snakemake in the copy, with no one at the keyboard; `config` is nested as in its file."""
        command = [sys.executable, "-m", "snakemake", *arguments]
        if config:
            command += ["--config", *(f"{k}={json.dumps(v)}" for k, v in config.items())]
        kept = {name: value for name, value in os.environ.items() if name not in FOREIGN}
        pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "text": True}
        pipes |= {"stderr": subprocess.STDOUT, "env": kept | (environment or {})}
        done = subprocess.run(command, cwd=self.folder, **pipes)
        return Run(done.returncode, done.stdout)

    def make(self, *arguments, **options):
        """Call Snakemake as `snakemake` does, and expect that it succeeds; return what it prints."""
        run = self.snakemake(*arguments, **options)
        assert run.code == 0, run.output[-5000:]
        return run.output

    def plan(self, *arguments, **options):
        """Jobs that Snakemake would run; targets that only collect files are left out."""
        output = self.make(*arguments, "--dry-run", "--quiet", "host", **options)
        jobs = []
        for block in re.split(r"^(?:local)?rule ", output, flags=re.MULTILINE)[1:]:
            told = dict(re.findall(r"^    (\w+): (.*)$", block, re.MULTILINE))
            if "output" in told:
                files = [tuple(told[key].split(", ")) for key in ("input", "output")]
                jobs.append(Job(block.split(":", 1)[0], *files))
        return jobs

    def results(self, folder="results/zhang2025"):
        """Content of every result by its path; logs and benchmarks are none."""
        top = self.folder / folder
        return {
            str(path.relative_to(top)): path.read_bytes()
            for path in sorted(top.rglob("*"))
            if path.is_file()
            and path.relative_to(top).parts[0] not in ACCOUNTS
            and not path.name.startswith(".")
        }


def project_files():
    """Files of the project, relative to its top, without what git ignores."""
    command = ["git", "-C", str(ROOT), "ls-files", "-co", "--exclude-standard", "-z"]
    listed = subprocess.run(command, capture_output=True, text=True)
    if listed.returncode == 0:
        names = [name for name in listed.stdout.split("\0") if name]
    else:  # an unpacked archive
        made = {"results", ".venv", ".snakemake", ".git"}
        paths = (path.relative_to(ROOT) for path in ROOT.rglob("*"))
        names = [str(path) for path in paths if path.parts[0] not in made]
        names = [name for name in names if not name.startswith("data/raw/")]
    return [name for name in names if (ROOT / name).is_file() and "__pycache__" not in name]


@functools.cache
def read_study(name):
    """Read a study of the project, once in a process; tests leave it as it is."""
    return load_study(ROOT / f"config/studies/{name}.yaml")


def read_tables(folder, study, *files):
    """Read files of a study, as declared: the study, judgments, judges, responses, rows left out, notes."""
    study = build_model(Study, study, "study")
    files = [build_model(RawFile, {"format": "verdict_table"} | file, "sources") for file in files]
    return study, *adapters.read_with_left_out(files, folder, study)


def describe_texts(agents=("bot",), **changes):
    """Describe a study of texts that people, models and detectors judge, as its file would."""
    cohorts = {
        "people": {"label": "People"},
        "models": {"label": "Models", "judge_kind": "llm"},
        "detectors": {"label": "Detectors", "judge_kind": "detector"},
    }
    return {
        "study": "own",
        "title": "T",
        "readings": ["recommended"],
        "agents": {name: {"label": name.capitalize()} for name in agents},
        "tasks": {"texts": {"label": "Texts", "cohorts": cohorts}},
    } | changes


def git(folder, *arguments):
    identity = ["-c", "user.name=test", "-c", "user.email=test@example.org"]
    command = ["git", "-C", str(folder), *identity, *arguments]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return done.stdout.strip()
