"""Raw files are outputs: a deleted one is made again when a job reads it."""


def test_a_deleted_file_is_made_again_when_it_is_read(studies, tmp_path):
    project = studies.copy(tmp_path / "project")
    results = "results/studies/turingrsa/data"
    before = project.results(results)
    distances = project.folder / "data/raw/turingrsa/demo/distances.parquet"
    content = distances.read_bytes()
    distances.unlink()
    asked = (f"{results}/ratings.parquet", "--forcerun", "read")
    settings = ("--configfile", "config/subsets/studies.yaml")
    project.make(*asked, *settings, config={"study": "turingrsa"})
    assert distances.read_bytes() == content
    assert project.results(results) == before
