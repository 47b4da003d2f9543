"""Similarity ratings: reading and checking, and tasks whose raters are others."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr

from turingstats.config.raw_files import RawFile
from turingstats.config.study import Figure, Study
from turingstats.config.study.tests import AlignmentTest
from turingstats.core import files
from turingstats.core.errors import ConfigError, InputError
from turingstats.ratings import agreement, alignment, arrays, figure_numbers, reading, systems
from turingstats.ratings.analysis import analyze_ratings
from turingstats.tables.alignment import format_alignment_matrix, put_printed_first

TASKS = {"finance": [f"f{n}" for n in range(7)], "tools": [f"t{n}" for n in range(6)]}
OPTIONS = {"seed": 3, "n_permutation": 99, "confidence": 0.95}
AGENTS = {"model": "Model", "late": "Model of tools", "vectors": "Vectors"}
AGENTS |= {"numbers": "Vectors of finance", "warm": "Warm model"}
PEOPLE = {"finance": ["S1", "S2", "S3"], "tools": ["S4", "S5", "S6", "S7"]}
KINDS = ("dissimilarity", "raters", "variability", "individuals", "distributions", "alignment")
READINGS = ("published", "recommended")


def make_study(*tasks):
    """Make a study of some of the tasks, all of whose agents but one are compared."""
    compared = {"agents": [name for name in AGENTS if name != "warm"], "also": ["warm"]}
    described = {task: {"label": task, "references": ["human"]} | compared for task in tasks}
    panels = {
        f"{task}_{kind}": {"kind": kind, "title": kind, "task": task}
        for task in tasks
        for kind in KINDS
    }
    agents = {name: {"label": label} for name, label in AGENTS.items()}
    agents["warm"]["model"] = "model"
    figures = {"whole": Figure(title="All", panels=panels)}
    return Study(study="s", title="S", agents=agents, tasks=described, figures=figures)


def make_trials(task):
    rng = np.random.default_rng(len(TASKS[task]))
    names = TASKS[task]
    truth = dict(zip(names, rng.normal(size=(len(names), 2)), strict=True))
    pairs = [(a, b) for n, a in enumerate(names) for b in names[n + 1 :]]
    asked = {("human", who): pairs for who in PEOPLE[task]}
    both = [(a, b) for a in names for b in names]
    asking = ["model", "warm"] + ["late"] * (task == "tools")
    asked |= {(name, f"{task}{n}"): both for name in asking for n in range(2)}
    rows = []
    for (system, who), shown in asked.items():
        for a, b in shown:
            rating = 90 - 15 * np.linalg.norm(truth[a] - truth[b]) + rng.normal(scale=6)
            rows.append((system, who, a, b, float(np.clip(rating, 0, 100))))
    table = pd.DataFrame(rows, columns=reading.RATINGS).assign(status="ok")
    hidden = (table["system"] == "model") & (rng.random(len(table)) < 0.05)
    table.loc[hidden, ["rating", "status"]] = [np.nan, "refused"]
    embedded = ["vectors"] + ["numbers"] * (task == "finance")
    distances = [
        (name, a, b, np.linalg.norm(truth[a] - truth[b]) + rng.random())
        for name in embedded
        for a, b in pairs
    ]
    return table, pd.DataFrame(distances, columns=reading.DISTANCES)


def describe_file(kind, **keys):
    return RawFile(path=f"{kind}.csv", format=kind, task="all", **keys)


def read_files(folder, *tasks, change=lambda table: table):
    """Write the files of some of the tasks, and read them as a run does."""
    made = [make_trials(task) for task in tasks]
    for kind, parts in zip(("ratings", "distances"), zip(*made, strict=True), strict=True):
        table = pd.concat(parts, ignore_index=True)
        (change(table) if kind == "ratings" else table).to_csv(folder / f"{kind}.csv", index=False)
    rows = [(name, f"kind {n % 2}", task) for task in tasks for n, name in enumerate(TASKS[task])]
    items = pd.DataFrame(rows, columns=["item", "category", "sets"])
    items.to_csv(folder / "items.csv", index=False)
    kinds = ("ratings", "items", "distances")
    return reading.read_study(map(describe_file, kinds), folder, make_study(*tasks))


def analyze_files(folder, *tasks, **changes):
    """Compute all tables of a study, source data of figures and tables of the paper."""
    study, read = make_study(*tasks), read_files(folder, *tasks, **changes)
    rated = arrays.build_rating_arrays(read["ratings"], study, read["items"])
    made = analyze_ratings(study, read["items"], rated, read["distances"], OPTIONS)
    for shown in READINGS:
        arranged = systems.arrange_all(rated, read["distances"], read["items"], study, shown)
        results = [made[name] for name in ("alignment", "agreement", "individuals")]
        numbers = figure_numbers.select_numbers(
            "whole", arranged, *results, study, shown, 0.95, "observed data"
        )
        # Cells of matrices do not repeat their task.
        made[f"figure {shown}"] = numbers.assign(task=numbers["panel"].str.partition("_")[0])
        made[f"table {shown}"] = pd.concat(
            format_alignment_matrix(study, task, made["alignment"], shown, 0.05).assign(task=task)
            for task in tasks
        )
    return made | read


@pytest.fixture(scope="module")
def together(tmp_path_factory):
    return analyze_files(tmp_path_factory.mktemp("both"), *TASKS)


@pytest.fixture(scope="module", params=TASKS)
def alone(request, tmp_path_factory):
    """A task and what comes out when there is no other."""
    return request.param, analyze_files(tmp_path_factory.mktemp("one"), request.param)


@pytest.mark.parametrize(
    "name",
    ["alignment", "agreement", "individuals", "sizes"]
    + [f"{kind} {shown}" for kind in ("figure", "table") for shown in READINGS],
)
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
    table, _ = make_trials(task)
    people = table[table["system"] == "human"]
    wide = people.pivot(index="participant", columns=["item_a", "item_b"], values="rating")
    k = len(PEOPLE[task])
    rho = np.mean([spearmanr(wide.iloc[a], wide.iloc[b])[0] for a in range(k) for b in range(a)])
    own = together["agreement"].set_index(["agreement_id", "reading"])
    for shown in READINGS:
        group = own.loc[(f"{task}.human.ceiling_of_group", shown)]
        assert group["n_raters"] == k
        assert group["value"] == pytest.approx(np.sqrt(k * rho / (1 + (k - 1) * rho)))
        for quantity in ("icc", "ceiling_lower", "ceiling_upper"):
            row = own.loc[(f"{task}.human.{quantity}", shown)]
            assert 0 < row["value"] < 1 and row["n_raters"] == k
        pairs = own.loc[(f"{task}.human.intersubject_mean", shown)]
        assert (pairs["value"], pairs["n"]) == (pytest.approx(rho), k * (k - 1) / 2)
        icc = own.loc[(f"{task}.human.icc", shown)]
        assert (icc["n"], "pairs of different items" in icc["method"]) == (len(wide.columns), True)
        # Each of the two raters of the model with each person.
        assert own.loc[(f"{task}.model.individual_max.human", shown), "n"] == 2 * k
    # People saw each pair in one order; the model saw all ordered pairs, and rated most of them.
    rated = table[table["system"] == "model"].pivot(
        index="participant", columns=["item_a", "item_b"], values="rating"
    )
    turned = rated.swaplevel(axis=1)[rated.columns.tolist()]
    either = rated.notna() | turned.notna().to_numpy()
    icc = own.loc[(f"{task}.model.icc", "published")]
    assert (icc["n"], "identical items" in icc["method"]) == (rated.notna().all().sum(), True)
    icc = own.loc[(f"{task}.model.icc", "recommended")]
    assert (icc["n"], "identical items" in icc["method"]) == (
        either[wide.columns].all().sum(),
        False,
    )
    singles = together["individuals"]
    mine = singles[(singles["task"] == task) & (singles["system"] == "human")]
    assert {*mine["participant"], *mine["rater"]} == set(PEOPLE[task])


@pytest.mark.parametrize("task", TASKS)
def test_alignments_err_by_items_and_by_raters(task, together):
    table, distances = make_trials(task)
    people = table[table["system"] == "human"]
    wide = people.pivot(index="participant", columns=["item_a", "item_b"], values="rating")
    apart = distances[distances["system"] == "vectors"].set_index(["item_a", "item_b"])["distance"]
    apart, pairs = apart.loc[wide.columns].to_numpy(), wide.columns.to_frame()

    def align(raters, kept=slice(None)):
        return spearmanr(raters.mean().to_numpy()[kept], -apart[kept])[0]

    others = [align(wide.drop(person)) for person in wide.index]
    fewer = [align(wide, (pairs != item).all(axis=1).to_numpy()) for item in TASKS[task]]
    variance = sum((len(left) - 1) * np.var(left) for left in (others, fewer))
    own = together["alignment"].set_index(["alignment_id", "reading"])
    row = own.loc[(f"{task}.human.vectors.all", "recommended")]
    assert [row["value"], row["se"]] == pytest.approx([align(wide), np.sqrt(variance)])
    # Of relabeled items, where the published p takes pairs as independent.
    draws = (OPTIONS["n_permutation"] + 1) * row["p"]
    assert draws == pytest.approx(round(draws)) and draws >= 1
    published = own.loc[(f"{task}.human.vectors.all", "published")]
    assert published["p"] == pytest.approx(spearmanr(wide.mean().to_numpy(), -apart).pvalue)
    single = together["agreement"].set_index(["agreement_id", "reading"])["value"]
    expected = np.mean([align(wide.loc[[person]]) for person in wide.index])
    assert single[f"{task}.vectors.with_single.human", "recommended"] == pytest.approx(expected)


@pytest.mark.parametrize("task", TASKS)
def test_figures_show_shares_of_ratings_and_the_alignments_of_the_table(task, together):
    numbers = together["figure recommended"].set_index(["kind", "system"])
    numbers = numbers[numbers["task"] == task]
    ratings = make_trials(task)[0].groupby("system")["rating"]
    for system in ("human", "model"):
        bins = numbers.loc[("distributions", system)]
        values = ratings.get_group(system).dropna()
        # One bin around each twentieth of the scale.
        shares = np.bincount(np.rint(values / 5).astype(int), minlength=21) / len(values)
        assert bins["value"].to_numpy() == pytest.approx(shares, abs=1e-6)
        assert bins["low"].to_numpy() == pytest.approx(np.arange(21) / 20 - 0.025)
        assert bins["high"].to_numpy() == pytest.approx(np.arange(21) / 20 + 0.025)
        assert (bins["n"] == len(values)).all()
    people = make_trials(task)[0].query("system == 'human'")
    means = people.groupby(["item_a", "item_b"], sort=False)["rating"].mean().to_numpy()
    cells = numbers.loc[("dissimilarity", "human")].query("quantity == 'dissimilarity'")
    expected = (means.max() - means) / np.ptp(means)
    assert cells["value"].to_numpy() == pytest.approx(expected, abs=1e-4)
    singles = together["individuals"].query("task == @task and reading == 'recommended'")
    singles = singles.set_index(["system", "with"])["value"]
    for kind, other in (("individuals", "human"), ("variability", "model")):
        drawn = numbers.loc[(kind, "model")].dropna(subset="person")["value"]
        assert drawn.to_numpy() == pytest.approx(
            singles.loc[[("model", other)]].to_numpy(), abs=1e-6
        )
    matrices = {kind: {*numbers.loc[kind].index.dropna()} for kind in ("raters", "dissimilarity")}
    assert matrices["dissimilarity"] - matrices["raters"] >= {"vectors"}
    # Only cells of a matrix leave out what the first row of their system says.
    assert numbers["task_label"].isna().equals(numbers["quantity"] == "dissimilarity")
    shown = numbers.loc["alignment"].dropna(subset="with").set_index("quantity", append=True)
    assert {*shown.index.get_level_values("quantity")} == {"all", "within", "between"}
    table = together["alignment"]
    table = table[(table["task"] == task) & (table["reading"] == "recommended")]
    table = table[table["system_a"] == "human"].set_index(["system_b", "pairs"]).loc[shown.index]
    by_kind = table["method"].str.contains("relabellings within categories")
    assert by_kind.tolist() == (by_kind.index.get_level_values("pairs") != "all").tolist()
    shown_p = ["p < 0.05" if p < 0.05 else "n.s." for p in table["p_adjusted"]]
    assert shown["text"].str.partition(",")[0].tolist() == shown_p and len({*shown_p}) == 2
    columns = ["value", "ci_low", "ci_high", "n"]
    expected = table[columns].to_numpy(float)
    assert shown[["value", "low", "high", "n"]].to_numpy(float) == pytest.approx(
        expected, abs=1e-6, nan_ok=True
    )


def test_sizes_of_a_study_of_one_reading_are_those_of_both_readings(tmp_path, together):
    study, read = make_study(*TASKS), read_files(tmp_path, *TASKS)
    study = study.model_copy(update={"readings": ("recommended",)})
    rated = arrays.build_rating_arrays(read["ratings"], study, read["items"])
    made = analyze_ratings(study, read["items"], rated, read["distances"], OPTIONS)
    pd.testing.assert_frame_equal(made["sizes"], together["sizes"])


def test_systems_without_ratings_of_a_task_are_not_compared_in_it(together):
    compared = {
        task: {*rows["system_a"], *rows["system_b"]}
        for task, rows in together["alignment"].groupby("task")
    }
    assert compared["finance"] == {"human", "model", "warm", "vectors", "numbers"}
    assert compared["tools"] == {"human", "model", "warm", "vectors", "late"}
    # Each pair of the four, and people with the system that is compared with them alone.
    listed = together["alignment"].query("reading == 'recommended' and pairs == 'all'")
    assert listed["task"].value_counts().to_dict() == {"finance": 6 + 1, "tools": 6 + 1}
    sizes = together["sizes"].set_index("size_id")["value"]
    assert sizes["finance.human.n_raters"] == 3 and sizes["tools.human.n_raters"] == 4
    assert sizes["tools.human.n_trials"] == 4 * 15 and sizes["tools.all.n_pairs"] == 15
    assert sizes["finance.model.n_trials_per_rater"] == 49
    counted = [sizes[f"finance.all.n_{name}"] for name in ("systems", "comparisons")]
    assert counted == [4, 6]
    # The model that was asked in two ways is one.
    assert [sizes[f"{task}.all.n_models"] for task in TASKS] == [1, 2]
    # Pairs across tasks are not counted as unrated.
    account = together["exclusions"].set_index("system")
    assert account["raters"].to_dict() == {"human": 7, "model": 4, "late": 2, "warm": 4}
    counts = account.loc["human", ["trials", "unrated_pairs", "one_sided_pairs"]].tolist()
    assert counts == [3 * 21 + 4 * 15, 0, 21 + 15]
    # Of finance, nobody asked this one.
    assert account.loc["late", "unrated_pairs"] == 21
    refused = (together["ratings"]["status"] == "refused").sum()
    assert account["refused"].sum() == refused > 0
    assert account.loc["model", "reason"] == f"refused: {refused}"
    assert account["trials"].equals(account["rated"] + account["refused"])


def test_who_refused_every_trial_is_no_rater_and_one_person_has_nobody_to_compare(tmp_path):
    def refuse(table):
        shy = table["participant"] == "S3"
        table.loc[shy, ["rating", "status"]] = [np.nan, "refused"]
        return table

    sizes = analyze_files(tmp_path, "finance", change=refuse)["sizes"]
    sizes = sizes.set_index("size_id")["value"]
    counted = [sizes[f"finance.human.n_{name}"] for name in ("raters", "trials", "not_rated")]
    assert counted == [2, 63, 21] and sizes["finance.human.n_trials_per_rater"] == 21
    made = analyze_files(tmp_path, "tools", change=lambda t: t[t["participant"] == "S4"])
    assert not set(made["alignment"]["system_a"]) - {"human"}
    icc = made["agreement"].set_index("quantity").loc["icc"].iloc[0]
    assert np.isnan(icc["value"]) and icc["method"].endswith("none, because there is one rater")


def test_a_lack_of_agreement_is_explained():
    whys = [agreement.explain_lack(*lack) for lack in ((1, 9), (3, 0), (3, 1), (2, 2))]
    rated = "pair was rated by all 3 raters"
    assert whys == ["there is one rater", f"no {rated}", f"one {rated}", "ratings do not vary"]


def test_vectors_of_a_pair_by_order_and_reading():
    rows = [
        ("model", "a", "x", "y", 10), ("model", "a", "y", "x", 30), ("model", "a", "x", "y", 20),
        ("model", "a", "z", "x", 50), ("model", "a", "x", "z", None), ("model", "a", "x", "x", 100),
        ("human", "b", "y", "x", 70),
    ]  # fmt: skip
    table = pd.DataFrame(rows, columns=reading.RATINGS)
    table = table.astype(dict.fromkeys(reading.RATINGS[:4], "category"))
    items = pd.DataFrame({"item": ["x", "y", "z"]})
    found = arrays.build_rating_arrays(table, make_study("tools"), items)
    everything = np.arange(3)  # pairs: xy, xz, yz
    model, people = found["model"], found["human"]
    assert people.mirrored and not model.mirrored
    shown = systems.build_rating_vectors(model, everything, "published")
    assert shown[0, 0] == 15 and np.isnan(shown[0, 1:]).all()
    shown = systems.build_rating_vectors(model, everything, "recommended")
    assert shown[0, :2].tolist() == [22.5, 50] and np.isnan(shown[0, 2])
    for name in READINGS:
        assert systems.build_rating_vectors(people, everything, name)[0, 0] == 70
    assert model.shown.sum() == 6 and model.rated.sum() == 5
    # A rating of an item with itself makes no rater, nor does one of the order that does not count.
    for members, name, raters in (
        ([0], "recommended", set()),
        ([0, 2], "recommended", {"model"}),
        ([0, 2], "published", set()),
    ):
        assert set(systems.select_task_raters(found, np.array(members), name)) == raters


def test_distances_stand_for_both_orders():
    items = pd.DataFrame({"item": ["x", "y", "z"]})
    distances = pd.DataFrame(
        [("vectors", "y", "x", 0.5), ("vectors", "x", "z", 0.1), ("vectors", "z", "x", 0.1)],
        columns=reading.DISTANCES,
    )
    found = systems.compute_embedding_similarity(distances, "vectors", np.arange(3), items)
    assert found[:2].tolist() == [-0.5, -0.1] and np.isnan(found[2])
    elsewhere = distances.assign(system="numbers", distance=9.0)
    again = pd.concat([distances, elsewhere])
    again = systems.compute_embedding_similarity(again, "vectors", np.arange(3), items)
    assert again[:2].tolist() == [-0.5, -0.1]
    distances.loc[2, "distance"] = 0.3
    with pytest.raises(InputError, match=r"(?s)two distances for one pair.*x, z.*0\.1 and 0\.3"):
        systems.compute_embedding_similarity(distances, "vectors", np.arange(3), items)


HEADER = "system,participant,item_a,item_b,rating"


def read_ratings(folder, *lines, header=HEADER):
    (folder / "ratings.csv").write_text("\n".join([header, *lines]))
    return reading.read_ratings(describe_file("ratings"), folder, make_study(*TASKS))


@pytest.mark.parametrize(
    ("line", "column", "problem"),
    [
        ("ghost,1,a,b,5", "system", "unknown system"),
        ("model,1,a,b,101", "rating", "outside the scale"),
        ("model,1,a,b,-1", "rating", "outside the scale"),
        ("model,1,a,b,high", "rating", "not a number"),
        ("model,,a,b,5", "participant", "no participant"),
    ],
)
def test_a_wrong_rating_is_named(tmp_path, line, column, problem):
    with pytest.raises(InputError, match=problem) as error:
        read_ratings(tmp_path, "model,1,a,b,5", line)
    assert str(error.value.row) == "3" and error.value.column == column


def test_people_who_rated_are_numbered_unless_they_are_already(tmp_path):
    rows = ("human,Ann Lee,a,b,5", "human,A1XYZ7,a,b,6", "model,run 1,a,b,5")
    people = read_ratings(tmp_path, *rows)["participant"].tolist()
    assert people == ["human.r001", "human.r002", "model.r001"]
    numbered = read_ratings(tmp_path, "human,S2,a,b,5", "model,run 1,a,b,6")["participant"]
    assert numbered.tolist() == ["S2", "run 1"]


def test_status_and_rating_belong_together(tmp_path):
    header = HEADER + ",status"
    lines = ("model,1,a,b,5,", "model,1,a,c,,", "model,1,b,c,,filtered")
    table = read_ratings(tmp_path, *lines, header=header)
    assert table["status"].tolist() == ["ok", "refused", "filtered"]
    for line, problem in (("model,1,a,b,,ok", "without a rating"), ("model,1,a,b,5,no", "not ok")):
        with pytest.raises(InputError, match=problem):
            read_ratings(tmp_path, line, header=header)
    table = read_ratings(tmp_path, "model,1,a,b,5", "model,1,a,c,")
    assert table["status"].tolist() == ["ok", "refused"]
    with pytest.raises(ConfigError, match="no column of participant, item_a"):
        read_ratings(tmp_path, "model,1", header="system,rater")


def test_items_belong_to_the_tasks_that_they_name(tmp_path):
    def read(text):
        (tmp_path / "items.csv").write_text("item,category,sets\nx,c,finance\n" + text)
        return reading.read_items(describe_file("items"), tmp_path, None, list(TASKS))

    items = read("y,c,tools finance\nz,d,\n")
    assert items["finance"].tolist() == [True, True, True]
    assert items["tools"].tolist() == [False, True, True]
    with pytest.raises(InputError, match=r"(?s)no such task.*row: +line 3\n.*'fi'"):
        read("w,d,fi\n")
    with pytest.raises(InputError, match="listed twice"):
        read("x,d,\n")


def test_items_of_several_tasks_are_items_of_each(tmp_path):
    lines = ("human,1,fig,kiwi,5,finance", "human,1,fig,saw,9,tools")
    table = read_ratings(tmp_path, *lines, header=HEADER + ",task")
    items = reading.read_items(None, tmp_path, table, list(TASKS)).set_index("item")
    assert set(items.index[items["finance"]]) == {"fig (finance)", "kiwi"}
    assert set(items.index[items["tools"]]) == {"fig (tools)", "saw"}
    with pytest.raises(InputError, match="unknown task"):
        read_ratings(tmp_path, "human,1,fig,kiwi,5,fruit", header=HEADER + ",task")


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("ghost,x,y,1", "unknown system"),
        ("vectors,x,y,-1", "not a distance"),
        ("vectors,x,y,", "not a distance"),
        ("vectors,x,w,1", "unknown item"),
    ],
)
def test_a_wrong_distance_is_named(tmp_path, line, problem):
    items = pd.DataFrame({"item": ["x", "y"]})
    text = "system,item_a,item_b,distance\nvectors,y,x,0\n"
    given = (describe_file("distances"), tmp_path, make_study("tools"), items)
    (tmp_path / "distances.csv").write_text(text)
    assert reading.read_distances(*given)["distance"].tolist() == [0]
    (tmp_path / "distances.csv").write_text(text + line)
    with pytest.raises(InputError, match=problem):
        reading.read_distances(*given)


def test_names_that_look_like_numbers_survive_the_list_of_items(tmp_path):
    table = read_ratings(tmp_path, "human,1,1,2,5", "human,1,2,NA,5")
    files.write_frame(reading.read_items(None, tmp_path, table, ["tools"]), tmp_path / "items.csv")
    items = arrays.read_item_list(tmp_path / "items.csv")
    assert items["item"].tolist() == ["1", "2", "NA"] and items["tools"].all()
    assert arrays.build_rating_arrays(table, make_study("tools"), items)["human"].rated.sum() == 2


def test_generated_alignments_never_stand_in_place_of_printed_ones():
    study = make_study("tools")
    labels = {name: agent.label for name, agent in study.agents.items()}
    one, other, third = list(labels)[:3]
    names = [labels[name] for name in (one, other, third)]
    frame = pd.DataFrame("0.531", index=range(3), columns=["System", *names])
    frame["System"] = names
    printed = pd.DataFrame(
        {"row": [one, other, one], "column": [other, one, third], "rho": [0.879, 0.579, np.nan]}
    )
    table = put_printed_first(frame, study, printed).set_index("System")
    # Above and below the diagonal the paper may print two values; a dash is printed, too.
    assert table.loc[names[0], names[1]] == "0.879 [0.531]"
    assert table.loc[names[1], names[0]] == "0.579 [0.531]"
    assert table.loc[names[0], names[2]] == table.loc[names[2], names[0]] == "\N{EN DASH} [0.531]"
    assert table.loc[names[1], names[2]] == "not printed [0.531]"
    assert table.loc[names[0], names[0]] == "0.531"


def test_declared_tests_leave_out_what_is_not_at_hand():
    """W, V and exact p of R's wilcox.test; in pairs, a system without one value has none."""
    values = {"within": [0.5, 0.7, 0.65, 0.4, 0.9], "between": [0.3, 0.6, 0.1, 0.45, np.nan]}
    agents = [f"m{n}" for n in range(5)]
    table = pd.DataFrame(
        (f"finance.human.{agent}.{pairs}", reading, value if reading == "published" else -value)
        for reading in READINGS
        for pairs, of_pairs in values.items()
        for agent, value in zip(agents, of_pairs, strict=True)
    ).set_axis(["alignment_id", "reading", "value"], axis=1)
    of_both = {"task": "finance", "agents": agents, "reference": "human"}
    parts = {at: of_both | {"pairs": p} for at, p in zip(("first", "second"), values, strict=True)}
    declared = (AlignmentTest(id="x", paired=True, **parts),)
    study = SimpleNamespace(study="s", readings=READINGS, alignment_tests=declared)
    columns = ["statistic_name", "statistic", "p", "n1", "n2", "dropped"]
    published, paired = alignment.run_tests(study, table)[columns].to_numpy().tolist()
    assert published == ["W", 17, pytest.approx(14 / 126), 5, 4, "1 alignments not at hand"]
    assert paired == ["V", 1, pytest.approx(0.25), 4, 4, "2 alignments not at hand"]


def test_shares_of_ratings_are_of_the_scale_wherever_it_begins():
    rated = {"rated": {"people": None}, "flatten_ratings": lambda _: np.array([1, 3, 5.0])}
    view = SimpleNamespace(systems=["people"], of_task=SimpleNamespace(**rated), scale=(1, 5))
    (bins,) = figure_numbers.compute_distributions(view)
    full = bins[bins["value"] > 0]
    assert (full["low"] + 0.025).tolist() == pytest.approx([0, 0.5, 1])
