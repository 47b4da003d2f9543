"""Data of one's own from a table to figures."""

import pytest
from project import Project

FEW = {
    "resamples": {"bootstrap": 100, "permutation": 100},
    "figures": {"formats": ["png"], "dpi": 72},
}
BROKEN = "title: T\nagents: {bot: {lable: Bot}}\ntasks: {}\n"


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of the project with a study written for the example, and one that is not valid."""
    project = Project(tmp_path_factory.mktemp("own") / "project")
    project.make("init", config={"csv": "docs/example/trials.csv", "name": "example"})
    (project.folder / "config/studies/broken.yaml").write_text(BROKEN)
    return project


def test_a_table_becomes_figures_and_nothing_personal_does(project):
    output = project.make(config=FEW | {"study": "example"})
    made = project.results("results/example")
    assert {name for name in made if name.endswith(".png")} == {
        f"figures/{name}.png"
        for name in (
            "matrices agents judges stimuli confidence groups conditions agents_by_condition judge_spread "
            "signal forest abilities equivalence"
        ).split()
    }
    assert not [name for name in made if name.startswith("claims/")]
    table = (project.folder / "docs/example/trials.csv").read_text().splitlines()
    ids = {line.split(",")[0].encode() for line in table[1:]}
    for name, content in made.items():
        assert not [secret for secret in (*ids, b"192.0.2.", b"Mozilla") if secret in content], name
    # A study that nobody asked for is not read.
    assert "broken" not in output


def test_a_table_is_asked_for(project):
    # Errors of the scripts and of Snakemake are shown even if nothing else is.
    run = project.snakemake("init", "--quiet", "all")
    assert run.code != 0
    assert "csv=trials.csv" in run.output
