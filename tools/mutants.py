"""Break the code in one place at a time, and see whether a quick test fails.

    PYTHONPATH=src python -m tools.mutants --number 200 --seed 1 stats rankings/analysis.py

A mutant differs from the code in one expression: a comparison or a sign is turned, a number is one larger,
a filter is left out, two arguments change places. What cannot matter is not broken: arguments that only stop
a mistake or end a search, numbers that only limit (of steps that are not counted, or more than 100, where one
more is as good), and the order of arguments that are the same or that a function treats alike. A sample of
the mutants of some modules is drawn. In a copy of the last commit, in results/mutants/, all quick tests run
once to see which lines each reaches; a mutant then meets the tests that reach its lines until one fails. All
go to results/mutants.csv, with their killers.
"""

import argparse
import ast
import os
import random
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
from coverage import CoverageData

from tools import ROOT

PARTS = "stats analysis rankings ratings planning data/cleaning.py figures/picking.py".split()
QUICK = ["-m", "not (workflow or browser or slow)", "-n", "0", "-rfE"]
PAIRS = "Lt GtE, Gt LtE, Eq NotEq, In NotIn, Is IsNot, And Or, Add Sub, Mult Div, BitAnd BitOr"
TURNED: dict[type, Any] = {
    getattr(ast, a): getattr(ast, b)
    for pair in map(str.split, PAIRS.split(", "))
    for a, b in (pair, pair[::-1])
}
"""Operators and what they are turned to."""
SYMMETRIC = "((max|min)(imum)?|hypot|add|correlate|kendalltau|(number|select)_pairs)$"
INERT = "(strict|frozen|repr|check_finite|overwrite_a|options|xtol)$|guess_"
"""Keywords that stop a mistake, say how an object is printed, or begin and end a search; functions that guess
where one begins."""
FILTERS = {"isin", "notna", "isna", "duplicated", "isfinite", "isnan"}


class Mutant(NamedTuple):
    """An expression of a file and what takes its place, with the bytes that it replaces."""

    path: str
    line: int
    last: int
    was: str
    becomes: str
    start: int
    end: int


def change(node: ast.AST) -> ast.AST | None:
    """Change an expression; None if nothing is changed in it."""
    match node:
        case ast.Compare(ops=[op]) if type(op) in TURNED:
            return ast.Compare(node.left, [TURNED[type(op)]()], node.comparators)
        case ast.BoolOp() if type(node.op) in TURNED:
            return ast.BoolOp(TURNED[type(node.op)](), node.values)
        case ast.BinOp() if type(node.op) in TURNED:
            return ast.BinOp(node.left, TURNED[type(node.op)](), node.right)
        case ast.UnaryOp():
            return node.operand
        case ast.Constant(value=bool()):
            return ast.Constant(not node.value)
        case ast.Constant(value=int() | float() as number) if number <= 100:
            return ast.Constant(number + 1)
        case ast.IfExp():
            return ast.IfExp(node.test, node.orelse, node.body)
        case ast.Subscript() if is_filter(node.slice):
            return node.value
        case ast.Call(args=[one, other, *rest]) if is_ordered(node, one, other):
            return ast.Call(node.func, [other, one, *rest], node.keywords)
    return None


def is_ordered(call: ast.Call, one: ast.expr, other: ast.expr) -> bool:
    """Tell whether the first two arguments of a call can change places, and the order matters."""
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    return not re.match(SYMMETRIC, name) and ast.dump(one) != ast.dump(other)


def is_filter(index: ast.AST) -> bool:
    """Tell whether an index says which rows are kept."""
    if isinstance(index, ast.BinOp | ast.UnaryOp):
        return isinstance(index.op, ast.BitAnd | ast.BitOr | ast.Invert)
    is_question = isinstance(index, ast.Call) and getattr(index.func, "attr", "") in FILTERS
    return is_question or isinstance(index, ast.Compare)


def walk(node: ast.AST) -> Iterator[ast.AST]:
    """Visit the expressions of a module, without types, what an error says and what cannot matter."""
    skipped = {"annotation", "returns"}
    match node:
        case ast.For(target=ast.Name(id="_")):
            skipped.add("iter")
        # A negative number only loses its sign: as a free size, another one is the same.
        case ast.Raise() | ast.JoinedStr() | ast.UnaryOp(operand=ast.Constant()):
            return
        case ast.keyword(arg=name) | ast.FunctionDef(name=name) if re.match(INERT, name or ""):
            return
    for name, field in ast.iter_fields(node):
        for child in field if isinstance(field, list) else [field]:
            if isinstance(child, ast.AST) and name not in skipped:
                yield child
                yield from walk(child)


def list_mutants(path: Path) -> Iterator[Mutant]:
    """List the mutants of a file."""
    text = path.read_bytes()
    lines = [0, *(place + 1 for place, byte in enumerate(text) if byte == ord("\n"))]
    for node in walk(ast.parse(text)):
        if isinstance(node, ast.expr) and (changed := change(node)):
            start = lines[node.lineno - 1] + node.col_offset
            end = lines[node.end_lineno - 1] + node.end_col_offset
            texts = text[start:end].decode(), f"({ast.unparse(changed)})"
            yield Mutant(str(path), node.lineno, node.end_lineno, *texts, start, end)


def run_tests(*arguments: str, timeout: int | None = 1200) -> list[str]:
    """Run pytest in the copy; list the tests that failed, also by no end within so many seconds."""
    command = [sys.executable, "-m", "pytest", *QUICK, *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        return ["no end"]
    found = re.findall(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", done.stdout, re.MULTILINE)
    # 5: all were deselected.
    return found or [done.stdout[-200:] + done.stderr[-200:]] * (done.returncode not in (0, 5))


def measure_reach() -> dict[str, dict[int, set[str]]]:
    """Measure which tests reach each line of each file, or files of tests whose fixtures do."""
    if not Path("failing.txt").exists():
        measure = "--cov=src/turingstats", "--cov-context=test", "--cov-report="
        failing = run_tests(*measure, timeout=None)
        Path("failing.txt").write_text("\n".join(failing))
    data = CoverageData()
    data.read()
    if not data.measured_contexts():
        sys.exit("no coverage: see failing.txt, and delete the copy before the next try")
    reach: dict[str, dict[int, set[str]]] = {}
    for file in data.measured_files():
        lines = reach.setdefault(os.path.relpath(file), {})
        for line, contexts in data.contexts_by_lineno(file).items():
            # What a fixture makes may be for all tests of a file.
            lines[line] = {re.sub(r"::.*\|setup$|\|\w+$", "", test) for test in contexts if test}
    return reach


def meet_tests(mutant: Mutant, lines: dict[int, set[str]], sizes: Counter[str]) -> dict[str, Any]:
    """Put a mutant into its file, and say which test kills it, if one does."""
    path = Path(mutant.path)
    tests = set().union(*(lines.get(n, ()) for n in range(mutant.line, mutant.last + 1)))
    # What runs while a module is imported is in no test.
    tests = tests or set().union(*lines.values())
    # Most mutants need only the first tests: those that name their module and reach few lines beside it.
    names = {test: path.stem in Path(test.partition("::")[0]).read_text() for test in tests}
    ordered = sorted(tests, key=lambda test: (not names[test], sizes[test], test))
    text = path.read_bytes()
    path.write_bytes(text[: mutant.start] + mutant.becomes.encode() + text[mutant.end :])
    # Without those that fail already.
    failing = [f"--deselect={test}" for test in Path("failing.txt").read_text().splitlines()]
    found = (run_tests("-x", *part, *failing) for part in (ordered[:20], ordered[20:]) if part)
    killers = next(filter(None, found), [])
    path.write_bytes(text)
    return mutant._asdict() | {"tests": len(tests), "lives": not killers, "killer": killers[:1]}


def main() -> None:
    """Draw mutants, and list which of them live."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--number", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("parts", nargs="*", default=PARTS, help="in src/turingstats")
    asked = parser.parse_args()
    commit = subprocess.check_output(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, text=True)
    copy = ROOT / "results/mutants" / commit.strip()
    if not copy.exists():
        subprocess.run(["git", "clone", "--quiet", ROOT, copy], check=True)
        (copy / ".venv").symlink_to((ROOT / ".venv").resolve())
    os.chdir(copy)
    os.environ["PYTHONPATH"] = "src:.:tests"
    # Checked by content: a file of the same second and size may be a mutant.
    compile_all = [sys.executable, "-m", "compileall", "-q", "--invalidation-mode", "checked-hash"]
    subprocess.run([*compile_all, "src"], check=True)
    reach = measure_reach()
    sizes = Counter(test for lines in reach.values() for tests in lines.values() for test in tests)
    paths = [Path("src/turingstats", part) for part in asked.parts]
    parts = ([path] if path.suffix else path.rglob("*.py") for path in paths)
    mutants = [mutant for file in sorted(chain(*parts)) for mutant in list_mutants(file)]
    rows = []
    for mutant in random.Random(asked.seed).sample(mutants, min(asked.number, len(mutants))):
        rows.append(meet_tests(mutant, reach.get(mutant.path, {}), sizes))
        print(rows[-1] if rows[-1]["lives"] else ".", flush=True)
        pd.DataFrame(rows).to_csv(ROOT / "results/mutants.csv", index=False)
    print(f"{sum(row['lives'] for row in rows)} of {len(rows)} live (of {len(mutants)} in all)")


if __name__ == "__main__":
    main()
