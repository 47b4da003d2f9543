"""Raw files are outputs: a deleted one is made again when a job reads it."""


def test_a_deleted_file_is_made_again_when_it_is_read(jones2024, tmp_path):
    project = jones2024.copy(tmp_path / "project")
    results = "results/studies/jones2024/data"
    before = project.results(results)
    games = project.folder / "data/raw/jones2024/demo/games.csv"
    content = games.read_bytes()
    games.unlink()
    asked = (f"{results}/left_out.csv", "--forcerun", "read")
    settings = ("--configfile", "config/subsets/studies.yaml")
    project.make(*asked, *settings, config={"study": "jones2024"})
    assert games.read_bytes() == content
    assert project.results(results) == before
