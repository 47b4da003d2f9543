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


def test_figure_opens_with_enter_and_closes_with_escape(visit):
    page = visit("zhang2025/report/index.html")
    picture, dialog = page.locator("a.picture").first, page.locator("dialog")
    picture.focus()
    page.keyboard.press("Enter")
    assert dialog.is_visible() and dialog.locator("img").get_attribute("alt")
    assert page.evaluate("document.activeElement.closest('dialog') !== null")
    page.keyboard.press("Escape")
    assert not dialog.is_visible()
    assert picture.evaluate("link => link === document.activeElement")
