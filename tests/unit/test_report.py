"""The report of a study: whole, honest on top, and every link leads to a file or a place on the page."""

import base64
import json
from urllib.parse import unquote, urlsplit
from urllib.request import urlopen

import pytest
from html_page import Page

from turingstats.config import settings as config
from turingstats.core.templating import render_page
from turingstats.data import provenance
from turingstats.report import cells, inline_pictures, mailed_page, sections, study_page
from turingstats.report.at_a_glance import read_rows

STUDY = {
    "study": "made",
    "design": "verdicts",
    "choice": False,
    "title": "A study",
    "reference": "Somebody et al. 2025",
    "figures": {"figS2": "Groups of judges", "fig4": "Matrices"},
    "titles": {"claims_overview": "Published and recomputed numbers"},
    "makers": {
        "figures/fig4.csv": ["figures.source_data:select_figure_data", "figures.similarity:draw"]
    },
    "captions": {"figS2": "", "fig4": "Who passes? Rows are <agents>."},
    "tables": {"tableS1": "Sizes"},
    "notes": {"tableS1": "Judges may have seen several tasks"},
    "tasks": {"color": "Color estimation"},
    "reading": "published",
    "readings": ["published", "recommended"],
    "data": "generated data",
    "called": "trials",
    "cohorts": {"color": {"amt": "Online judges"}},
    "read_cohorts": {"color": {"amt": "Online judges"}},
}
MATRIX = """panel,kind,title,task_label,cohort_label,judge_kind,value,se,ci_low,level,n,n_judges,p_adjusted,\
test,unit,correction,family_size,note,reading,data
B,no data,SVM judge,Color estimation,SVM,svm,,,,0.95,,,,,,,,not public,published,generated data
A,bars,People <all>,Color estimation,Online judges,human,0.5,0.1,,0.95,120,30,0.01,welch_t,trial,\
bonferroni,12,first day only,published,generated data
A,bars,People <all>,Color estimation,Online judges,human,0.6,0.1,,0.95,80,28,0.6,welch_t,trial,\
bonferroni,12,first day only,published,generated data
"""
EXCLUSIONS = """study,task,cohort,judge,reading,step,reason,rows_in,excluded,rows_out,data
made,color,amt,all,published,source,,1000,0,1000,generated data
made,color,amt,all,published,filter,too fast,1000,100,900,generated data
made,color,amt,all,published,analyzed,,900,0,900,generated data
made,color,amt,all,recommended,source,,1000,0,1000,generated data
made,color,amt,all,recommended,filter,too fast,1000,250,750,generated data
made,color,amt,all,recommended,analyzed,,750,0,750,generated data
made,color,amt,color.amt.w1,published,filter,too fast,10,1,9,generated data
"""
TESTS = """test_id,test,reading,unit,n1,n2,n_per_group,statistic_name,statistic,df,p,statistic_low,p_low,\
p_adjusted,correction,family_size,effect_name,effect,ci_low,ci_high
color.chance,wilcoxon,published,judge,30,,30,z,-2.17,,0.03,,,0.09,bonferroni,3,r,-0.4,-0.6,-0.1
color.other,wilcoxon,recommended,judge,30,,30,z,-9.99,,0.03,,,0.09,holm,3,r,-0.4,-0.6,-0.1
"""
SUMMARY = """paper,task,kind,status,n,data
made,color,result,recovered,7,generated data
made,color,result,not recovered,2,generated data
made,all,count,not computed,1,generated data
made,color,result,impossible,3,generated data
"""
INVENTORY = """figure,panel,kind,shows,data_driven,drawn,why,data
fig4,A,matrix,rates,yes,yes,color,x
fig1,A,schematic,tasks,no,not data-driven,schematic,x
"""
SVG = '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg" width="518.4pt" height="9pt"></svg>'

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg=="
)


def make(folder, **more):
    """Write results of a made-up study; return their paths."""
    settings = config.Config(**more.pop("config", {})).model_dump(mode="json")
    source = {"kind": more.pop("source", "demo"), "commit": more.pop("commit", "abc")}
    described = provenance.describe_run(settings, source | {"sha256": {"a/b.json": "0" * 64}})
    files = {"data/provenance.json": json.dumps(described), "figures/fig4.pdf": ""}
    files |= {"figures/fig4.svg": SVG, "figures/fig4.csv": MATRIX} | more
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return [folder / name for name in files]


FULL = {
    "figures/figS2.pdf": "",
    "figures/figS2.csv": MATRIX,
    "figures/inventory.csv": INVENTORY,
    "tables/tableS1.csv": "Task,Judges,reading,data\nColor,177,published,generated data\n",
    "tables/tableS1.html": "",
    "tables/what_changes.csv": "test_id,data\n",
    "data/exclusions.csv": EXCLUSIONS,
    "statistics/tests.csv": TESTS,
    "claims/summary.csv": SUMMARY,
    "claims/index.html": "",
    "claims/summary.html": "",
    "claims/panels.csv": "claim_id,figure,panel\nc1,fig4,A\nc2,fig4,A\n",
    "claims/claims.csv": "",
    "claims/claims_overview.svg": SVG,
    "claims/claims_overview.csv": "panel,n,status,data\nStatus,3,recovered,generated data\n",
}


def written(folder, made, study=STUDY):
    here = folder / "report"
    here.mkdir(exist_ok=True)
    text = render_page("report.html", study_page.build_context(study, made, folder, here))
    (here / "index.html").write_text(text)
    return Page(text)


def check_links(page, here, elsewhere=()):
    """Every link is to a place on the page or a file beside it."""
    assert page.links
    for link in page.links + page.loaded:
        assert "://" not in link and not link.startswith("/")
        if link.startswith("#"):
            assert link[1:] in page.ids, link
        elif link not in elsewhere:
            assert (here / unquote(urlsplit(link).path)).is_file(), link
    assert len(page.ids) == len(set(page.ids))


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "results" / "made"


def test_every_link_leads_somewhere(folder):
    page = written(folder, make(folder, **FULL))
    check_links(page, folder / "report", elsewhere={"../../index.html"})


def test_the_file_to_mail_needs_no_other(folder):
    made = make(folder, **FULL)
    (folder / "figures/figS2.png").write_bytes(PIXEL)
    linked = written(folder, [*made, folder / "figures/figS2.png"])
    text = mailed_page.inline_files((folder / "report/index.html").read_text(), folder / "report")
    alone = Page(text)
    assert alone.links == [link for link in linked.links if link.startswith("#")] != []
    assert [urlopen(picture).read() for picture in alone.loaded] == [PIXEL] * len(linked.loaded)
    for name in ("claims/index.html", "statistics/tests.csv", "tables/tableS1.html"):
        assert f'<a title="{name}">' in text
        assert (folder / name).is_file()
    assert "folder of results, made." in alone.text


def test_a_figure_names_its_functions_and_links_to_them_within_the_project(folder, monkeypatch):
    names = STUDY["makers"]["figures/fig4.csv"]
    page = written(folder, make(folder))
    assert f"Made by {', '.join(names)}." in page.text
    assert not [link for link in page.links if link.endswith(".py")]
    monkeypatch.setattr(study_page, "PROJECT", folder.parents[1])
    for module in ("source_data.py", "similarity/__init__.py"):
        path = folder.parents[1] / "src/turingstats/figures" / module
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    page = written(folder, make(folder))
    assert len([link for link in page.links if link.endswith(".py")]) == 2
    check_links(page, folder / "report", elsewhere={"../../index.html"})


@pytest.mark.parametrize(
    ("data", "label"),
    [
        ("generated data", "Generated data: no one was observed"),
        ("public data, some of them", "Public trials"),
        ("observed data", "Observed trials"),
    ],
)
def test_data_are_named_on_top(folder, data, label):
    page = written(folder, make(folder), STUDY | {"data": data})
    shown = page.text.split("What is behind this")[0]
    assert label in shown and data in page.text
    names = ("Generated data", "Public trials", "Observed trials")
    assert [name for name in names if name in shown] == [label.partition(":")[0]]


def test_captions_tell_n_and_what_is_absent(folder):
    text = written(folder, make(folder)).text
    assert "n = 80–120 verdicts, 28–30 judges; first day only" in text
    assert "(not public)" in text
    assert "People <all>" in text
    assert text.index("People <all>") < text.index("SVM judge")


def test_a_figure_without_numbers_is_a_line_and_sections_without_results_are_left_out(folder):
    empty = "\n".join(MATRIX.splitlines()[:2])
    made = make(folder, **FULL | {"figures/fig3.svg": SVG, "figures/fig3.csv": empty})
    page = written(folder, made)
    assert "Not drawn: B (not public)." in " ".join(page.text.split())
    assert "fig3" in page.ids and not [link for link in page.loaded if "fig3" in link]
    whole, bare = written(folder, make(folder, **FULL)), written(folder, make(folder))
    for name in ("claims", "tables", "tests", "account"):
        assert name in whole.ids and name not in bare.ids
    # An empty table, and a figure without a picture that a browser shows.
    assert "what_changes-table" not in whole.ids
    assert "figS2" in whole.ids


def test_account_of_exclusions(folder):
    made = make(folder, **FULL)
    header, lines = sections.list_exclusions(read_rows(folder / "data/exclusions.csv"), {}, {})
    assert header[2:5] == ["Trials in the source", "Analyzed, published", "Analyzed, recommended"]
    assert lines == [
        ["color", "Amt", "1,000", "900", "750", "too fast: 100 (published), 250 (recommended)"]
    ]
    # Judges are named in no report.
    assert "w1" not in written(folder, made).text


def test_tests_of_the_reading_are_shown_and_claims_that_cannot_hold_counted_apart(folder):
    text = " ".join(written(folder, make(folder, **FULL)).text.split())
    assert "z = −2.17" in text and "0.090 (Bonferroni-corrected, family of 3 tests)" in text
    assert "r = −0.4 (−0.6 to −0.1)" in text and "most draws" not in text
    assert "-9.99" not in text
    assert "7 of 9 are recovered from generated data" in text
    assert "3 conflict with other numbers in the paper" in text


@pytest.mark.parametrize(
    ("p", "shown"), [("0.0", "< 0.001"), ("3.2e-11", "< 0.001"), ("0.5", "0.500"), ("", "")]
)
def test_no_p_value_is_nought(p, shown):
    assert cells.shorten_p(p) == shown


def test_claims_on_printed_and_on_generated_numbers_are_not_added_up(folder):
    summary = "paper,task,kind,status,n,data\n"
    summary += "made,color,result,reproduced,3,published counts\n"
    summary += "made,color,result,differs,1,published counts\n"
    summary += "made,color,result,taken over,2,published counts\n"
    summary += "made,color,result,recovered,8,generated data\n"
    rates = "count_id,data\na,published counts\nb,published counts\nc,generated data\n"
    printed = MATRIX.replace("generated data", "published counts")
    files = {"claims/summary.csv": summary, "statistics/success_rates.csv": rates}
    files |= {"figures/figS9.svg": SVG, "figures/figS9.csv": printed}
    page = written(folder, make(folder, **files), STUDY | {"called": "games"})
    text = " ".join(page.text.split())
    assert "Counts printed in the paper; games are generated" in text
    assert "3 of 4 printed numbers that are checkable are reproduced" in text
    assert "8 of 8 are recovered from generated data" in text
    assert text.index("Claims on published counts") < text.index("Claims on generated data")
    # What is real comes first, whatever its number.
    assert page.ids.index("figS9") < page.ids.index("fig4")


def test_a_folder_of_somebodys_data_is_not_named(folder):
    settings = {"data": {"source": "/home/somebody/private", "allow_missing": True}}
    made = make(folder, source="/home/somebody/private", config=settings)
    text = written(folder, made, STUDY | {"data": "public data"}).text
    assert "somebody/private" not in text
    assert "somebody" not in (folder / "data/provenance.json").read_text()
    assert "a folder of files" in text


def test_what_holds_is_split_by_what_and_how():
    row = {"status": "reproduced", "table": "tests", "reading": "published", "relation": "="}
    row |= {"published": "0.62", "recomputed": "0.62", "quantity": "z"}
    both = row | {"reading": "published and recommended"}
    off = row | {"status": "differs", "reading": ""}
    rows = [row, both, both | {"table": "texts"}, both | {"status": "close"}]
    rows += [off | {"recomputed": "0.61"}, off | {"recomputed": "0.6"}]
    rows += [off | {"quantity": "p", "published": "0.04", "recomputed": "0.06"}]
    rows += [off | {"table": "settings", "recomputed": "5"}, row | {"status": "no data"}]
    counts = sections.count_holding(rows)
    assert (counts["checked"], counts["hold"]) == (8, 4)
    assert counts["subjects"] == [("judges and trials", 3, 7), ("counts of words in texts", 1, 1)]
    assert [(words, n) for _, words, n in counts["off"]] == [
        ("by one unit of the last digit", 1),
        ("in being significant", 1),
        ("by more", 1),
        ("as settings of this software", 1),
    ]
    one = sections.count_holding(rows[1:2])
    assert (one["subjects"], one["off"]) == ([("judges and trials", 1, 1)], [])
    assert sections.count_holding(rows[-1:]) is None


def test_a_picture_in_a_page_says_what_marks_are_and_keeps_what_it_refers_to(tmp_path):
    mark = '<g><title>OFA: 0.50</title><use href="#m1" style="fill: #1a1a1a"/></g>'
    path = tmp_path / "fig.svg"
    path.write_text(
        '<?xml version="1.0"?><svg width="9pt" height="9pt" viewBox="0 0 9 9"><title>Whole</title>\n'
        "<desc>All</desc><metadata>when</metadata><style>@font-face{}</style>"
        f'<path id="m1"/><g id="axes_1">{mark}</g></svg>'
    )
    picture = inline_pictures.inline_picture(path, 'What "is" \x1b[31mshown')
    assert picture.startswith(
        '<svg viewBox="0 0 9 9" role="img" aria-label="What &#34;is&#34; \\x1b[31mshown"'
    )
    assert mark in picture and '<path id="m1"/>' in picture
    assert not any(text in picture for text in ("Whole", "<desc>", "when", "font-face", "axes_1"))


def test_a_figure_names_the_judges_and_machines_that_one_may_choose(tmp_path):
    path = tmp_path / "fig4.csv"
    path.write_text("task,cohort,agent\ncolor,amt,azure\ncolor,other,all\n")
    study = STUDY | {"agents": {"azure": "Azure", "google": "Google"}}
    assert study_page.list_choices(path, study) == ["Azure", "Online judges"]
    assert study_page.list_choices(None, study) == []


def test_a_table_has_what_the_paper_prints_in_it_beside_the_recomputed_numbers():
    names = ("location", "says", "published", "recomputed", "status")
    row = dict(zip(names, ("Table S1", "There are 5.", "5", "-6", "differs"), strict=True))
    assert sections.list_printed([row, row | {"location": "line 1"}], "Table S1") == [
        ["There are 5.", "5", "\N{MINUS SIGN}6", "differs"]
    ]
    assert sections.list_printed([row | {"location": ""}], "") == []
    # Of many numbers, those that are reproduced, or have no data, are left out.
    many = [row | {"status": status} for status in ("reproduced", "no data") for _ in range(30)]
    assert len(sections.list_printed([*many, row], "Table S1")) == 1
    assert len(sections.list_printed([*many[:30], row], "Table S1")) == 31
