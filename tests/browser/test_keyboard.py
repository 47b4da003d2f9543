"""Pages without a mouse: every control can be reached in order and shows that it has the focus."""

import pytest

# Controls that are shown, in the order of the page.
CONTROLS = """() => [...document.querySelectorAll(
    "a[href], button, input, select, summary, [tabindex='0']")]
  .filter(e => e.checkVisibility() && !e.closest("details:not([open]) > :not(summary)"))
  .map((e, place) => e.dataset.place = String(place))"""
FOCUSED = """() => {
  const at = document.activeElement, style = getComputedStyle(at), box = at.getBoundingClientRect();
  return {place: at.dataset.place, text: at.outerHTML.slice(0, 120),
    marked: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2,
    visible: box.bottom > 0 && box.top < innerHeight && box.right > 0};
}"""
PAGES = [
    "index.html",
    "jones2024/report/index.html",
    "jones2024/claims/summary.html",
    "jones2024/claims/index.html?status=differs",
    "jones2024/tables/table1.html",
    "planned/plan/index.html",
]


@pytest.mark.parametrize("path", PAGES)
def test_every_control_is_reached_in_order_and_marked(visit, path):
    page = visit(path)
    controls = page.evaluate(CONTROLS)
    reached = []
    for _ in controls:
        page.keyboard.press("Tab")
        focus = page.evaluate(FOCUSED)
        # Also while pictures are loaded: these have their place before.
        assert focus["marked"] and focus["visible"], focus
        reached.append(focus["place"])
    assert reached == controls


@pytest.mark.parametrize("path", PAGES[:2])
def test_first_control_skips_to_the_content(visit, path):
    page = visit(path)
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to the content")
    assert skip.bounding_box()["x"] >= 0
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('main') !== null")
    assert page.evaluate("!document.activeElement.closest('nav.pages')")


def test_figure_unfolds_with_enter_and_is_enlarged_until_escape(visit):
    page = visit("jones2024/report/index.html")
    figure, dialog = page.locator("#figures details.figure").first, page.locator("dialog")
    figure.locator("summary").focus()
    page.keyboard.press("Enter")
    enlarge = figure.get_by_role("button", name="Enlarge")
    enlarge.focus()
    page.keyboard.press("Enter")
    assert dialog.is_visible() and dialog.locator("svg").first.get_attribute("aria-label")
    assert page.evaluate("document.activeElement.closest('dialog') !== null")
    page.keyboard.press("Escape")
    assert not dialog.is_visible()
    assert enlarge.evaluate("button => button === document.activeElement")


def test_one_choice_is_kept_in_the_address_and_undone(visit):
    page = visit("zhang2025/report/index.html?machine=Google&margin=5")
    lines = page.locator(
        "#chart .task:visible > :first-child .line, #chart div.task:visible > .line"
    )
    every = page.locator("#chart .task").count()
    assert 0 < lines.count() < every
    assert {line.get_attribute("data-machine") for line in lines.all()} == {"Google"}
    shown = page.locator("details.figure:visible").count()
    page.locator("select[name=machine]").select_option("")
    assert page.url.endswith("?margin=5") and page.locator("#chart .task:visible").count() == every
    assert page.locator("details.figure:visible").count() > shown
    page.locator("select[name=margin]").select_option("15")
    assert "margin=15" in page.url
    assert page.locator("#chart .badge:visible", has_text="within 15 points").count()
    page.get_by_role("button", name="Reset").click()
    page.wait_for_url("**/index.html")
    assert not page.locator("#chart .badge:visible", has_text="within 15 points").count()
