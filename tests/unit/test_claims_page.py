"""The pages of the ledger: whole, self-contained, every link leads somewhere, and honest on top."""

import pandas as pd
import pytest
from drawings import assert_legible
from html_page import Page

from turingstats.claims import ledger_page
from turingstats.claims import overview as claims_overview
from turingstats.claims.ledger import LEDGER
from turingstats.core import data_labels
from turingstats.core.templating import render_page

TASKS = {"color": "Color estimation", "object": "Object detection"}


def ledger_row(name, status="reproduced", **fields):
    row = dict.fromkeys(LEDGER, "") | {"paper": "made", "claim_id": name, "status": status}
    row |= {"location": "line 1", "task": "color", "kind": "result", "data": "public data"}
    row |= {"quantity": "p_HH", "relation": "=", "published": 0.55, "recomputed": "0.55"}
    row |= {"recomputed_exact": "11/20", "table": "estimates", "column": "value"}
    row["rows"] = "task=color, cohort=amt, group=all, agent=human, quantity=p_HH"
    return row | fields


NOTHING = {"table": None, "rows": None, "column": None, "recomputed": "", "recomputed_exact": ""}
CHECK = {"paper": "made", "check_id": "sum", "location": "Table 1", "statement": "rows add up"}
CHECK |= {"claims": "c1; c2", "concerns": "c2", "result": "contradiction"}
CHECKS = pd.DataFrame([CHECK | {"arithmetic": "-12345 + 1 = -12344, p = 2.9e-05; printed: 1300"}])


def made(data="public data", notebooks=None, **first):
    ledger = pd.DataFrame(
        [
            ledger_row("c1", **first),
            ledger_row("c2", "impossible", **NOTHING, why="5 < 7 & <script>alert(1)</script>"),
            ledger_row("c3", "no data", task="all", kind="count", **NOTHING, why="needs raw.json"),
        ]
    ).assign(data=data)
    place = {"task": "color", "cohort": "amt", "group": "all", "agent": "human"}
    place |= {"quantity": "p_HH", "estimate_id": "color.amt.all.human.p_HH", "n": 20, "data": data}
    values = {"reading": ["published", "recommended"], "value": [0.55, 0.56]}
    estimates = pd.DataFrame(values).assign(**place)
    figures = {"fig1": estimates.assign(panel="A", group=None)}
    given = (ledger, CHECKS, {"estimates": estimates}, figures, TASKS)
    return ledger_page.build_context(*given, notebooks)


@pytest.fixture(params=["ledger.html", "summary.html", "notebooks.html"])
def name(request):
    return request.param


def test_a_note_that_many_claims_share_stands_once():
    note = "the judges are those in the laboratory, whose number the printed tests fit"
    rows = [
        ledger_row(f"c{n}", why=f"p = {n}; {note}", **NOTHING) for n in range(ledger_page.SHARED)
    ]
    context = ledger_page.build_context(pd.DataFrame(rows), CHECKS, {}, {}, TASKS)
    assert context["notes"] == [note]
    page = Page(render_page("ledger.html", context))
    assert page.links.count("#note-1") == len(rows) and "note-1" in page.ids
    assert render_page("ledger.html", context).count(note[1:]) == 1


def test_every_claim_has_a_row_that_can_be_filtered():
    page = Page(render_page("ledger.html", made()))
    rows = {row["id"]: row for row in page.rows if row.get("data-status")}
    # What a reader should know first comes first.
    assert [(c, rows[c]["data-status"]) for c in rows] == [
        ("c2", "impossible"), ("c1", "reproduced"), ("c3", "no data")
    ]  # fmt: skip
    assert rows["c3"]["data-task"] == "all" and rows["c3"]["data-kind"] == "count"
    assert "Needs raw.json" in rows["c3"]["text"]


def test_numbers_of_notebooks_have_a_table_that_is_filtered_alike():
    numbers = [
        ledger_row("N-1", unit="of 20 trials", notebook="Plot.ipynb", kind="count"),
        ledger_row("N-2", "differs", unit=None, notebook="Plot.ipynb"),
        ledger_row("N-3", "differs", unit=None, notebook="Plot.ipynb", recomputed="0.5"),
        ledger_row("N-4", "differs", unit=None, notebook="Plot.ipynb", recomputed="0.9"),
    ]
    context = made(notebooks=pd.DataFrame(numbers))
    page = Page(render_page("notebooks.html", context))
    assert {"index.html", "notebooks.csv", "notebooks_summary.csv"} <= set(page.links)
    rows = {row["id"]: row for row in page.rows if row.get("data-status")}
    # Of two other values, the larger miss.
    assert list(rows)[:2] == ["N-4", "N-3"]
    assert [rows["N-2"][f"data-{name}"] for name in ("status", "task", "kind")] == [
        *("differs", "color", "result")
    ]
    assert "of 20 trials" in rows["N-1"]["text"] and "Plot.ipynb" in rows["N-1"]["text"]
    summary = Page(render_page("summary.html", context))
    beside = [row["text"].split() for row in summary.rows if "notebooks" in row["text"]]
    assert [row[-5:] for row in beside] == [["1", "3", "0", "0", "4"]]
    # Without a list nothing leads to the page.
    assert "notebooks.html" in Page(render_page("ledger.html", context)).links
    assert "notebooks.html" not in Page(render_page("ledger.html", made())).links


def test_links_lead_somewhere_and_claims_to_figures_and_back():
    context = made()
    page = Page(render_page("ledger.html", context))
    here = [link[1:] for link in page.links if link.startswith("#")]
    # The claim leads to the table with the row that answers it, the check to its claims.
    assert set(here) <= set(page.ids) and {"c1", "c2"} <= set(here)
    assert "../statistics/estimates.csv" in page.links
    assert context["claims"][1]["answers"] == ["color.amt.all.human.p_HH"]
    assert "../report/index.html#fig1" in page.links
    assert next(row for row in page.rows if row.get("id") == "c1")["data-figure"] == "fig1"
    panels = ledger_page.list_panels(context)
    assert panels.to_dict("records") == [
        {"claim_id": "c1", "figure": "fig1", "panel": "A", "data": "public data"}
    ]


@pytest.mark.parametrize(
    ("quantity", "text", "shown"),
    [("p", "0.000", "< 0.001"), ("p", "0.0", "< 0.1"), ("p", "0.3", "0.3"), ("z", "0.0", "0.0")],
)
def test_no_p_value_is_zero(quantity, text, shown):
    row = {"quantity": quantity, "recomputed": text}
    assert ledger_page.show_number(row, "recomputed") == shown


LAST_DIGIT = ("last digit", "Off by one unit in the last digit.")
LOST = "changes significance", "Not significant at 0.05 when recomputed, unlike in the paper."


@pytest.mark.parametrize(
    ("quantity", "relation", "printed", "recomputed", "difference"),
    [
        ("p_HH", "=", "0.55", "0.56", LAST_DIGIT),
        ("p_HH", "=", "0.55", "0.57", "0.02 (4%) above"),
        ("p", "=", "0.04", "0.05", LOST),
        ("p", "<", "0.05", "0.2", LOST),
        ("n_judges", "=", "289", "290", LAST_DIGIT),
        ("n_judges", "=", "1", "2", "1 (100%) above"),
        ("n_judges", "=", "90", "62", "28 (31%) below"),
        ("p", "<", "0.001", "0.002", "0.001 above"),
        ("n_judges", "<", "15", "91", "76 above"),
        ("p", "=", "0.5", "0.6", LAST_DIGIT),
        ("p", "=", "0.5", "0.7", "0.2 above"),
    ],
)
def test_a_difference_has_a_size(quantity, relation, printed, recomputed, difference):
    row = {"status": "differs", "quantity": quantity, "relation": relation}
    row |= {"published": printed, "recomputed": recomputed}
    if isinstance(difference, str):
        difference = "different value", f"{difference} the printed number."
    assert (ledger_page.describe_difference(row), ledger_page.describe_size(row)) == difference
    assert ledger_page.describe_difference(row | {"status": "reproduced"}) == ""


def test_generated_data_are_announced_on_top(name):
    text = render_page(name, made("generated data"))
    assert "parameter recovery, not a verdict on the paper" in text
    assert text.index("parameter recovery") < text.index("<h1>")
    assert "parameter recovery" not in render_page(name, made())


def test_summary_counts_every_status_and_no_text_of_a_claim_is_markup():
    page = Page(render_page("summary.html", made()))
    rows = [row["text"].split() for row in page.rows]
    assert ["All", "claims", "1", "1", "1", "3"] in rows
    assert ["Color", "estimation", "1", "1", "0", "2"] in rows
    assert ["Several", "tasks", "0", "0", "1", "1"] in rows
    assert ["Kind:", "count", "0", "0", "1", "1"] in rows
    assert "−12,345 + 1 = −12,344, p = 2.9 × 10⁻⁵; printed: 1,300" in page.text
    text = render_page("ledger.html", made())
    assert "<script>alert" not in text and "&lt;script&gt;alert" in text


def overview(**first):
    ledger = pd.DataFrame(
        [
            ledger_row("c1", **first),
            ledger_row("c2", "differs", quantity="z", published=-2.17, recomputed="-3.96"),
            ledger_row("c3", "differs", quantity="p", recomputed="0.0"),
            ledger_row("c4", quantity="n_judges", relation=">"),
            ledger_row("c5", "differs", quantity="delta_detectability", recomputed="0.65"),
            ledger_row("c6", "no data", task="all", **NOTHING),
        ]
    )
    return claims_overview.select_points(ledger)


def test_the_figure_shows_every_number_that_was_computed():
    data = overview(recomputed="0.56").set_index("claim_id")
    assert list(data.index) == ["c1", "c5", "c2", "c3"]
    # In units of the last digit: 55 is printed as 0.55.
    off = {"c1": 0, "c2": -179, "c3": -55, "c5": 10}
    assert data["off"].to_dict() == pytest.approx(off)
    assert data.loc["c2", "panel"] == "Test statistics"
    figure = claims_overview.draw(data.reset_index())
    marks = [
        x for line in figure.axes[1].lines for x in line.get_xdata() if line.get_marker() in "oX"
    ]
    assert sorted(marks) == pytest.approx(sorted(off.values()))
    assert_legible(figure)
    texts = claims_overview.draw(data.iloc[:0]).axes[0].texts
    assert "None of the numbers" in texts[0].get_text()


def test_claims_on_real_and_generated_data_have_rows_of_their_own():
    ledger = pd.DataFrame([ledger_row("a"), ledger_row("b")])
    ledger["data"] = ["generated data", "observed data"]
    data = claims_overview.select_points(ledger)
    data_labels.check_panels(data, "claims_overview")
    assert data["claim_id"].tolist() == ["b", "a"]
    texts = " ".join(text.get_text() for text in claims_overview.draw(data).axes[0].texts)
    assert "Generated data in panel B: " in texts


@pytest.mark.parametrize(
    ("text", "shown"),
    [("= 36057", "= 36,057"), ("1 + 12345, not 4321.", "1 + 12,345, not 4,321."), ("0.12345", "0.12345"),
     ("of 12345.6", "of 12345.6"), ("w12345 in 2025/10000", "w12345 in 2025/10000")],
)  # fmt: skip
def test_thousands_of_whole_numbers_are_separated(text, shown):
    assert ledger_page.typeset(text) == shown
