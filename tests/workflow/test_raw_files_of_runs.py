"""Raw files are outputs: a deleted one is made again when a job reads it."""

from project import Project


def test_a_deleted_file_is_made_again_when_it_is_read(tmp_path):
    project = Project(tmp_path / "project")
    config, asked = {"study": "xturing"}, "results/xturing/data/left_out.csv"
    project.make(asked, config=config)
    before = project.results("results/xturing/data")
    # Also one that joins another.
    judges = project.folder / "data/raw/xturing/demo/judges.csv"
    content = judges.read_bytes()
    judges.unlink()
    project.make(asked, "--forcerun", "read", config=config)
    assert judges.read_bytes() == content
    assert project.results("results/xturing/data") == before
