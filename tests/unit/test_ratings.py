"""Similarity ratings: reading and checking, and tasks whose raters are others."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr

from turingstats.config.ratings_study import Figure, RatingsStudy
from turingstats.core import files
from turingstats.core.errors import InputError
from turingstats.ratings import embedding_map, figure_numbers, raw_ratings
from turingstats.ratings import tables as similarity_tables
from turingstats.ratings.analysis import analyze_ratings

TASKS = {"finance": [f"f{n}" for n in range(7)], "tools": [f"t{n}" for n in range(6)]}
OPTIONS = {"seed": 3, "n_permutation": 99, "confidence": 0.95}
SYSTEMS = {
    "people": {"label": "People", "kind": "human", "orders": "one"},
    "model": {"label": "Model"},
    "late": {"label": "Model of tools alone"},
    "warm": {"label": "Warm model"},
    "vectors": {"label": "Vectors", "kind": "embedding"},
    "numbers": {"label": "Vectors of finance alone", "kind": "embedding"},
}
PEOPLE = {"finance": ["S1", "S2", "S3"], "tools": ["S4", "S5", "S6", "S7"]}
FIGURE = Figure(
    title="All",
    panels={
        f"{task}_{kind}": {"kind": kind, "title": kind, "task": task}
        for task in TASKS
        for kind in ("matrices", "raters", "variability", "individuals", "distributions", "map", "bars")
    },
)  # fmt: skip


def study_of(*tasks, **values):
    """A study of some of the tasks, all of whose systems are compared."""
    own = {
        task: {
            "label": task,
            "references": ["people"],
            "systems": [name for name in SYSTEMS if name != "warm"],
            "also": ["warm"],
        }
        for task in tasks
    }
    values = {"study": "s", "title": "S", "design": "ratings", "systems": SYSTEMS} | values
    return RatingsStudy(**values, tasks=own, maps=tasks, tables={t: t for t in ("items", *tasks)})


def trials_of(task, refusals=True):
    """Ratings of a task, and distances."""
    rng = np.random.default_rng(len(TASKS[task]))
    names = TASKS[task]
    truth = dict(zip(names, rng.normal(size=(len(names), 2)), strict=True))
    pairs = [(a, b) for n, a in enumerate(names) for b in names[n + 1 :]]
    asked = {("people", who): pairs for who in PEOPLE[task]}
    both = [(a, b) for a in names for b in names]
    systems = ["model", "warm"] + ["late"] * (task == "tools")
    asked |= {(name, f"{task}{n}"): both for name in systems for n in range(2)}
    rows = []
    for (system, who), own in asked.items():
        for a, b in own:
            rating = 90 - 15 * np.linalg.norm(truth[a] - truth[b]) + rng.normal(scale=6)
            rows.append((system, who, a, b, float(np.clip(rating, 0, 100))))
    table = pd.DataFrame(rows, columns=raw_ratings.RATINGS).assign(status="ok")
    if refusals:
        hidden = (table["system"] == "model") & (rng.random(len(table)) < 0.05)
        table.loc[hidden, ["rating", "status"]] = [np.nan, "refused"]
    embedded = ["vectors"] + ["numbers"] * (task == "finance")
    distances = [
        (name, a, b, np.linalg.norm(truth[a] - truth[b]) + rng.random())
        for name in embedded
        for a, b in pairs
    ]
    return table, pd.DataFrame(distances, columns=raw_ratings.DISTANCES)


def written(folder, *tasks):
    """Files of a study of some of the tasks."""
    tables = [trials_of(task) for task in tasks]
    for kind, parts in zip(("ratings", "distances"), zip(*tables, strict=True), strict=True):
        pd.concat(parts).to_csv(folder / f"{kind}.csv", index=False)
    rows = [
        (name, "odd" if number % 2 else "even", task)
        for task in tasks
        for number, name in enumerate(TASKS[task])
    ]
    items = pd.DataFrame(rows, columns=["item", "category", "sets"])
    items.to_csv(folder / "items.csv", index=False)
    return folder


def read(folder, study):
    """Everything that the files of a study say, as the steps of the workflow read it."""
    table = raw_ratings.read_ratings(folder / "ratings.csv", study)
    items = raw_ratings.read_items(folder / "items.csv", table, list(study.tasks))
    distances = raw_ratings.read_distances(folder / "distances.csv", study, items)
    return table, items, distances, raw_ratings.build_rating_arrays(table, study, items)


def analyzed(folder, study):
    """All tables of a study, maps, source data of figures and tables of the paper."""
    _, items, distances, found = read(folder, study)
    made = analyze_ratings(study, items, found, distances, OPTIONS)
    made["map"] = embedding_map.place_raters(study, items, found, distances, 1)
    panels = {k: panel for k, panel in FIGURE.panels.items() if panel.task in study.tasks}
    figure = FIGURE.model_copy(update={"panels": panels})
    for reading in study.readings:
        results = {name: made[name] for name in ("alignment", "agreement", "individuals", "map")}
        results |= {"distances": distances}
        given = (figure, study, items, found, results, reading, 0.95, "observed data")
        shown = figure_numbers.select_numbers(*given)
        # Cells of matrices do not repeat their task.
        made[f"figure {reading}"] = shown.assign(task=shown["panel"].str.partition("_")[0])
        for task in study.tasks:
            given = (task, study, items, made["alignment"], reading)
            made[f"table {reading}"] = pd.concat(
                [
                    made.get(f"table {reading}"),
                    similarity_tables.fill_table(*given).assign(task=task),
                ]
            )
    return made


@pytest.fixture(scope="module")
def together(tmp_path_factory):
    return analyzed(written(tmp_path_factory.mktemp("both"), *TASKS), study_of(*TASKS))


@pytest.fixture(scope="module", params=TASKS)
def alone(request, tmp_path_factory):
    """A task and what comes out when there is no other."""
    task = request.param
    return task, analyzed(written(tmp_path_factory.mktemp(task), task), study_of(task))


# --- tasks with raters of their own --------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    ["alignment", "agreement", "individuals", "sizes", "map"]
    + [f"{kind} {reading}" for kind in ("figure", "table") for reading in ("published", "recommended")],
)  # fmt: skip
def test_a_task_beside_another_gives_the_numbers_of_the_task_alone(name, together, alone):
    task, expected = alone
    found = together[name][together[name]["task"] == task].reset_index(drop=True)
    own = expected[name].reset_index(drop=True)
    assert len(own)
    found = found[own.columns].dropna(axis="columns", how="all")
    own = own.dropna(axis="columns", how="all")
    # To the last digit, not nearly.
    pd.testing.assert_frame_equal(found, own, check_exact=True, check_dtype=False)


@pytest.mark.parametrize("task", TASKS)
def test_agreement_is_that_of_the_raters_of_a_task(task, together):
    table, _ = trials_of(task)
    people = table[table["system"] == "people"]
    wide = people.pivot(index="participant", columns=["item_a", "item_b"], values="rating")
    k = len(PEOPLE[task])
    rho = np.mean([spearmanr(wide.iloc[a], wide.iloc[b])[0] for a in range(k) for b in range(a)])
    own = together["agreement"].set_index(["agreement_id", "reading"])
    for reading in ("published", "recommended"):
        group = own.loc[(f"{task}.people.ceiling_of_group", reading)]
        assert group["n_raters"] == k
        assert group["value"] == pytest.approx(np.sqrt(k * rho / (1 + (k - 1) * rho)))
        for quantity in ("icc", "ceiling_lower", "ceiling_upper"):
            row = own.loc[(f"{task}.people.{quantity}", reading)]
            assert 0 < row["value"] < 1 and row["n_raters"] == k
    singles = together["individuals"]
    mine = singles[(singles["task"] == task) & (singles["system"] == "people")]
    assert {*mine["participant"], *mine["rater"]} == set(PEOPLE[task])


def test_systems_without_ratings_of_a_task_are_not_compared_in_it(together):
    own = together["alignment"]
    systems = {
        task: {*rows["system_a"], *rows["system_b"]} for task, rows in own.groupby("task")
    }  # fmt: skip
    assert systems["finance"] == {"people", "model", "warm", "vectors", "numbers"}
    assert systems["tools"] == {"people", "model", "warm", "vectors", "late"}
    sizes = together["sizes"].set_index("size_id")["value"]
    assert sizes["finance.people.n_raters"] == 3 and sizes["tools.people.n_raters"] == 4
    assert sizes["tools.people.n_trials"] == 4 * 15
    assert sizes["finance.model.n_trials_per_rater"] == 49


def test_who_refused_every_trial_of_a_task_is_no_rater_of_it():
    table, _ = trials_of("finance")
    shy = table["participant"] == "S3"
    table.loc[shy, ["rating", "status"]] = [np.nan, "refused"]
    text = ["system", "participant", "item_a", "item_b", "status"]
    table[text] = table[text].astype("category")
    study = study_of("finance")
    items = raw_ratings.read_items(None, table, ["finance"])
    found = raw_ratings.build_rating_arrays(table, study, items)
    own = raw_ratings.select_task_raters(found, np.arange(len(items)), "recommended")
    assert found["people"].participants == ["S1", "S2", "S3"]
    assert own["people"].participants == ["S1", "S2"]
    distances = pd.DataFrame(columns=raw_ratings.DISTANCES)
    sizes = analyze_ratings(study, items, found, distances, OPTIONS)["sizes"]
    sizes = sizes.set_index("size_id")["value"]
    counted = [sizes[f"finance.people.n_{name}"] for name in ("raters", "trials", "not_rated")]
    assert counted == [2, 63, 21] and sizes["finance.people.n_trials_per_rater"] == 21


def test_one_system_alone_has_nobody_to_be_compared_with():
    table, _ = trials_of("tools")
    table = table[table["system"] == "people"]
    text = ["system", "participant", "item_a", "item_b", "status"]
    table[text] = table[text].astype("category")
    study, items = study_of("tools"), raw_ratings.read_items(None, table, ["tools"])
    found, distances = (
        raw_ratings.build_rating_arrays(table, study, items),
        pd.DataFrame(columns=raw_ratings.DISTANCES),
    )
    made = analyze_ratings(study, items, found, distances, OPTIONS)
    assert made["alignment"].empty and len(made["agreement"])
    nobody = analyze_ratings(study, items, {}, distances, OPTIONS)
    assert nobody["alignment"].empty and nobody["agreement"].empty


def test_pairs_across_tasks_are_not_counted_as_unrated(tmp_path):
    study = study_of(*TASKS)
    table, items, _, found = read(written(tmp_path, *TASKS), study)
    account = raw_ratings.log_rating_exclusions(table, found, study, items).set_index("system")
    assert account["raters"].to_dict() == {"people": 7, "model": 4, "late": 2, "warm": 4}
    assert account.loc["people", ["trials", "unrated_pairs", "one_sided_pairs"]].tolist() == [
        3 * 21 + 4 * 15, 0, 21 + 15,
    ]  # fmt: skip
    # Of finance, nobody asked this one.
    assert account.loc["late", "unrated_pairs"] == 21
    refused = (table["status"] == "refused").sum()
    assert account["refused"].sum() == refused > 0
    assert account.loc["model", "reason"] == f"refused: {refused}"


# --- dense arrays --------------------------------------------------------------------------------


def test_vectors_of_a_pair_by_order_and_reading():
    rows = [
        ("model", "a", "x", "y", 10), ("model", "a", "y", "x", 30), ("model", "a", "x", "y", 20),
        ("model", "a", "z", "x", 50), ("model", "a", "x", "z", None), ("model", "a", "x", "x", 100),
        ("people", "b", "y", "x", 70),
    ]  # fmt: skip
    table = pd.DataFrame(rows, columns=raw_ratings.RATINGS)
    table = table.astype(dict.fromkeys(raw_ratings.RATINGS[:4], "category"))
    items = pd.DataFrame({"item": ["x", "y", "z"]})
    found = raw_ratings.build_rating_arrays(table, study_of("tools"), items)
    everything = np.arange(3)  # pairs: xy, xz, yz
    model, people = found["model"], found["people"]
    shown = raw_ratings.build_rating_vectors(model, everything, "published")
    assert shown[0, 0] == 15 and np.isnan(shown[0, 1:]).all()
    shown = raw_ratings.build_rating_vectors(model, everything, "recommended")
    assert shown[0, :2].tolist() == [22.5, 50] and np.isnan(shown[0, 2])
    for reading in ("published", "recommended"):
        assert raw_ratings.build_rating_vectors(people, everything, reading)[0, 0] == 70
    assert raw_ratings.flatten_ratings(model, np.array([0, 1]))[0, :3].tolist() == [100, 15, 30]
    assert model.shown.sum() == 6 and model.rated.sum() == 5
    # A rating of an item with itself makes no rater, nor does one of the order that does not count.
    assert set(raw_ratings.select_task_raters(found, np.array([0]), "recommended")) == set()
    assert set(raw_ratings.select_task_raters(found, np.array([0, 2]), "recommended")) == {"model"}
    assert set(raw_ratings.select_task_raters(found, np.array([0, 2]), "published")) == set()


def test_a_pair_in_one_order_only_is_refused_where_both_are_said():
    table = pd.DataFrame([("model", "a", "x", "y", 10)], columns=raw_ratings.RATINGS)
    table = table.astype(dict.fromkeys(raw_ratings.RATINGS[:4], "category"))
    with pytest.raises(InputError, match="in one order only") as error:
        raw_ratings.build_rating_arrays(
            table, study_of("tools"), pd.DataFrame({"item": ["x", "y"]}), "r.csv"
        )
    assert error.value.row == "model: x, y" and "orders: one" in str(error.value)


def test_distances_stand_for_both_orders():
    items = pd.DataFrame({"item": ["x", "y", "z"]})
    distances = pd.DataFrame(
        [("vectors", "y", "x", 0.5), ("vectors", "x", "z", 0.1), ("vectors", "z", "x", 0.1)],
        columns=raw_ratings.DISTANCES,
    )
    found = raw_ratings.compute_embedding_similarity(distances, "vectors", np.arange(3), items)
    assert found[:2].tolist() == [-0.5, -0.1] and np.isnan(found[2])
    assert raw_ratings.list_embedded_systems(distances, np.arange(3), items) == {"vectors"}
    assert raw_ratings.list_embedded_systems(distances, np.array([1, 2]), items) == set()
    distances.loc[2, "distance"] = 0.3
    with pytest.raises(InputError, match="two distances for one pair"):
        raw_ratings.compute_embedding_similarity(distances, "vectors", np.arange(3), items)


# --- reading -------------------------------------------------------------------------------------


def saved(folder, text):
    path = folder / "table.csv"
    path.write_text(text)
    return path


HEADER = "system,participant,item_a,item_b,rating"


@pytest.mark.parametrize(
    ("lines", "column", "problem"),
    [
        (["model,1,a,b,5", "ghost,1,a,b,5"], "system", "unknown system"),
        (["model,1,a,b,5", "vectors,1,a,b,5"], "system", "unknown system"),
        (["model,1,a,b,5", "model,1,a,b,101"], "rating", "outside the scale"),
        (["model,1,a,b,5", "model,1,a,b,-1"], "rating", "outside the scale"),
        (["model,1,a,b,5", "model,1,a,b,high"], "rating", "not a number"),
        (["model,1,a,b,5", "model,,a,b,5"], "participant", "empty cell"),
    ],
)
def test_a_wrong_rating_is_named(tmp_path, lines, column, problem):
    path = saved(tmp_path, "\n".join([HEADER, *lines]))
    with pytest.raises(InputError, match=problem) as error:
        raw_ratings.read_ratings(path, study_of("tools"))
    assert (error.value.file, error.value.row, error.value.column) == (path, "line 3", column)


def test_people_who_rated_are_numbered_unless_they_are_already(tmp_path):
    rows = "people,Ann Lee,a,b,5\npeople,A1XYZ7,a,b,6\nmodel,run 1,a,b,5\n"
    table = raw_ratings.read_ratings(saved(tmp_path, f"{HEADER}\n{rows}"), study_of("tools"))
    assert table["participant"].tolist() == ["r001", "r002", "run 1"]
    rows = "people,S2,a,b,5\npeople,S1,a,b,6\n"
    table = raw_ratings.read_ratings(saved(tmp_path, f"{HEADER}\n{rows}"), study_of("tools"))
    assert table["participant"].tolist() == ["S2", "S1"]


def test_status_and_rating_belong_together(tmp_path):
    study, header = study_of("tools"), HEADER + ",status\n"
    table = raw_ratings.read_ratings(
        saved(tmp_path, header + "model,1,a,b,5,\nmodel,1,a,c,,\nmodel,1,b,c,,filtered"), study
    )
    assert table["status"].tolist() == ["ok", "refused", "filtered"]
    for line, problem in (("model,1,a,b,,ok", "without a rating"), ("model,1,a,b,5,no", "not ok")):
        with pytest.raises(InputError, match=problem):
            raw_ratings.read_ratings(saved(tmp_path, header + line), study)
    table = raw_ratings.read_ratings(
        saved(tmp_path, f"{HEADER}\nmodel,1,a,b,5\nmodel,1,a,c,"), study
    )
    assert table["status"].tolist() == ["ok", "refused"]
    with pytest.raises(InputError, match="required column is missing"):
        raw_ratings.read_ratings(saved(tmp_path, "system,rater\nmodel,1"), study)


def test_items_belong_to_the_tasks_that_they_name(tmp_path):
    text = "item,category,sets\nx,c,finance\ny,c,tools finance\nz,d,\n"
    items = raw_ratings.read_items(saved(tmp_path, text), None, list(TASKS))
    assert items["finance"].tolist() == [True, True, True]
    assert items["tools"].tolist() == [False, True, True]
    with pytest.raises(InputError, match="no such task") as error:
        raw_ratings.read_items(saved(tmp_path, text + "w,d,fi\n"), None, TASKS)
    assert error.value.row == "line 5" and error.value.value == "fi"
    with pytest.raises(InputError, match="listed twice"):
        raw_ratings.read_items(saved(tmp_path, text + "x,d,\n"), None, list(TASKS))


def test_distances_are_checked(tmp_path):
    study, items = study_of("tools"), pd.DataFrame({"item": ["x", "y"]})
    assert raw_ratings.read_distances(None, study, items).empty
    header = "system,item_a,item_b,distance\n"
    for line, problem in (
        ("model,x,y,1", "unknown system"),
        ("vectors,x,y,-1", "not a distance"),
        ("vectors,x,y,", "not a distance"),
        ("vectors,x,w,1", "unknown item"),
    ):
        with pytest.raises(InputError, match=problem):
            raw_ratings.read_distances(saved(tmp_path, header + line), study, items)


def test_names_that_look_like_numbers_survive_the_list_of_items(tmp_path):
    path = saved(tmp_path, f"{HEADER}\npeople,1,1,2,5\npeople,1,2,3,5\n")
    study = study_of("tools")
    table = raw_ratings.read_ratings(path, study)
    items = raw_ratings.read_items(None, table, ["tools"])
    files.write_frame(items, tmp_path / "items.csv")
    again = raw_ratings.read_item_list(tmp_path / "items.csv")
    assert again["item"].tolist() == ["1", "2", "3"] and again["tools"].all()
    assert raw_ratings.build_rating_arrays(table, study, again)["people"].rated.sum() == 2
