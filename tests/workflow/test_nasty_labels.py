"""A label that would run as a script, a formula or a command, from a table of one's own to every output."""

import csv
import html.parser
import random
import re
import xml.etree.ElementTree as ElementTree

import pytest
from project import Project

from turingstats.core import files
from turingstats.core.plain_text import CONTROLS, FORMULA, NUMBERS

MARK = "document.documentElement.dataset.ran"
NASTY = (
    f"=cmd()|'/C calc'!A1 \"q\" <script>{MARK}=1</script></style></title><img src=x onerror={MARK}=2>"
    f"'\"><svg onload={MARK}=3> javascript:{MARK}=4 {{{{ 7*7 }}}} \\input{{/etc/passwd}} "
    "$x$ %&#_{~^ \x1b[31mred \u202ertl\u2066 \U0001f600 two\nlines " + "x" * 200 + " long" * 30
)
FEW = {"bootstrap": 100, "permutation": 100}
SETTINGS = {"study": "nasty", "resamples": FEW, "figures": {"formats": ["svg"], "dpi": 72}}
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


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Results of a study in which agents, stimuli and topics have such labels, and all that was printed."""
    project = Project(tmp_path_factory.mktemp("nasty") / "project")
    random.seed(1)
    with (project.folder / "nasty.csv").open("w", newline="") as stream:
        table = csv.writer(stream)
        table.writerow("judge gender stimulus written_by topic answer".split())
        for judge in range(8):
            for item in range(12):
                agent = ("human", NASTY, "-5+2", "@bot")[item % 4]
                row = [
                    f"p{judge}",
                    ("woman", "man")[judge % 2],
                    f"=item{item} {NASTY[20:90]}",
                    agent,
                ]
                table.writerow(
                    [*row, (NASTY[:99], "+b")[item % 3 == 0], random.choice(["human", "AI"])]
                )
    output = project.make("init", config={"csv": "nasty.csv", "name": "nasty"})
    output += project.make(config=SETTINGS)
    return project.folder, output


def find(made, pattern):
    """Find files of the results."""
    found = sorted((made[0] / "results").rglob(pattern))
    assert found
    return found


def test_pages_hold_no_script_of_the_data(made):
    shown = 0
    for path in find(made, "*.html"):
        page = Reader(path.read_text())
        assert not {"script", "img", "object", "iframe"} & set(page.tags) - allowed(path), path
        assert page.tags.count("script") <= 1, path
        for name, value in page.attributes:
            assert not name.startswith("on"), path
            assert not (value or "").strip().lower().startswith(("javascript:", "data:")), path
        words = "".join(page.words)
        shown += f"<script>{MARK}=1</script>" in words
        assert "49" not in re.findall(r"\{\{ ?(\d+) ?\}\}", words)
        assert not CONTROLS.search(path.read_text()), path
    assert shown >= 2


def allowed(path):
    """Elements that pages have of their own: pictures of the report, and one script that enlarges them or
    sorts a table."""
    return {"img", "script"} if path.name == "index.html" else {"script"}


def test_latex_has_no_command_of_the_data(made):
    shown = 0
    for path in find(made, "*.tex"):
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


def test_spreadsheets_find_no_formula_and_labels_come_back(made):
    shown = 0
    for path in find(made, "*.csv"):
        with path.open(newline="") as stream:
            written = list(csv.reader(stream))
        assert len({len(row) for row in written}) == 1, path
        if files.is_for_people(path):
            for cell in (cell for row in written for cell in row):
                guarded = not FORMULA.match(cell) or NUMBERS.fullmatch(cell) or cell.startswith("'")
                assert guarded, (path, cell)
        read = files.read_frame(path)
        texts = {value for name in read for value in read[name].dropna() if isinstance(value, str)}
        assert not any(text.startswith(("'=", "'@", "'+", "'-")) for text in texts), path
        shown += NASTY in texts
    assert shown >= 3


def test_pictures_are_sound(made):
    for path in find(made, "*.svg"):
        tags = {element.tag.split("}")[1] for element in ElementTree.parse(path).iter()}
        assert not tags & {"script", "foreignObject", "image", "a"} - {"image"}, path


def test_terminal_and_logs_show_control_characters(made):
    folder, output = made
    assert "\\x1b[31mred \\u202ertl" in output
    assert not CONTROLS.search(output.replace("\x1b[0m", "").replace("\x1b[33m", ""))
    for path in [*find(made, "*.log"), *(folder / ".snakemake/log").iterdir()]:
        assert not CONTROLS.search(path.read_text()), path
    for path in find(made, "*"):
        assert re.fullmatch(r"[\w.+-]+", path.name), path
