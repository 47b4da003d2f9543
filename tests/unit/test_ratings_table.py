"""Tables of similarity ratings with columns of any names; all are made up here."""

import itertools

import pytest
from test_new_study import write

from turingstats.config import defaults
from turingstats.core.errors import ConfigError, InputError
from turingstats.ratings import reading

WORDS = ("cat", "dog", "NA", "1")
HEADER = ("subject", "word1", "word2", "similarity", "model")


def make_rows(raters=(("anna", "people"), ("ben", "people"), ("run1", "GPT-4")), both=()):
    """Make a row per rater and pair: rater, two words, a rating from 1 to 7, and who rated."""
    rows = []
    for (rater, system), (place, pair) in itertools.product(
        raters, enumerate(itertools.combinations(WORDS, 2))
    ):
        orders = [pair, pair[::-1]] if system in both else [pair]
        rows += [(rater, *words, place + 1 + (rater == "ben"), system) for words in orders]
    return rows


def test_two_stimuli_and_a_number_are_a_study_of_ratings(tmp_path):
    study, file, told = write(tmp_path, (HEADER, make_rows(both=("GPT-4",))))
    assert study.design == "ratings"
    assert study.scale == (1, 7)
    labels = {name: agent.label for name, agent in study.agents.items()}
    assert labels == {"human": "People", "gpt_4": "GPT-4"}
    columns = {"item_a": "word1", "item_b": "word2", "rating": "similarity"}
    assert file.columns == columns | {"participant": "subject", "system": "model"}
    assert "taken for a scale from 1 to 7" in told
    assert "human        12 trials of 2 raters, rated: 12" in told
    ratings = reading.read_ratings(file, tmp_path, study)
    assert ratings["rating"].tolist() == [row[3] for row in make_rows(both=("GPT-4",))]
    assert ratings["item_b"].astype(str).tolist()[:3] == ["dog", "NA", "1"]
    # Whoever rated is a number.
    assert set(ratings["participant"].astype(str)) == {"human.r001", "human.r002", "gpt_4.r001"}
    assert "anna" not in ratings.to_csv() and "anna" not in told


def test_each_category_is_a_task_and_other_columns_are_not_read(tmp_path):
    rows = [(*row, "fruit" if "cat" in row else "tools", "x") for row in make_rows()]
    study, file, told = write(tmp_path, ((*HEADER, "Category", "age"), rows))
    labels = {name: task.label for name, task in study.tasks.items()}
    assert labels == {"fruit": "fruit", "tools": "tools"}
    figures = defaults.fill_defaults(study).figures
    assert list(figures) == ["dissimilarity", "variability", "alignment"]
    for figure in figures.values():
        assert [panel.title for panel in figure.panels.values()] == ["fruit", "tools"]
    assert file.columns["task"] == "Category" and "task         Category" in told
    assert "Not read:\n  age" in told
    items = reading.read_study([file], tmp_path, study)["items"]
    assert items["fruit"].sum() == 4 and items["tools"].sum() == 3


def test_ratings_of_people_alone(tmp_path):
    rows = [row[:4] for row in make_rows() if row[4] == "people"]
    rows[3] = (*rows[3][:3], "")
    study, file, told = write(tmp_path, (("rater", "item_a", "item_b", "rating"), rows))
    assert file.cohort == "human"
    assert "all ratings taken for people's" in told
    assert "without a rating: 1" in told
    ratings = reading.read_ratings(file, tmp_path, study)
    assert ratings["status"].astype(str).tolist().count("refused") == 1
    assert set(ratings["system"].astype(str)) == {"human"}


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("similarity", "distance", "how different two stimuli are"),
        ("subject", "x", "no column is known for participant"),
        (3, "high", "not a number"),
        (4, "x", "raters are people"),
    ],
)
def test_what_cannot_be_compared_is_named(tmp_path, old, new, problem):
    rows = [[new if at == old else cell for at, cell in enumerate(row)] for row in make_rows()]
    with pytest.raises(InputError, match=problem):
        write(tmp_path, ([new if name == old else name for name in HEADER], rows))
    assert not (tmp_path / "config").exists()


def test_verdicts_between_two_stimuli_are_no_ratings(tmp_path):
    rows = [
        (f"j{n % 3}", WORDS[n % 4], WORDS[(n + 1) % 4], ("left", "right")[n % 2], "left", "gpt")
        for n in range(24)
    ]
    header = ("judge", "item_left", "item_right", "choice", "human_side", "model")
    study, _, _ = write(tmp_path, (header, rows))
    assert study.tasks["verdicts"].choice


def test_rows_of_ratings_are_not_left_out_uncounted(tmp_path):
    study, file, _ = write(tmp_path, (HEADER, make_rows()))
    columns = {name: column for name, column in file.columns.items() if name != "system"}
    for change, told in (
        ({"where": {"model": ("people",)}}, r"6 rows would be left out \(model is not people"),
        ({"columns": columns, "values": {}}, "no column of system"),
    ):
        with pytest.raises(ConfigError, match=told):
            reading.read_ratings(file.model_copy(update=change), tmp_path, study)


def test_a_rating_that_is_there_twice_counts_once(tmp_path):
    rows = make_rows()
    other = (*rows[0][:3], 7, rows[0][4])
    study, file, _ = write(tmp_path, (HEADER, [*rows, *rows[:3], other]))
    tables = reading.read_study([file], tmp_path, study)
    people = tables["exclusions"].set_index("system").loc["human"]
    assert people[["trials", "rated", "other"]].tolist() == [16, 13, 3]
    assert people["reason"] == "repeats an earlier row in every column that is read: 3"
    # What was said otherwise of the same pair counts, and so does what a number tells apart.
    numbered = [(*row, number) for number, row in enumerate([*rows, *rows[:3]])]
    study, file, _ = write(tmp_path, ((*HEADER, "trial"), numbered), "again")
    file = file.model_copy(update={"columns": {**file.columns, "trial": "trial"}})
    tables = reading.read_study([file], tmp_path, study)
    assert tables["exclusions"]["other"].sum() == 0
