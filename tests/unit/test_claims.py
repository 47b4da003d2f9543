"""The ledger: precision, relations, contradictions, and what cannot be had."""

import pandas as pd
import pytest
from project import ROOT

from turingstats.claims import claims_file
from turingstats.claims.ledger import Recomputed, check_claims, count_statuses
from turingstats.config.study import Comparison
from turingstats.config.subset import load_study
from turingstats.core.errors import InputError
from turingstats.data.absence import NOT_HERE

LACKING = ["task", "cohort", "path", "why"]
MISSING = pd.DataFrame(columns=[*LACKING, "would_supply"])


def claim(value, relation="=", decimals=2, **fields):
    row = dict.fromkeys((*claims_file.CLAIM_COLUMNS, *claims_file.SAYS))
    row |= {"says": "Judges took 0.55 of people's answers for human.", "location": "line 1"}
    row |= {"claim_id": "c1", "task": "color", "kind": "result", "quantity": "p_HH"}
    row |= {"value": value, "relation": relation, "decimals": decimals, "table": "estimates"}
    return row | {"rows": "task=a, cohort=b", "column": "value", "combine": "value"} | fields


def results(published, recommended=None, **fields):
    readings = {"published": published, "recommended": recommended or published}
    estimates = pd.DataFrame(
        [
            {"task": "a", "cohort": "b", "reading": reading, "value": value, "k": None, "n": 10}
            | {"ci_low": 0.4, "ci_high": 0.6}
            | fields
            for reading, value in readings.items()
        ]
    )
    tests = pd.DataFrame(columns=["test_id", "reading", "statistic", "statistic_name", "p"])
    sizes = pd.DataFrame(columns=["size_id", "reading", "value"])
    return {"estimates": estimates, "tests": tests, "sizes": sizes}


def compare(row, found, missing=MISSING, data="public data", contradictions=None, **options):
    made = Recomputed(found, missing, options.pop("comparisons", ()), data, **options)
    return check_claims(pd.DataFrame([row]), "paper", made, contradictions).iloc[0]


@pytest.mark.parametrize(
    ("printed", "relation", "decimals", "found", "status"),
    [
        (0.55, "=", 2, 381 / 691, "reproduced"),
        (0.55, "=", 2, 0.5449, "differs"),
        # A tie may be rounded either way.
        (0.55, "=", 2, 0.545, "reproduced"),
        (0.54, "=", 2, 0.545, "reproduced"),
        (0.55, "=", 2, 0.5551, "differs"),
        # Inequalities are strict.
        (0.001, "<", 3, 0.0009, "reproduced"),
        (0.001, "<", 3, 0.001, "differs"),
        (0.001, ">", 3, 0.0011, "reproduced"),
        (0.1, "~", 1, 0.096, "reproduced"),
        (0.1, "~", 1, 0.19, "differs"),
    ],
)
def test_a_number_is_compared_as_printed(printed, relation, decimals, found, status):
    assert compare(claim(printed, relation, decimals), results(found))["status"] == status


def test_a_tie_is_shown_as_printed_and_no_zero_is_negative():
    for printed, found, shown in [
        (0.55, 0.545, "0.55"),
        (0.54, 0.545, "0.54"),
        (0.5, -0.001, "0.00"),
    ]:
        assert compare(claim(printed), results(found))["recomputed"] == shown


def test_statuses_of_a_claim():
    row = compare(claim(0.55), results(0.55, 0.56))[["status", "reading", "recommended"]]
    assert row.tolist() == ["reproduced", "published", "0.56"]
    assert compare(claim(0.55, tolerance=0.02), results(0.565))["status"] == "close"
    # Outside the interval of the generated rate, yet close.
    generated = compare(claim(0.75, tolerance=0.02), results(0.765), data="generated data")
    assert generated["status"] == "recovered"
    settings = pd.DataFrame({"setting_id": ["judges.folds"], "value": [10.0]})
    tables = results(0.5) | {"settings": settings}
    row = claim(10, decimals=0, table="settings", rows="setting_id=judges.folds")
    assert compare(row, tables)["status"] == "taken over"
    assert compare(row | {"value": 5}, tables)["status"] == "differs"


def test_a_statistic_of_another_test_is_not_shown_beside_the_printed_one():
    row = claim(2.1, decimals=1, table="tests", rows="test_id=t", column="statistic")
    for names, shown in ((("z", "z"), "2.3"), (("z", "W"), "")):
        numbers = zip(("published", "recommended"), names, (2.1, 2.3), strict=True)
        columns = ["reading", "statistic_name", "statistic"]
        tests = pd.DataFrame(list(numbers), columns=columns).assign(test_id="t")
        found = compare(row, results(0.5) | {"tests": tests})
        assert (found["recomputed"], found["recommended"]) == ("2.1", shown)


def test_a_number_that_the_paper_contradicts_is_impossible_unless_it_comes_out():
    contradictions = {"c1": "the paper contradicts itself: 1 + 1 is not 3"}
    row = compare(claim(-2.17), results(-3.96), contradictions=contradictions)
    assert (row["status"], row["why"]) == ("impossible", contradictions["c1"])
    row = compare(claim(-2.17), results(-2.17), contradictions=contradictions)
    assert (row["status"], row["why"]) == ("reproduced", contradictions["c1"])
    # Contradicted and without data: the paper cannot be right whatever the data say.
    row = compare(claim(1, rows="task=other"), results(1), contradictions=contradictions)
    assert row["status"] == "impossible"


COMPARISONS = [
    Comparison(id="a.layers", task="a", cohorts=("svm",), quantity="p_HH"),
    Comparison(id="a.agreement", task="a"),
]


@pytest.mark.parametrize(
    ("cohort", "query"),
    [
        ("amt", {"rows": "task=a, cohort=amt"}),
        # Of a pooled cohort, those of its parts; of none, the responses.
        ("amt", {"rows": "task=a, cohort=combined"}),
        (None, {"rows": "task=a"}),
        (None, {"rows": "task=a, cohort=responses"}),
        # Of a test, those that its declaration says.
        ("svm", {"rows": "test_id=a.layers.all", "table": "tests", "column": "p"}),
        (None, {"rows": "test_id=a.agreement", "table": "tests", "column": "p"}),
    ],
)
def test_the_missing_file_is_named(cohort, query):
    files = [("a", cohort, "raw.json"), ("a", "other", "other.json"), ("b", cohort, "b.json")]
    lacking = pd.DataFrame(files, columns=["task", "cohort", "path"]).assign(why=NOT_HERE)
    pools = {"a": {"combined": ("amt", "inlab")}}
    found = results(0.5, task="c")
    row = compare(claim(0.5, **query), found, lacking, comparisons=COMPARISONS, pools=pools)
    assert (row["status"], row["why"]) == ("no data", "needs raw.json (not in this source)")


def test_what_is_not_computed_says_why():
    row = compare(claim(0.5, rows="task=a, cohort=c"), results(0.5))
    told = "not in this run (estimates: task=a, cohort=c)"
    assert (row["status"], row["why"]) == ("not computed", told)
    row = compare(claim(0.5, missing="raw.json"), results(0.5), tasks=["object"])
    assert (row["status"], row["why"]) == ("not computed", "the task is not in this run")
    query = dict.fromkeys(("table", "rows", "column", "combine"))
    row = compare(claim(0.5, **query, remark="a setting"), results(0.5))
    assert (row["status"], row["why"]) == ("not computed", "a setting")
    row = compare(claim(0.5, **query, missing="raw.json"), results(0.5))
    assert (row["status"], row["why"]) == ("no data", "needs raw.json")


ESTIMATES = [("glmm", "agent", 0.25), ("glmm", "age", -0.5), ("flat", "agent", 0.75)]
MODELS = pd.DataFrame(ESTIMATES, columns=["model_id", "term", "estimate"])
MODELS = MODELS.assign(model_id="color." + MODELS["model_id"], reading="published")


def test_lines_are_picked_by_columns_and_read_in_both_readings():
    row = claim(0.75, table="models", rows="model_id=color.flat", column="estimate")
    assert compare(row, {"models": MODELS})["reading"] == "published"
    found = compare(row, {"models": MODELS.drop(columns="reading")})
    assert found["reading"] == "published and recommended"
    row = claim(-0.5, table="models", rows="model_id=color.glmm, term=age", column="estimate")
    assert compare(row, {"models": MODELS})["status"] == "reproduced"
    both = row | {"rows": "model_id=color.glmm, term=agent; term=age", "combine": "difference"}
    assert compare(both, {"models": MODELS})["recomputed"] == "0.75"
    row = claim(-0.5, table="models", rows="model_id=color.glmm", column="estimate")
    with pytest.raises(InputError, match=r"(?s)several rows.*model_id=color.glmm.*term"):
        compare(row, {"models": MODELS})
    models = MODELS.assign(estimate=[0.25, None, None], dropped=["", "too few judges", None])
    row = claim(-0.5, table="models", rows="model_id=color.glmm, term=age", column="estimate")
    assert compare(row, {"models": models})["why"] == "too few judges"
    why = compare(row | {"rows": "model_id=color.flat"}, {"models": models})["why"]
    assert why == "no value in model_id=color.flat"


TABLES = {"estimates": ["task", "cohort", "value"], "sizes": ["size_id", "value"]}


def written(folder, *rows, **columns):
    path = folder / "claims.csv"
    pd.DataFrame(rows).assign(**columns).to_csv(path, index=False)
    return path


def test_a_good_file_is_read(tmp_path):
    path = written(tmp_path, claim(0.55), claim(3, "<=", 0, claim_id="c2"))
    frame = claims_file.read_claims(path, ["color"], TABLES)
    assert list(frame.columns) == [*claims_file.CLAIM_COLUMNS, *claims_file.SAYS]
    assert frame["value"].tolist() == [0.55, 3.0]


@pytest.mark.parametrize(
    ("column", "value", "told"),
    [
        ("location", None, "a claim needs a place"),
        ("says", None, "a claim needs a sentence"),
        ("task", "colour", "allowed: color, all"),
        ("value", "55 %", "not a number"),
        ("decimals", "-1", "not a whole number"),
        ("tolerance", "-0.1", "0 or more"),
        ("table", "guesses", "allowed: estimates, sizes"),
        ("table", None, "a query needs a table"),
        ("column", "p", "allowed: task, cohort, value"),
        ("combine", "difference", "takes 2 row"),
        ("combine", "ratio", "a slash"),
        ("rows", "task=a; ", "not a column and its value"),
        ("rows", "task=a / task=b / task=c", "more than one slash"),
        ("rows", "task=a, term=age", "allowed: task, cohort, value"),
    ],
)
def test_faults_of_a_file_are_named(tmp_path, column, value, told):
    path = written(tmp_path, claim(0.5, claim_id="c0"), claim(0.55) | {column: value})
    with pytest.raises(InputError) as error:
        claims_file.read_claims(path, ["color"], TABLES)
    message = str(error.value)
    assert told in message
    at_fault = "rows" if "row(s)" in message or "slash" in message else column
    assert f"column:  {at_fault}" in message and "row:     3" in message
    assert str(path) in message and "fix:" in message


def test_columns_and_rows_of_a_file_are_checked(tmp_path):
    query = dict.fromkeys(("table", "rows", "column", "combine"))
    short = {key: cell for key, cell in claim(0.55).items() if key != "kind"}
    for rows, told in (
        ([claim(0.55, **query)], "needs the reason why"),
        ([claim(0.55), claim(0.56)], "twice"),
        ([claim(0.55) | {"page": 3}], r"(?s)unknown column.*column:  page"),
        ([short], r"(?s)column is missing.*column:  kind"),
    ):
        with pytest.raises(InputError, match=told):
            claims_file.read_claims(written(tmp_path, *rows), ["color"])


def test_further_columns_of_a_list_reach_the_ledger(tmp_path):
    path = written(tmp_path, claim(0.55), unit="of 20 trials", notebook="Plot.ipynb")
    further = (*claims_file.SAYS, *claims_file.NOTEBOOK_COLUMNS)
    frame = claims_file.read_claims(path, ["color"], TABLES, further)
    ledger = check_claims(frame, "paper", Recomputed(results(0.55), MISSING, [], "public data"))
    assert ledger.loc[0, ["unit", "notebook"]].tolist() == ["of 20 trials", "Plot.ipynb"]
    summary = count_statuses(ledger, ["notebook", "task"])
    counted = summary.set_index(["notebook", "task", "status"])["n"]
    assert counted["Plot.ipynb", "color", "reproduced"] == counted.sum() == 1
    path = written(tmp_path, claim(0.55), unit="")
    with pytest.raises(InputError, match=r"(?s)column is missing.*column:  notebook"):
        claims_file.read_claims(path, ["color"], TABLES, ("says", "unit", "notebook"))


@pytest.mark.parametrize("path", sorted(ROOT.glob("data/published/*/claims.csv")), ids=str)
def test_files_of_the_project_are_good(path):
    study = load_study(ROOT / f"config/studies/{path.parent.name}.yaml")
    assert len(claims_file.read_claims(path, study.tasks))


def test_a_difference_of_numbers_that_print_alike_says_so():
    rows = {"rows": "task=a, cohort=b; cohort=c", "combine": "difference"}
    for other, why in ((0.5449, None), (0.5451, "both numbers print as 0.55")):
        tables = results(0.5494)
        extra = tables["estimates"].assign(cohort="c", value=other)
        tables["estimates"] = pd.concat([tables["estimates"], extra], ignore_index=True)
        row = compare(claim(0, ">", 0, **rows), tables)
        assert row["status"] == "reproduced"
        assert (row["why"] or "").startswith(why or "") and bool(row["why"]) == bool(why)


def test_a_part_that_is_public_says_nothing_about_the_whole():
    lacking = pd.DataFrame([("a", None, "more.json", "not public")], columns=LACKING)
    whole = claim(5495, decimals=0, missing="more.json (2 of 3 people)")
    row = compare(whole, results(3492), lacking)
    assert row["status"] == "no data"
    assert row["why"] == "needs more.json (2 of 3 people); the part that is public gives 3492"
    assert (row["recomputed"], row["recomputed_exact"]) == ("", "")
    # What holds without the rest holds, and whoever has the file compares all.
    found = compare(whole, results(5495), lacking)
    assert (found["status"], found["recomputed"]) == ("reproduced", "5495")
    assert compare(whole, results(3492))["status"] == "differs"
    assert compare(whole, results(3492), lacking, "generated data")["status"] == "not recovered"


def test_a_sum_names_its_absent_term():
    lacking = pd.DataFrame([("a", "gone", "x.json", "not public")], columns=LACKING)
    row = claim(9, decimals=0, rows="task=a, cohort=b; cohort=gone", combine="sum")
    found = compare(row, results(4), lacking)
    assert found["status"] == "no data"
    assert found["why"].startswith("needs a, gone: x.json (not public); ")
    assert found["why"].endswith("the other terms add up to 4")


@pytest.mark.parametrize(
    ("table", "value", "data", "statuses"),
    [
        ("contrasts", 0.554, "generated data", ["reproduced", "not recovered"]),
        # A rate made into a count is not reproduced by that count: that 6/11 prints as 0.55 says nothing.
        ("success_rates", 6 / 11, "public data", ["taken over", "reproduced"]),
        ("success_rates", 0.57, "public data", ["differs", "differs"]),
    ],
)
def test_claims_answered_by_printed_counts_say_so(table, value, data, statuses):
    rates = pd.DataFrame({"count_id": ["printed", "judged"], "value": [value, value]})
    rates["data"] = ["published counts", data]
    if data == "generated data":
        rates.loc[1, "value"] = 0.4
    found = [
        compare(claim(0.55, table=table, rows=f"count_id={i}"), {table: rates}, data=data)
        for i in rates["count_id"]
    ]
    assert [row["data"] for row in found] == ["published counts", data]
    assert [row["status"] for row in found] == statuses
