"""Tables: what they add up, and what they say where a number cannot be had."""

import pandas as pd
from project import read_study

from turingstats.config import settings, subset
from turingstats.core import files
from turingstats.tables import judges, latex, writer

STUDY = read_study("zhang2025")
COLOR = subset.cut_study(STUDY, settings.Config(tasks=("color",)))
MISSING = pd.DataFrame(columns=["task", "cohort", "path", "would_supply", "why"])


def tabulate(column, values, **more):
    table = pd.DataFrame({column: list(values), "value": list(values.values())})
    return table.assign(reading="published", **more)


ESTIMATES = tabulate("estimate_id", {"color.gpt4o_agent.all.chatgpt.p_MM": 0.38}, n=250)
TEXTS = tabulate("text_id", {"word.human.words": 1}, sd=2, n=415)


def sizes(**cohorts):
    values = {
        f"color.{cohort}.all.{quantity}": value
        for cohort, quantities in cohorts.items()
        for quantity, value in quantities.items()
    }
    return tabulate("size_id", values)


ALL = sizes(
    amt={"n_judges_in_source": 65, "n_tests": 1625},
    gpt4o_agent={"n_judges_in_source": 50, "n_judges": 50, "n_tests": 2000},
    expert={"n_judges_in_source": 12, "n_tests": 416},
    feedback={"n_judges_in_source": 50, "n_tests": 5000},
    svm_full={"n_judges": 1},
    trained_word={"n_judges": 1},
    responses={"n_answers": 3492},
)


def row(name, found=ALL, missing=MISSING):
    table = writer.fill_table(
        name, ESTIMATES, found, TEXTS, missing, None, None, None, COLOR, "published"
    ).frame
    assert len(table) == 1
    return table.iloc[0]


def test_sizes_add_up_over_cohorts_of_people_and_not_without_one():
    found = row("tableS1")
    assert found["Num. human judges"] == "177"
    assert found["Num. Turing tests"] == "9,041"
    assert found["AI judges"] == "SVM judge, all features"
    assert found["Num. human agents"] == "no data"
    lacking = [{"task": "color", "cohort": "feedback", "path": "x", "why": "not in this source"}]
    some = ALL[~ALL["size_id"].str.contains("feedback")]
    found = row("tableS1", some, pd.DataFrame(lacking))
    assert found["Num. human judges"] == "no data in this source"
    assert row("tableS2", some, pd.DataFrame(lacking))["Online: judges"] == "115"


def test_people_are_counted_where_the_source_tells_them_apart():
    for known, shown in ((100, "70"), (80, "70, known for 80 of 100 judges")):
        counted = sizes(all={"n_judges": 100, "n_judges_known": known, "n_people": 70})
        assert row("tableS2", counted)["People"] == shown
    assert row("tableS2")["People"] == "not known"


def test_agents_without_responses_share_a_row():
    given = ESTIMATES, ALL, TEXTS, MISSING, None, None, None, STUDY, "published"
    rows = writer.fill_table("tableS5", *given).frame
    rows = rows[rows["Task"] == STUDY.tasks["word"].label]
    first, second = rows["Agent"]
    assert first == STUDY.agents["human"].label and second.count(", ") >= 2
    assert rows["Responses"].iloc[0].startswith("415 ")
    assert rows["Responses"].iloc[1].startswith("no data")


def test_catch_trials_are_those_of_people_without_pools():
    caught = sizes(amt={"n_catch_judges": 20, "n_catch_trials": 40, "n_catch_right": 30})
    cells = row("tableS3", caught)
    heads = ("Num. human judges", "Num. catch trials", "P(M|M)")
    assert [cells[head] for head in heads] == ["20", "40", "0.75"]
    people = writer.TaskNumbers("caption", STUDY, ESTIMATES, ALL, MISSING).people
    assert "expert" in people and "combined" not in people


def test_files_name_data_and_reading(tmp_path):
    frame = pd.DataFrame({"Task": ["Color & more"], "P(M|M)": ["no public data"]})
    frame = frame.assign(Gap="-0.07 (-0.13 to -0.01)", Age="18-35", Note="so it is " * 10)
    paths = {ending: tmp_path / f"t.{ending}" for ending in ("csv", "tex", "html")}
    writer.write_table(frame, tmp_path / "t.csv", "Catch trials", "published", "generated data")
    for ending in ("tex", "html"):
        assert "generated data, published reading" in paths[ending].read_text()
    assert r"Color \& more" in paths["tex"].read_text()
    page = paths["html"].read_text()
    minus = "\N{MINUS SIGN}"
    assert f"{minus}0.07 ({minus}0.13 to {minus}0.01)" in page and "18-35" in page
    assert "font-family:'Fira Sans'" in page
    # A column of long texts is wide, so that no row is as high as a screen.
    assert "tr > td:nth-child(5):nth-child(n) { min-width" in page
    assert page.count(":nth-child(n) { min-width: 16") == 1
    written = pd.read_csv(paths["csv"])
    assert written["Gap"].tolist() == ["-0.07 (-0.13 to -0.01)"]
    assert written[["reading", "data"]].to_numpy().tolist() == [["published", "generated data"]]
    assert 'href="../report/index.html#t-table"' in page
    # The page of a benchmark leads to the report that there is.
    here = tmp_path / "benchmark/m/t.csv"
    for report in (None, tmp_path / "report/index.html"):
        if report:
            files.write_text("", report)
        writer.write_table(frame, here, "Scores", "published", "data", picture="t.svg")
        page = here.with_suffix(".html").read_text()
        assert ('href="../../report/index.html"' in page) == bool(report)


def set_table(columns, cell="0.123", rows=5):
    frame = pd.DataFrame({"Name": [f"Agent {row}" for row in range(rows)]})
    for column in range(columns):
        frame[f"Column {column}"] = cell
    return latex.format_latex(frame, "Title.", [False] * (columns + 1))


def test_a_table_is_wrapped_turned_and_in_parts_only_where_it_must():
    small = set_table(3)
    assert r"\begin{longtable}{@{}llll@{}}" in small and "{landscape}" not in small
    wrapped = set_table(3, "many words that fill a line and then another one")
    assert wrapped.count(r">{\raggedright\arraybackslash}p{") == 3
    assert "{landscape}" not in wrapped
    turned = set_table(12)
    assert r"\begin{landscape}" in turned and "Part 1" not in turned
    parts = set_table(40)
    assert r"\addtocounter{table}{-1}" in parts and "Title. Part 2 of" in parts
    assert all(
        parts.count(rf"Column {column} &") + parts.count(rf"Column {column} \\")
        for column in range(40)
    )
    assert parts.count("Agent 0") == parts.count(r"\begin{longtable}") > 1


def test_spreads_have_separators_and_halves():
    numbers = {("x", "", "median"): 12.5, ("x", "", "min"): 3.0, ("x", "", "max"): 7000.0}
    assert judges.format_spread(numbers, "x", False) == "12.5 (3 to 7,000)"
    assert judges.format_spread(numbers, "x", True) == "not known"
