"""The list of claims in use: found, filtered, counted, sorted, followed to a figure and back."""

import re
from urllib.parse import parse_qsl

from visits import count_visible_rows

# A count and the list that it links to; the link may also name a status or say what is counted.
COUNTS = """links => links
  .map(link => [link.href, link.innerText.match(/(?<![\\w.])\\d[\\d,]*(?!\\w)/g)])
  .filter(([href, numbers]) => href.includes("?") && numbers && numbers.length === 1)
  .map(([href, [number]]) => [href, parseInt(number.replace(",", ""))])"""
# Number of rows that each query of a link asks for.
ASKED_FOR = """queries => queries.map(query => {
  const asked = [...new URLSearchParams(query)];
  const fits = (row, name, value) => name === "figure"
    ? (row.dataset.figure || "").split(" ").includes(value) : row.dataset[name] === value;
  return [...document.querySelectorAll(".ledger tbody tr")]
    .filter(row => asked.every(([name, value]) => fits(row, name, value))).length;
})"""
CELLS = """column => [...document.querySelectorAll(".ledger tbody tr")]
  .map(row => row.cells[column].textContent.trim())"""


def test_words_and_fields_find_claims(visit):
    page = visit("zhang2025/claims/index.html")
    every = count_visible_rows(page)
    page.get_by_label("Search").press_sequentially("detectability")
    found = count_visible_rows(page)
    assert 0 < found < every
    assert page.locator("#shown").inner_text() == f"{found} claims"
    page.get_by_label("Status").select_option("reproduced")
    page.get_by_label("Task").select_option("color")
    rows = page.locator(".ledger tbody tr").filter(visible=True)
    assert 0 < rows.count() < found
    for row in rows.all():
        assert "detectability" in row.inner_text() and row.locator(".reproduced").count()
        assert row.get_attribute("data-task") == "color"
    page.get_by_role("button", name="Reset").click()
    page.wait_for_function(
        "count => document.getElementById('shown').innerText.startsWith(count)", arg=str(every)
    )
    assert count_visible_rows(page) == every


def test_a_claim_leads_to_its_figure_and_back(visit):
    page = visit("zhang2025/claims/index.html")
    count_visible_rows(page)
    row = page.locator(".ledger tr[data-figure]").first
    claim, link = row.get_attribute("id"), row.locator("a[href*='report/']").first
    figure = link.get_attribute("href").partition("#")[2]
    link.click()
    page.wait_for_url(f"**/report/index.html#{figure}")
    shown = page.locator(f"[id='{figure}']")
    page.wait_for_function(
        "id => document.getElementById(id).getBoundingClientRect().top < innerHeight", arg=figure
    )
    shown.get_by_role("link", name=re.compile("printed numbers? shown here")).click()
    page.wait_for_url(f"**/claims/index.html?figure={figure}")
    assert page.locator(f"[id='{claim}']").is_visible()
    assert 0 < count_visible_rows(page) < page.locator(".ledger tbody tr").count()


def test_counts_are_those_of_the_lists_they_link_to(visit):
    counted = {}
    for name in ("claims/index.html", "claims/summary.html", "report/index.html"):
        page = visit(f"jones2024/{name}")
        for href, number in page.locator("a").evaluate_all(COUNTS):
            assert counted.setdefault(href, number) == number, (name, href)
    assert len(counted) > 4
    lists = {}
    for href, number in counted.items():
        path, _, query = href.partition("?")
        lists.setdefault(path, {})[query] = number
    for path, numbers in lists.items():
        page.goto(path)
        found = page.evaluate(ASKED_FOR, list(numbers))
        assert dict(zip(numbers, found, strict=True)) == numbers, path
        # What the list shows is what is asked for: one link by each set of fields.
        for query in {tuple(dict(parse_qsl(query))): query for query in numbers}.values():
            page.goto(f"{path}?{query}")
            assert count_visible_rows(page) == numbers[query], query


def test_sorting_puts_blanks_last(visit):
    page = visit("jones2024/claims/index.html")
    for name, column in (("Recommended", 4), ("Recomputed", 3), ("Task", 1)):
        for direction in ("ascending", "descending"):
            page.get_by_role("button", name=name, exact=True).click()
            heading = page.locator(f".ledger thead th[aria-sort={direction}]")
            assert heading.inner_text().startswith(name)
            filled = [bool(text) for text in page.evaluate(CELLS, column)]
            assert filled == sorted(filled, reverse=True)
    assert {True, False} == {bool(text) for text in page.evaluate(CELLS, 4)}
