"""Tables: what they add up, and what they say where a number cannot be had."""

import pandas as pd
import pytest
from project import read_study

from turingstats.config import settings, subset
from turingstats.config.study import Study
from turingstats.core import yaml_models
from turingstats.core.errors import ConfigError
from turingstats.tables import latex, writer

STUDY = read_study("zhang2025")
COLOR = subset.cut_study(STUDY, settings.Config(tasks=("color",)))
MISSING = pd.DataFrame(columns=["task", "cohort", "path", "would_supply", "why"])
ESTIMATES = pd.DataFrame(
    [
        {"estimate_id": f"color.gpt4o_agent.all.chatgpt.{quantity}", "value": value, "n": 250}
        | {"reading": "published"}
        for quantity, value in (("p_MM", 0.38), ("detectability", 0.46))
    ]
)


TEXTS = pd.DataFrame(
    [
        {"text_id": f"word.human.{name}", "value": value, "sd": 2, "n": 415}
        | {"reading": "published"}
        for name, value in (("words", 1), ("letters", 7.3249), ("frequency", 0.000123))
    ]
)


def sizes(**cohorts):
    rows = [
        {"size_id": f"color.{cohort}.all.{quantity}", "value": value, "reading": "published"}
        for cohort, quantities in cohorts.items()
        for quantity, value in quantities.items()
    ]
    return pd.DataFrame(rows)


ALL = sizes(
    amt={"n_judges_in_source": 65, "n_shown": 1625},
    gpt4o_agent={"n_judges_in_source": 50, "n_judges": 50, "n_shown": 2000},
    expert={"n_judges_in_source": 12, "n_shown": 480},
    feedback={"n_judges_in_source": 50, "n_shown": 5000},
    svm_full={"n_judges": 1},
    responses={"n_answers": 3492},
)


def row(name, found=ALL, missing=MISSING):
    table = writer.build_table(name, COLOR, ESTIMATES, found, TEXTS, missing, "published")
    assert len(table) == 1
    return table.iloc[0]


def test_sizes_add_up_over_cohorts_of_people():
    found = row("tableS1")
    assert found["Num. human judges"] == "177"
    assert found["Num. Turing tests"] == "9,105"
    assert found["AI judges"] == "SVM judge, all features"
    assert found["Num. human agents"] == "no data"


def test_a_sum_without_one_cohort_is_not_shown():
    lacking = [{"task": "color", "cohort": "feedback", "path": "x", "why": "not in this source"}]
    some = ALL[~ALL["size_id"].str.contains("feedback")]
    found = row("tableS1", some, pd.DataFrame(lacking))
    assert found["Num. human judges"] == "no data in this source"
    assert row("tableS2", some, pd.DataFrame(lacking))["online: judges"] == "115"


def test_catch_trials_where_there_are_any():
    assert set(row("tableS3")[1:]) == {"no data"}
    caught = {"n_catch_judges": 50, "n_catch_trials": 341, "n_catch_right": 271}
    found = row("tableS3", sizes(feedback=caught))
    assert found.tolist() == ["Color estimation", "50", "341", "0.79"]


def test_files_name_data_and_reading(tmp_path):
    frame = pd.DataFrame({"Task": ["Color & more"], "P(M|M)": ["no public data"]})
    paths = {ending: tmp_path / f"t.{ending}" for ending in ("csv", "tex", "html")}
    writer.write_table(frame, "Catch trials", "published", "generated data", **paths)
    for ending in ("tex", "html"):
        assert "generated data, published reading" in paths[ending].read_text()
    assert r"Color \& more" in paths["tex"].read_text()
    written = pd.read_csv(paths["csv"])
    assert written[["reading", "data"]].to_numpy().tolist() == [["published", "generated data"]]


def test_labels_are_escaped_as_each_format_needs(tmp_path):
    nasty = r"<script>alert(1)</script> & 50 % _x_ \ {y} ^ ~ $ #"
    frame = pd.DataFrame({nasty: [nasty], "Value": [1.5]})
    paths = {ending: tmp_path / f"t.{ending}" for ending in ("csv", "tex", "html")}
    writer.write_table(frame, nasty, "published", "generated data", **paths)
    written = pd.read_csv(paths["csv"])
    assert written.columns[0] == nasty == written.iloc[0, 0]
    page = paths["html"].read_text()
    in_html = r"&lt;script&gt;alert(1)&lt;/script&gt; &amp; 50 % _x_ \ {y} ^ ~ $ #"
    # Title, name for screen readers, caption, header and cell.
    assert page.count(in_html) == 5 and "script>" not in page
    in_file = paths["tex"].read_text().replace(r"\allowbreak{}", "")
    in_tex = (
        r"\textless{}script\textgreater{}alert(1)\textless{}/script\textgreater{} "
        r"\& 50 \% \_x\_ \textbackslash{} \{y\} \textasciicircum{} "
        r"\textasciitilde{} \$ \#"
    )
    # Caption and heading, again on each further page, and cell.
    assert in_file.count(in_tex) == 5 and "1.5" in in_file and "&amp;" not in in_file
    assert frame.columns[0] == nasty == frame.iloc[0, 0]


def test_texts_name_their_unit_and_what_there_is_not():
    study = subset.cut_study(STUDY, settings.Config(tasks=("word", "color"), agents=("gpt2",)))
    table = writer.build_table("tableS5", study, ESTIMATES, ALL, TEXTS, MISSING, "published")
    assert table[["Task", "Agent", "Responses"]].to_numpy().tolist() == [
        ["Word association", "Human", "415 words"],
        ["Word association", "GPT2", "no data"],
    ]
    assert table.loc[0, "letters per word"] == "7.325 ± 2.000"
    assert table.loc[0, "word frequency"] == "1.2e-04 ± 2.0e+00"
    assert (table.loc[1].iloc[3:] == "").all()


def test_sizes_have_a_total_over_tasks():
    study = subset.cut_study(STUDY, settings.Config(tasks=("color", "object")))
    other = ALL.assign(size_id=ALL["size_id"].str.replace("color", "object"))
    both = pd.concat([ALL, other[~other["size_id"].str.contains("expert")]])
    table = writer.build_table("tableS1", study, ESTIMATES, both, TEXTS, MISSING, "published")
    total = table.set_index("Task").loc["Total"]
    assert total["Num. human judges"] == "not all known"
    both = pd.concat([ALL, other])
    table = writer.build_table("tableS1", study, ESTIMATES, both, TEXTS, MISSING, "published")
    assert table.set_index("Task").loc["Total", "Num. human judges"] == "354"


@pytest.mark.parametrize(
    "entry", ["Judges by country", {"title": "Judges by country", "shows": "countries"}]
)
def test_a_table_that_nobody_knows_is_an_error(entry):
    values = COLOR.model_dump(mode="json") | {"tables": {"tableS9": entry}}
    with pytest.raises(ConfigError, match=r"tables\.tableS9") as error:
        yaml_models.build_model(Study, values, "mine.yaml")
    assert "success_rates" in str(error.value)


def test_numbers_are_aligned_and_text_is_not(tmp_path):
    frame = pd.DataFrame(
        {
            "Judges": ["95", "1,234", ""],
            "p": ["< 0.001", "0.5 (0.1 to 0.9)", "1e-05"],
            "Why": ["3 lost", "", "x"],
        }
    )
    paths = {ending: tmp_path / f"t.{ending}" for ending in ("csv", "tex", "html")}
    writer.write_table(frame, "Sizes", "published", "observed data", **paths)
    page = paths["html"].read_text()
    assert page.startswith("<!doctype html>") and "<title>Sizes</title>" in page
    assert '<th scope="col" class="n">Judges</th>' in page and "<td>3 lost</td>" in page
    assert '<td class="n">&lt; 0.001</td>' in page
    assert r"\begin{longtable}{@{}rrl@{}}" in paths["tex"].read_text()


def set_table(columns, cell="0.123", rows=5):
    """Set a table with a name and numbers in each row."""
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


def test_long_words_may_be_broken_and_a_table_may_be_empty():
    assert r"\allowbreak{}" in set_table(1, "x" * 90)
    assert r"\multicolumn{2}" in set_table(1, rows=0)
    # No task of a subset has texts.
    assert "no data" in latex.format_latex(pd.DataFrame(), "Texts.", [])
