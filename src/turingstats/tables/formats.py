"""Tables as pages of their own, with numbers aligned to the right."""

import re
from html import escape

import pandas as pd

from turingstats.core.plain_text import escape_controls

NUMBER = re.compile(
    r"[-\N{MINUS SIGN}<>~]?\s*\d[\d,.]*(e[-+]?\d+)?%?(\s*[(\[\N{PLUS-MINUS SIGN}].*)?"
)
"""A number in a cell, with a range or an error behind it."""
EMPTY = ("", None, "\N{EN DASH}")
"""Cells without a number, also in columns of numbers."""
PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
body {{ margin: 2rem auto; padding: 0 1rem; max-width: 80rem;
  font: 15px/1.45 "Fira Sans", "Segoe UI", "Helvetica Neue", Arial, sans-serif; }}
.wide {{ overflow-x: auto; }}
table {{ border-collapse: collapse; font-variant-numeric: tabular-nums; }}
caption {{ text-align: left; padding: .3rem .6rem .8rem; font-weight: bold; }}
th, td {{ padding: .3rem .6rem; text-align: left; vertical-align: top; border-bottom: 1px solid #8884; }}
thead th {{ border-bottom: 2px solid; }}
.n {{ text-align: right; white-space: nowrap; }}
:focus-visible {{ outline: 3px solid #b36b00; }}
@media screen {{ :root {{ color-scheme: light dark; }} }}
@page {{ size: landscape; margin: 12mm; }}
@media print {{
  body {{ margin: 0; padding: 0; max-width: none; font-size: 7pt; }} .wide {{ overflow: visible; }}
  th, td {{ padding: .1rem .25rem; overflow-wrap: anywhere; }} .n {{ white-space: normal; }}
  caption {{ break-after: avoid; }} thead {{ display: table-header-group; }} tr {{ break-inside: avoid; }}
}}
</style>
</head>
<body>
<main class="wide" tabindex="0" aria-label="{title}"><table>
<caption>{caption}</caption>
<thead><tr>{head}</tr></thead>
<tbody>
{rows}
</tbody>
</table></main>
</body>
</html>
"""


def is_numeric(cells: pd.Series) -> bool:
    """Tell whether every filled cell of a column begins with a number, so that it is aligned to the right."""
    filled = [str(cell) for cell in cells if cell == cell and cell not in EMPTY]
    return bool(filled) and all(map(NUMBER.fullmatch, filled))


def format_page(frame: pd.DataFrame, caption: str, numeric: list[bool]) -> str:
    """Format a table as a page of its own; `numeric` columns hold numbers."""
    kinds = [' class="n"' if aligned else "" for aligned in numeric]
    head = "".join(
        f'<th scope="col"{kind}>{escape_html(name)}</th>'
        for name, kind in zip(frame.columns, kinds, strict=True)
    )
    texts = frame.astype(object).where(frame.notna(), "").astype(str)
    rows = [
        "".join(
            f"<td{kind}>{escape_html(cell)}</td>" for cell, kind in zip(cells, kinds, strict=True)
        )
        for cells in texts.to_numpy()
    ]
    return PAGE.format(
        title=escape_html(caption.partition(". ")[0]),
        caption=escape_html(caption),
        head=head,
        rows="\n".join(f"<tr>{row}</tr>" for row in rows),
    )


def escape_html(text: str) -> str:
    """Escape text for HTML."""
    return escape(escape_controls(text))
