"""A label that would run as a script, a formula or a command, from a table of one's own to every output."""

import csv
import html.parser
import re
import xml.etree.ElementTree as ElementTree

from nasty_labels import MARK, NASTY

from turingstats.core import files
from turingstats.core.plain_text import CONTROLS, FORMULA, NUMBERS

LATEX_COMMANDS = set(
    "begin end caption toprule midrule bottomrule endhead endfirsthead endfoot endlastfoot multicolumn "
    "begingroup endgroup centering normalsize small footnotesize scriptsize setlength tabcolsep "
    "LTcapwidth linewidth raggedright raggedleft arraybackslash allowbreak addtocounter".split()
)


class Reader(html.parser.HTMLParser):
    """Collects what a page holds."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.words = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data):
        self.words.append(data)


def find(exported, pattern):
    found = sorted((exported.folder / "results").rglob(pattern))
    assert found
    return found


def test_pages_hold_no_script_of_the_data(exported):
    shown = 0
    for path in find(exported, "*.html"):
        page = Reader(path.read_text())
        # Pages have one script that enlarges pictures or sorts a table, and reports have pictures.
        allowed = {"script", "img"} if path.name in ("index.html", "report.html") else {"script"}
        assert not {"script", "img", "object", "iframe"} & set(page.tags) - allowed, path
        assert page.tags.count("script") <= 1, path
        for name, value in page.attributes:
            assert not name.startswith("on"), path
            value = (value or "").strip().lower()
            # The report to mail holds its pictures.
            if path.name == "report.html" and name == "src":
                value = value.removeprefix("data:image/")
            assert not value.startswith(("javascript:", "data:")), path
        words = "".join(page.words)
        shown += f"<script>{MARK}=1</script>" in words
        assert not CONTROLS.search(path.read_text()), path
    assert shown >= 2


def test_latex_has_no_command_of_the_data(exported):
    shown = 0
    for path in find(exported, "*.tex"):
        packages, _, text = path.read_text().partition("\n")
        assert packages.startswith("% needs ")
        plain = re.sub(r"\\[&%$#_{}]|\\text\w+\{\}", "", text)
        commands = set(re.findall(r"\\([a-zA-Z]+)", plain))
        assert commands <= LATEX_COMMANDS, path
        assert plain.count("{") == plain.count("}") and not re.search(r"[$#_%^~]", plain), path
        for part in re.split(r"\\end\{(?:tabular|longtable)\}", plain)[:-1]:
            rows = [line for line in part.splitlines() if line.endswith(r" \\") and " & " in line]
            assert len({row.count("&") for row in rows}) == 1, path
        assert not re.search(r"\\\\\s*[\[*]", plain), path
        assert not CONTROLS.search(text), path
        shown += "input" in text
    assert shown >= 2


def test_spreadsheets_find_no_formula_and_labels_come_back(exported):
    shown = 0
    for path in find(exported, "*.csv"):
        with path.open(newline="") as stream:
            written = list(csv.reader(stream))
        assert len({len(row) for row in written}) == 1, path
        for cell in (cell for row in written for cell in row):
            guarded = not FORMULA.match(cell) or NUMBERS.fullmatch(cell) or cell.startswith("'")
            assert guarded, (path, cell)
        read = files.read_frame(path)
        texts = {value for name in read for value in read[name].dropna() if isinstance(value, str)}
        assert not any(text.startswith(("'=", "'@", "'+", "'-")) for text in texts), path
        shown += NASTY in texts
    assert shown >= 3


def test_pictures_are_sound(exported):
    for path in find(exported, "*.svg"):
        tags = {element.tag.split("}")[1] for element in ElementTree.parse(path).iter()}
        assert not tags & {"script", "foreignObject", "image", "a"} - {"image"}, path


def test_terminal_and_logs_show_control_characters(exported):
    output = exported.printed
    assert "\\x1b[31mred \\u202ertl" in output
    assert not CONTROLS.search(output.replace("\x1b[0m", "").replace("\x1b[33m", ""))
    for path in [*find(exported, "*.log"), *(exported.folder / ".snakemake/log").iterdir()]:
        assert not CONTROLS.search(path.read_text()), path
    for path in find(exported, "*"):
        assert re.fullmatch(r"[\w.+-]+", path.name), path
