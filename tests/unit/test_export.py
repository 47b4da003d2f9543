"""What others get of a study: only columns that are read, and no id of a person."""

from turingstats.config.raw_files import Sources
from turingstats.config.study import Study
from turingstats.data.adapters import table_files
from turingstats.export import tables

TRIALS = """participant,mail,item,by,answer
Ann@example.org,ann@example.org,t1,human,human
ann@example.org,ann@example.org,t2,gpt,machine
NA,,t1,human,machine
bob,bob@example.org,t2,gpt,human
"""
PEOPLE = "who,age,phone\nANN@example.org,30,1\nbob,40,2\n"
COLUMNS = {"judge": "participant", "stimulus": "item", "agent": "by", "verdict": "answer"}
FILE = {"path": "trials.csv", "format": "verdict_table", "task": "texts", "cohort": "people"}
FILE |= {"columns": COLUMNS | {"age": "age"}}
FILE["join"] = {"table": "people.csv", "by": {"participant": "who"}}
SOURCES = {"folder": ".", "files": [FILE]}


def write(folder, target, sources, **task):
    task = {"label": "T", "cohorts": {"people": {"label": "People"}}} | task
    agents, tasks = {"gpt": {"label": "GPT"}}, {"texts": task}
    study = Study(study="mine", title="Mine", agents=agents, tasks=tasks)
    return tables.write_tables(Sources(**sources), study, folder, target)


def test_people_have_one_pseudonym_in_all_tables(tmp_path):
    (tmp_path / "trials.csv").write_text(TRIALS)
    (tmp_path / "people.csv").write_text(PEOPLE)
    target = tmp_path / "target"
    target.mkdir()
    sources = write(tmp_path, target, SOURCES)
    file = sources["files"][0]
    trials = table_files.read_table(target / "data" / file["path"])
    people = table_files.read_table(target / "data" / file["join"][0]["table"])
    assert trials.header == ["participant", "item", "by", "answer"]
    assert list(trials.cells[0]) == ["p0001", "p0001", "NA", "p0002"]
    assert people.header == ["who", "age"]
    assert list(people.cells[0]) == ["p0001", "p0002"]
    texts = "".join(path.read_text().lower() for path in target.rglob("*.*"))
    assert "example.org" not in texts and "bob" not in texts and "phone" not in texts


def test_machines_among_witnesses_keep_their_names(tmp_path):
    (tmp_path / "games.csv").write_text("judge,a,b,chosen\nAnn,GPT,bob,Bob\nBob,person,gpt,b\n")
    columns = {"judge": "judge", "witness_a": "a", "witness_b": "b", "chosen": "chosen"}
    file = FILE | {"path": "games.csv", "columns": columns}
    file |= {"join": [], "values": {"witness_a": {"person": "human"}}}
    (tmp_path / "target").mkdir()
    sources = SOURCES | {"files": [file]}
    written = write(tmp_path, tmp_path / "target", sources, design="three_party")
    lines = (tmp_path / "target/data" / written["files"][0]["path"]).read_text().splitlines()
    assert lines[1:] == ["p0001,GPT,p0002,p0002", "p0002,person,gpt,b"]
