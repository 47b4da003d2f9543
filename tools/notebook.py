"""Run the notebook in docs/ and store its outputs: python -m tools.notebook (make docs).

Its cells are run one after the other in one namespace, without Jupyter, which the project does not need.
"""

import ast
import contextlib
import io
import json
from pathlib import Path
from typing import Any

from tools import ROOT

PATH = ROOT / "docs/notebook.ipynb"


def run_notebook(notebook: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Run the cells of a notebook (nbformat 4) in a folder, and return it with their outputs."""
    cells, number = [], 0
    namespace: dict[str, Any] = {"__name__": "__main__"}
    with contextlib.chdir(folder):
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                number += 1
                outputs = run_cell("".join(cell["source"]), namespace, number)
                cell = cell | {"execution_count": number, "outputs": outputs}
            cells.append(cell)
    return notebook | {"cells": cells}


def run_cell(source: str, namespace: dict[str, Any], number: int) -> list[dict[str, Any]]:
    """Run a cell; return what it prints and the value of its last line as outputs of a notebook."""
    tree = ast.parse(source)
    last: ast.expr | None = None
    value, printed = None, io.StringIO()
    match tree.body:
        case [*_, ast.Expr(value=last)]:
            tree.body.pop()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, f"cell {number}", "exec"), namespace)
        if last:
            value = eval(compile(ast.Expression(last), f"cell {number}", "eval"), namespace)
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        text = printed.getvalue().splitlines(keepends=True)
        outputs.append({"name": "stdout", "output_type": "stream", "text": text})
    if value is not None:
        data = {"text/plain": repr(value).splitlines(keepends=True)}
        if hasattr(value, "_repr_html_"):
            data = {"text/html": value._repr_html_().splitlines(keepends=True)} | data
        outputs.append(
            {
                "data": data,
                "execution_count": number,
                "metadata": {},
                "output_type": "execute_result",
            }
        )
    return outputs


if __name__ == "__main__":
    made = run_notebook(json.loads(PATH.read_text(encoding="utf-8")), PATH.parent)
    # As Jupyter writes it.
    PATH.write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
