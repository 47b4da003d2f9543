"""Who judged in tables of one's own: people found again across tasks, and no id that reaches a table."""

import csv

from project import describe_texts, list_people, read_tables

(TASK,) = describe_texts()["tasks"].values()
OWN = describe_texts(
    tasks={"poems": TASK, "jokes": TASK},
    demographics={"chatbot_use": {"seldom": ["0-3"], "often": ["4+"]}},
)


def read_own(folder, rows, header):
    with open(folder / "own.csv", "w", newline="") as stream:
        csv.writer(stream).writerows([header, *rows])
    files = [
        {"path": "own.csv", "task": task, "where": {"task": [task]}}
        | {"columns": {name: name for name in header if name != "task"}}
        for task in OWN["tasks"]
    ]
    return read_tables(folder, OWN, *files)[2]


def test_the_same_id_in_two_tasks_of_own_data_is_one_person(tmp_path):
    header = ["task", "cohort", "judge", "agent", "verdict", "chatbot_use"]
    rows = [
        ("poems", "people", "SECRET1", "bot", "human", 2),
        ("poems", "people", "SECRET2", "bot", "human", 5),
        ("poems", "models", "SECRET1", "bot", "human", ""),
        ("jokes", "people", "SECRET2", "bot", "machine", 5),
    ]
    judges = read_own(tmp_path, rows, header)
    assert list_people(judges) == {
        "poems.people.w001": "own.p001",
        "poems.people.w002": "own.p002",
        "poems.models.w001": None,
        "jokes.people.w001": "own.p002",
    }
    assert "SECRET" not in judges.to_csv()
    assert judges["chatbot_use"].dropna().tolist() == ["2", "5", "5"]


def test_a_column_may_say_who_a_judge_is(tmp_path):
    header = ["task", "cohort", "judge", "person", "agent", "verdict", "chatbot_use"]
    rows = [
        ("poems", "people", "session1", "lab.p007", "bot", "human", 2),
        ("poems", "people", "session2", "Jane", "bot", "human", 2),
        ("jokes", "people", "session3", "lab.p007", "bot", "human", 2),
        ("jokes", "people", "lab.p009", "", "bot", "human", 2),
    ]
    judges = read_own(tmp_path, rows, header)
    # Numbers stay as they are, names do not, and an empty cell means that it is not known.
    assert list(list_people(judges).values()) == ["lab.p007", "own.p001", "lab.p007", None]
