"""Numbers in a manuscript, next to a small table of results."""

import zipfile

import pandas as pd
import pytest

from turingstats.claims import draft
from turingstats.core.errors import InputError

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


def check(text, results, name="draft.md", by=draft.check_draft):
    (results / name).write_text(text)
    return by(results / name, results)


def test_numbers_are_compared_at_their_printed_precision(results):
    checked = check(TEXT, results)
    assert [one.line for one in checked] == [1, 1, 2, 2, 3]
    assert [one.holds for one in checked] == [True, True, False, True, True]
    assert checked[2].result == "0.62"
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
    [("1,896", 1), ("1.896e3", 1), ("896", 0), ("$\\leq 1,896$", 1), ("> 1,896", 0)],
)
def test_whole_number_is_read(results, text, holds):
    pd.DataFrame({"test_id": ["a"], "n1": [1896]}).to_csv(results / "statistics/tests.csv")
    (one,) = check(f"{text} {{{{ claim: tests.n1 test_id=a }}}}", results)
    assert one.holds is bool(holds)


@pytest.mark.parametrize(
    ("claim", "message"),
    [
        ("color.p_HH", "2 rows of estimates.csv match, which differ in cohort"),
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
    mark = "It is {{ claim: color.amt.p_MM }}."
    text, holds = check(mark, results, by=draft.describe_check)
    assert holds and "no number" in text
    assert (results / "draft.filled.md").read_text() == "It is 0.616."


def test_lists_of_numbers_and_word_files_are_read(results):
    text = 'number,claim\n0.55,color.amt.p_HH\n<.05,"tests.p test_id=two"\n'
    checked = check(text, results, "n.csv")
    assert [(one.line, one.holds) for one in checked] == [(2, True), (3, False)]
    space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    runs = "<w:t>0.5</w:t><w:t>5 {{ claim: color.amt.p_HH }}</w:t>"
    body = f'<w:body xmlns:w="{space}"><w:p><w:t>A</w:t></w:p><w:p>{runs}</w:p></w:body>'
    with zipfile.ZipFile(results / "draft.docx", "w") as archive:
        archive.writestr("word/document.xml", body)
    (one,) = draft.check_draft(results / "draft.docx", results)
    assert (one.line, one.printed, one.holds) == (2, "0.55", True)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("It was not, *t*(198) = -2.22, *p* = -.22.", "impossible: p is from 0 to 1"),
        ("It was, t(198) = 2.22, p = 22.", "impossible: p is from 0 to 1"),
        ("A correlation: r(97) = .17, p = .084.", "no test has these"),
        ("rho(30) = .45, p = .010", "no test has these"),
        ("chi2(2, N = 90) = 6.2, p = .045", "no test has these"),
        ("Nothing is reported.", "Nothing in the text could be compared"),
    ],
)
def test_a_text_without_a_result_that_holds_fails(results, text, said):
    told, holds = check(text, results, by=draft.describe_check)
    assert said in told and not holds


def test_a_correlation_is_found_by_its_effect(results):
    tests = pd.read_csv(results / "statistics/tests.csv")
    names = {"statistic_name": "t", "statistic": 2.2, "effect_name": "rho", "effect": 0.45}
    row = {"test_id": "four", "df": "30", "p": 0.01, "p_adjusted": 0.01} | names
    pd.concat([tests, pd.DataFrame([row])]).to_csv(results / "statistics/tests.csv", index=False)
    ((_, _, found),) = draft.suggest_tests("rho(30) = .45, p = .010", results)
    assert found == ["four"]


@pytest.mark.parametrize(
    ("name", "content"), [("no.md", None), ("d.docx", b"x"), ("d.md", b"PK\3\4")]
)
def test_a_draft_that_cannot_be_read_is_named(results, name, content):
    if content is not None:
        (results / name).write_bytes(content)
    with pytest.raises(InputError, match=f"(?s){name}.*fix"):
        draft.check_draft(results / name, results)
