"""Numbers in a manuscript, next to a small table of results."""

import zipfile

import pandas as pd
import pytest

from turingstats.claims import draft

ESTIMATES = pd.DataFrame(
    [
        ("recommended", "color", "amt", "all", "human", "p_HH", 0.5512),
        ("published", "color", "amt", "all", "human", "p_HH", 0.61),
        ("recommended", "color", "amt", "all", "all", "p_MM", 0.616),
        ("recommended", "color", "amt", "all", "azure", "p_MM", 0.7),
        ("recommended", "color", "expert", "all", "human", "p_HH", 0.5),
    ],
    columns=["reading", "task", "cohort", "group", "agent", "quantity", "value"],
)
TESTS = pd.DataFrame(
    [
        ("one", "z", -2.171, None, 0.0299, 0.09),
        ("two", "chi2", 5.0, "4", 0.5, None),
        ("three", "F", 2.171, "2, 2715", 0.00078, None),
    ],
    columns=["test_id", "statistic_name", "statistic", "df", "p", "p_adjusted"],
)
TEXT = """People 0.55 {{ claim: color.amt.p_HH }} or 55\\% {{claim: color.amt.p_HH}}.
Machines 0.63 {{ claim: color.amt.p_MM }}, Azure .70 {{ claim: color.amt.azure.p_MM }}.
p < .05 {{ claim: tests.p test_id=one }}; z = 2.17, p = .030; W = 9, p = .2.
"""


@pytest.fixture
def results(tmp_path):
    (tmp_path / "statistics").mkdir()
    ESTIMATES.to_csv(tmp_path / "statistics/estimates.csv", index=False)
    TESTS.to_csv(tmp_path / "statistics/tests.csv", index=False)
    return tmp_path


def check(text, results, name="draft.md"):
    (results / name).write_text(text)
    return draft.check_draft(results / name, results)


def test_numbers_are_compared_at_their_printed_precision(results):
    checked = check(TEXT, results)
    assert [(one.line, one.holds) for one in checked] == [
        (1, True),
        (1, True),
        (2, False),
        (2, True),
        (3, True),
    ]
    assert checked[2].result == "0.62"


def test_reported_tests_are_found(results):
    suggested = list(draft.suggest_tests(TEXT, results))
    assert [(line, tests) for line, _, tests in suggested] == [(3, ["one"]), (3, [])]


@pytest.mark.parametrize(
    ("text", "test"),
    [
        ("*z* = −2.17, *p* = .090", "one"),
        ("t(44) = 2.17, p = .030", None),
        ("$\\chi^2(4, N = 71) = 5.0$, $p = .50$", "two"),
        ("χ²(3) = 5.0, p = .5", None),
        ("\\emph{F}(2, 2715) = 2.17, \\emph{p} = 7.8 \\times 10^{-4}", "three"),
        ("F(2,2715) = 2.17, p ≤ .001", "three"),
    ],
)
def test_reported_test_is_read_as_journals_print_it(results, text, test):
    ((_, _, tests),) = draft.suggest_tests(text, results)
    assert tests == [test] * bool(test)


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("1,896", True),
        ("1.896e3", True),
        ("896", False),
        ("$\\leq 1,896$", True),
        ("> 1,896", False),
    ],
)
def test_whole_number_is_read(results, text, holds):
    pd.DataFrame({"test_id": ["a"], "n1": [1896]}).to_csv(results / "statistics/tests.csv")
    (one,) = check(f"{text} {{{{ claim: tests.n1 test_id=a }}}}", results)
    assert one.holds is holds


@pytest.mark.parametrize(
    ("claim", "message"),
    [
        ("color.p_HH", "2 rows of estimates.csv are named so, which differ in cohort"),
        ("color.prolific.p_HH", "0 rows"),
        ("test.p test_id=one", "there are estimates, tests"),
        ("tests.z test_id=one", "no column 'z'"),
    ],
)
def test_claim_that_names_no_single_result_is_wrong(results, claim, message):
    (one,) = check(f"1 {{{{ claim: {claim} }}}}", results)
    assert not one.holds
    assert message in one.result


def test_mark_without_a_number_becomes_the_result(results):
    text, holds = draft.describe_check(
        write(results, "It is {{ claim: color.amt.p_MM }}."), results
    )
    assert holds and "no number" in text
    assert (results / "draft.filled.md").read_text() == "It is 0.616."


def write(results, text):
    path = results / "draft.md"
    path.write_text(text)
    return path


def test_list_of_numbers_is_checked(results):
    checked = check(
        'number,claim\n0.55,color.amt.p_HH\n<.05,"tests.p test_id=two"\n', results, "n.csv"
    )
    assert [(one.line, one.holds) for one in checked] == [(2, True), (3, False)]


def test_word_file_is_read_by_paragraph(results):
    space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    runs = "<w:t>0.5</w:t><w:t>5 {{ claim: color.amt.p_HH }}</w:t>"
    body = f'<w:body xmlns:w="{space}"><w:p><w:t>A</w:t></w:p><w:p>{runs}</w:p></w:body>'
    with zipfile.ZipFile(results / "draft.docx", "w") as archive:
        archive.writestr("word/document.xml", body)
    (one,) = draft.check_draft(results / "draft.docx", results)
    assert (one.line, one.printed, one.holds) == (2, "0.55", True)
