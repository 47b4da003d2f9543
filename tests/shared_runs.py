"""Runs of the workflow that several tests share.

Each is a fixture, made once in a session by the process that first asks for it; others wait meanwhile.
Tests leave the runs as they found them; those that change something do it in a copy (`Project.copy`).
"""

import contextlib
import inspect
import io
import os
import pickle
import shutil
import subprocess
import sys
from types import SimpleNamespace

import pytest
from filelock import FileLock
from nasty_labels import write_nasty_table
from project import STATED, TRANSCRIBED, Project, git, read_study

from converters.zhang2025 import raw_files, reading
from turingstats import cli
from turingstats.data import schema

ELSEWHERE = {"PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo", "LC_ALL": "C", "MPLBACKEND": "svg"}
ELSEWHERE["SOURCE_DATE_EPOCH"] = "1000000000"
FEW_DRAWS = [
    "resamples={bootstrap: 100, permutation: 100}",
    "figures={formats: [pdf, svg, png], dpi: 72}",
]
# No judge sees more stimuli than there are: a design of 80 is named among what is not simulated.
PLAN = STATED | {"judges": [20, 60], "trials": [10, 20, 80], "simulations": 100}


def share(make):
    """Make a fixture of a function of a folder and other fixtures; its value is pickled for all processes."""
    needed = list(inspect.signature(make).parameters)[1:]

    @pytest.fixture(scope="session", name=make.__name__)
    def shared(request, tmp_path_factory):
        given = [request.getfixturevalue(name) for name in needed]
        top = tmp_path_factory.getbasetemp()
        if "PYTEST_XDIST_WORKER" in os.environ:
            # Each process has a folder of its own in that of the session.
            top = top.parent
        record = top / f"{make.__name__}.pickle"
        with FileLock(record.with_suffix(".lock")):
            if not record.exists():
                try:
                    made = make(top / make.__name__, *given)
                except Exception as error:
                    made = error
                record.write_bytes(pickle.dumps(made))
        made = pickle.loads(record.read_bytes())
        if isinstance(made, Exception):
            raise made
        return made

    return shared


@share
def observed(folder):
    """The default run, on the observed trials, with few draws."""
    project = Project(folder).compute_less()
    project.printed = project.make()
    return project


@share
def exported(folder):
    """A folder with a table of one's own that has labels of any kind, its study, and the export of it.

    The export computes all results again, here with other settings of the computer.
    """
    folder.mkdir()
    write_nasty_table(folder / "trials.csv")
    printed = []

    def run(command, cwd):
        environment = os.environ if cwd == "." else os.environ | ELSEWHERE
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
        done = subprocess.run(command, cwd=cwd, env=environment, **pipes)
        printed.append(done.stdout)
        return done

    said = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(said):
        patch.chdir(folder)
        patch.setattr(cli, "subprocess", SimpleNamespace(run=run))
        for command in (["init", "trials.csv"], ["export", "trials", *FEW_DRAWS]):
            assert cli.main(command) == 0, printed[-1]
    return SimpleNamespace(folder=folder, printed=said.getvalue() + "".join(printed))


@share
def jones2024(folder):
    """A run of all studies of a project that has only this one, into results/studies/.

    Its verdicts are generated, and its rates rest on printed counts. `make check` runs the other studies.
    """
    project = Project(folder)
    for path in (folder / "config/studies").glob("*.yaml"):
        if path.stem != "jones2024":
            path.unlink()
    # As SVG, pictures are part of their page.
    config = {"study": "all", "figures": {"formats": ["png", "svg"]}}
    project.make("--configfile", "config/subsets/studies.yaml", config=config)
    return project


@share
def planned(folder):
    """A planned study, planned from stated values without any data, and what the run printed."""
    project = Project(folder)
    few = {"figures": {"formats": ["png", "svg"], "dpi": 72}}
    return SimpleNamespace(
        project=project, printed=project.make("plan", config=few | {"plan": PLAN})
    )


@share
def transcribed(folder):
    """A checkout of the public files, rebuilt from the transcribed trials."""
    if not TRANSCRIBED.exists():
        pytest.skip(f"the transcribed trials ({TRANSCRIBED}) are not at hand")
    builder = TRANSCRIBED / "tools/build_checkout.py"
    subprocess.run([sys.executable, builder, folder, "--fourth"], check=True, capture_output=True)
    return folder


@share
def transcribed_tables(folder, transcribed):
    """What the public files hold: judgments, judges, responses."""
    study = read_study("zhang2025")
    files = raw_files.list_present(raw_files.list_files(), transcribed)
    tables = reading.read_files(files, transcribed, study)
    return schema.complete_tables(tables, study)[:3]


@share
def public(folder, transcribed):
    """A checkout of the transcribed public files, and a run on its repository as far as the raw tables."""
    checkout = shutil.copytree(transcribed, folder / "checkout")
    bare = folder / "TuringTest.git"
    git(checkout, "clone", "-q", "--bare", ".", bare)
    # As the public server does, serve parts of any commit.
    for key in ("uploadpack.allowFilter", "uploadpack.allowAnySHA1InWant"):
        git(bare, "config", key, "true")
    data = {"source": "public", "repository": bare.as_uri(), "allow_missing": True}
    data |= {"commit": git(checkout, "rev-parse", "HEAD")}
    project = Project(folder / "project")
    names = ("raw_judgments.parquet", "judges.parquet", "responses.parquet", "left_out.csv")
    project.make(*(f"results/zhang2025/data/{name}" for name in names), config={"data": data})
    return SimpleNamespace(checkout=checkout, project=project)
