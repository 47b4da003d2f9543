"""Nothing that identifies a judge leaves the raw data."""

import pandas as pd

# Stand-ins for what identifies people and their computers. The first is too short to look for in
# compressed files, where chance makes any three bytes.
SECRETS = ("AW0", "XXXXXXXXX", "PIDSECRET", "ASGSECRET", "SECRETAGENT", "203.0.113")
COMPRESSED = (".png", ".pdf", ".parquet", ".pkl")


def looked_into(project):
    """Yield path, content and whether it is compressed, of every file that a run left.

    A table in columns comes twice: as it is and as text.
    """
    for top in ("results", ".snakemake"):
        for path in sorted((project.folder / top).rglob("*")):
            if path.is_file():
                yield path, path.read_bytes(), path.suffix in COMPRESSED
            if path.suffix == ".parquet":
                yield path, pd.read_parquet(path).to_csv().encode(), False


def test_nothing_personal_reaches_a_file(public):
    looked = 0
    for path, content, packed in looked_into(public.project):
        looked += 1
        for secret in SECRETS[packed:]:
            assert secret.encode() not in content, f"{secret} in {path}"
    assert looked > 10


def test_people_have_numbers_and_judges_no_answers_that_are_not_analysed(public, observed):
    for project in (public.project, observed):
        (table,) = (project.folder / "results").glob("zhang2025/data/judges.parquet")
        judges = pd.read_parquet(table)
        assert not {"worker", "country", "native", "engagement", "difficulty"} & set(judges)
        people = judges["person"].dropna()
        assert (
            len(people) > 100 and people.str.fullmatch(r"(mturk(-[ab])?|prolific)\.p\d{3,}").all()
        )
