"""Every kind of page: whole and readable on a screen, on a phone, in the dark, in print, without scripts."""

import re

import pytest
from project import ROOT
from visits import GIVEN, PHONE, WIDE, Visit, find_barriers, shorten

SHOTS = ROOT / "results/check/pages"
# One page of each template, of the study with fewer rows.
PAGES = [
    "index.html",
    *(f"jones2024/report/{name}.html" for name in ("index", "report")),
    *(f"jones2024/claims/{name}.html" for name in ("index", "summary", "notebooks")),
    "jones2024/tables/table1.html",
    "planned/plan/index.html",
]
if GIVEN:
    written = [*GIVEN.glob("*.html"), *GIVEN.glob("*/*/*.html")]
    PAGES = [str(path.relative_to(GIVEN)) for path in sorted(written)]
SCREENS = {"wide": (WIDE, "light"), "dark": (WIDE, "dark"), "phone": (PHONE, "light")}
# Contrast of marks with what they are drawn on: symbols and borders of statuses, bars, intervals.
MARKS = """() => {
  const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
  const luminance = color => {
    canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map(v => v / 255)
      .map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
    return .2126 * r + .7152 * g + .0722 * b;
  };
  const paper = luminance(getComputedStyle(document.body).backgroundColor), weak = new Set();
  const look = (mark, color) => {
    const own = luminance(color);
    const ratio = (Math.max(own, paper) + .05) / (Math.min(own, paper) + .05);
    if (ratio < 3) weak.add(`${mark.className}: ${color}, ${ratio.toFixed(2)}`);
  };
  const each = (kind, choose) => document.querySelectorAll(kind).forEach(mark =>
    look(mark, choose(getComputedStyle(mark), getComputedStyle(mark, "::before"))));
  each(".badge", (_, symbol) => symbol.color);
  each(".badge", style => style.borderTopColor);
  each(".bar span", style => style.getPropertyValue("--tone").trim());
  each(".dot, .reach", style => style.backgroundColor);
  each(".chance", style => style.borderLeftColor);
  return [...weak];
}"""
# What sticks out of a sheet to the right, or is a picture higher than one; both of A4 and of Letter.
CUT = """height => [...document.querySelectorAll("table, td, th, p, pre, figure, img, svg[role], h1, h2, ul")]
  .filter(e => e.checkVisibility() && (e.getBoundingClientRect().right > innerWidth + 1
    || (e.matches("img, svg[role]") && e.getBoundingClientRect().height > height)))
  .map(e => `${e.tagName} ${e.className}: ${e.textContent.trim().slice(0, 60)}`).slice(0, 5)"""
# Pictures of which a part is not seen, because their box has another shape.
CROPPED = """pictures => pictures.filter(p => p.checkVisibility()).filter(p => {
  const {width, height} = p.getBoundingClientRect(), whole = p.viewBox.baseVal;
  return Math.abs(height / width / (whole.height / whole.width) - 1) > .02;
}).map(p => p.closest("details").id)"""
# The smaller of A4 and Letter less the margins, in CSS pixels.
SHEETS = {"portrait": (703, 940), "landscape": (960, 680)}


def show(page, screen):
    (width, height), scheme = SCREENS[screen]
    page.emulate_media(media="screen", color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": height})


@pytest.fixture(scope="module", params=PAGES)
def opened(windows, site, request):
    """Path of a page, and the page, which several tests look at in turn; it must have no problem."""
    one = Visit(windows[True], site, request.param)
    yield request.param, one.page
    one.page.close()
    assert not one.problems


@pytest.mark.parametrize("screen", SCREENS)
def test_page_is_whole(opened, screen):
    path, page = opened
    show(page, screen)
    assert page.evaluate("document.documentElement.scrollWidth") <= SCREENS[screen][0][0]
    SHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SHOTS / f"{path.removesuffix('.html').replace('/', '-')}-{screen}.png")
    assert page.evaluate(MARKS) == []


def test_page_prints_black_on_white_and_uncut(opened):
    _, page = opened
    landscape = re.search(r"@page[^;]*landscape", page.content()) is not None
    width, height = SHEETS["landscape" if landscape else "portrait"]
    page.emulate_media(media="print", color_scheme="dark")
    page.set_viewport_size({"width": width, "height": height})
    assert page.evaluate(CUT, height) == []
    assert page.locator(".figure svg[role]").evaluate_all(CROPPED) == []
    style = page.evaluate("[document.body, document.documentElement].map(e => getComputedStyle(e))"
                          ".map(s => [s.backgroundColor, s.colorScheme])")  # fmt: skip
    assert {background for background, _ in style} <= {"rgb(255, 255, 255)", "rgba(0, 0, 0, 0)"}
    assert {scheme for _, scheme in style} <= {"normal", "light"}
    for control in ("nav", "form", "dialog", "button:not(th button)", ".skip", ".links"):
        assert not page.locator(control).filter(visible=True).count(), control
    sheets = page.pdf(format="A4", landscape=landscape)
    assert sheets.startswith(b"%PDF") and re.search(rb"/Type /Page\b", sheets)
    assert page.evaluate("[...document.images].every(i => !i.checkVisibility() || i.naturalWidth)")


# The last one that looks at a page, since it shortens it.
def test_page_is_open_to_all(opened):
    _, page = opened
    shorten(page)
    for screen in SCREENS:
        show(page, screen)
        assert find_barriers(page, colors=screen != "phone") == [], screen


@pytest.mark.parametrize("path", PAGES)
def test_page_reads_without_scripts(visit, path):
    page = visit(path, scripts=False)
    assert page.locator("main").is_visible()
    for control in ("button", "input", "select", "form", "dialog", ".sorting"):
        assert not page.locator(control).filter(visible=True).count(), control
    rows = page.locator("table.ledger tbody tr")
    assert rows.count() == rows.filter(visible=True).count()
