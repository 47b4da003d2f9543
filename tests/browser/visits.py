"""A page that a browser has open, and what tests ask about it."""

import os
import re
from importlib.resources import files

from project import ROOT

GIVEN = ROOT / os.environ["PAGES"] if "PAGES" in os.environ else None
"""Folder with results of studies to look at instead of making some, such as results."""
WIDE, PHONE = (1400, 900), (390, 844)
# Accessibility Guidelines 2.2, levels A and AA.
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
# Rows of a long table are alike: the first ones and one of each kind stand for all.
SHORTEN = """() => {
  for (const details of document.querySelectorAll("details")) details.open = true;
  for (const body of document.querySelectorAll("tbody")) {
    const known = new Set();
    [...body.rows].forEach((row, place) => {
      const marked = [row, ...row.querySelectorAll("[class]")].map(element => element.className);
      const kind = [...new Set([row.dataset.status, ...marked])].sort().join();
      if (place > 2 && known.has(kind)) row.remove();
      known.add(kind);
    });
  }
  for (const list of document.querySelectorAll("ul, ol, main, section")) {
    const items = [...list.querySelectorAll(":scope > li, :scope > article, :scope > figure")];
    items.slice(6).forEach(item => item.remove());
  }
}"""
# Colors are the same on any width, and take nearly all the time of the rules.
FIND = """([rules, colors]) => axe.run(document, {
    runOnly: rules, resultTypes: ["violations"], rules: {"color-contrast": {enabled: colors}},
  }).then(found => found.violations.map(({impact, id, nodes}) =>
    `${impact}: ${id}, ${nodes.length} times: ${nodes[0].html.slice(0, 200)}`))"""


class Visit:
    """A page of `site` in a browser window of its own that can read files only; `path` may have a query.

    `problems` are errors of scripts, and requests that failed or left the computer.
    """

    def __init__(self, context, site, path, size=WIDE):
        self.problems = []
        self.page = context.new_page()
        self.page.set_viewport_size({"width": size[0], "height": size[1]})
        self.page.route(re.compile("^(?!file:|data:)"), self.refuse)
        self.page.on("console", self.note)
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("requestfailed", self.note_failure)
        self.page.goto(f"{site.as_uri()}/{path}")

    def refuse(self, route):
        """Note and refuse a request that leaves the computer."""
        self.problems.append(f"asks for {route.request.url}")
        route.abort()

    def note_failure(self, request):
        """Note a request that failed, but not one that was still under way when the page was left."""
        if request.failure != "net::ERR_ABORTED":
            self.problems.append(f"no {request.url}: {request.failure}")

    def note(self, message):
        if message.type == "error":
            self.problems.append(message.text)


def shorten(page):
    """Leave out of a page what is like the rest, so that rules are checked in less time."""
    page.evaluate(SHORTEN)


def find_barriers(page, colors=True):
    """Find serious and critical barriers for readers with disabilities, with or without weak colors."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text())
    found = page.evaluate(FIND, [RULES, colors])
    return [line for line in found if line.startswith(("serious", "critical"))]


def count_visible_rows(page):
    """Count the rows of claims that are shown, once all are."""
    page.evaluate("document.getElementById('more').click()")
    return page.evaluate(
        "[...document.querySelectorAll('.ledger tbody tr')].filter(r => r.checkVisibility()).length"
    )
