"""The public files, from a checkout or a repository: the same trials as those that come with the project.

The files are rebuilt from transcribed trials, which are not part of the project; without them beside its
folder these tests are skipped.
"""

import json
import re

import pandas as pd
from project import Project, git

RESULTS = "results/zhang2025/data"
EXPERTS = (
    "Experiments with AI experts/AI experts databases/dominant color recognition/"
    "compiled_AIexperts.json"
)


def test_repository_and_observed_tables_hold_the_same(public, observed):
    runs = [public.project, observed]
    for name in ("raw_judgments.parquet", "responses.parquet", "left_out.csv"):
        contents = {(run.folder / RESULTS / name).read_bytes() for run in runs}
        assert len(contents) == 1, name
    # Ids of workers are stand-ins, the same in several files, so that people differ.
    judges = [pd.read_parquet(run.folder / RESULTS / "judges.parquet") for run in runs]
    pd.testing.assert_frame_equal(*(table.drop(columns="person") for table in judges))


def test_only_the_listed_files_are_fetched(public):
    folder = public.project.folder / "data/raw/zhang2025/repository"
    laid_out = {
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if path.is_file() and path.relative_to(folder).parts[0] != ".git"
    }
    package = public.project.folder / "data/observed/zhang2025/datapackage.json"
    described = json.loads(package.read_text())
    wanted = {source["path"] for table in described["resources"] for source in table["sources"]}
    # What notebooks print comes with the converter.
    wanted = {path for path in wanted if not path.endswith(".ipynb")}
    assert laid_out == wanted
    kept = git(folder, "cat-file", "--batch-all-objects", "--batch-check=%(objectname)").split()
    for path in git(public.checkout, "ls-files", "-z").split("\0")[:-1]:
        assert (git(public.checkout, "rev-parse", f"HEAD:{path}") in kept) == (path in wanted), path


def test_trials_are_compared_with_the_files_of_a_checkout(public, tmp_path):
    project = Project(tmp_path / "project")
    data = {"source": str(public.checkout), "commit": "any", "allow_missing": True}
    path = public.checkout / EXPERTS
    before = path.read_text()
    content = json.loads(before)
    trials = content["AIexperts"]
    trials["Trial_1"]["trialData"]["response_speaker"] = "machine"
    trials["Trial_2"]["trialData"]["rt"] += 1
    del trials["Trial_480"]
    try:
        path.write_text(json.dumps(content))
        output = project.make("compare_with_public", config={"data": data})
    finally:
        path.write_text(before)
    assert re.search(r"91,5\d\d trials compared", output)
    found = pd.read_csv(project.folder / RESULTS / "compared_with_public.csv")
    found = found[found["column"] != "person"]
    assert len(found) == 3
    assert set(found["table"]) == {"color_trials"}
    told = found.set_index("row")
    cells = told.loc["expert w001 1", ["column", "bundled", "public"]].tolist()
    assert cells == ["verdict", "human", "machine"]
    assert told.loc["expert w001 2", "column"] == "rt_ms"
    assert told.loc["expert w012 480", "public"] == "no such row"
