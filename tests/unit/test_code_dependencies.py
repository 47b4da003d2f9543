"""Files that a job depends on, from the import statements of a small library."""

import importlib.metadata
import re
from pathlib import Path

import jinja2
import pytest
from project import ROOT

from turingstats.core import templating
from turingstats.core.code_dependencies import (
    describe_code,
    digest_module,
    find_code,
    find_imports,
    find_version,
    find_versions,
    list_imports,
)
from turingstats.figures import forests, grid

# By file: what it holds.
LIBRARY = {
    "src/turingstats/__init__.py": "",
    "src/turingstats/errors.py": "import re\n",
    "src/turingstats/errors.yaml": "allowed: [human, machine]\n",
    "src/turingstats/counts.py": "from turingstats.errors import InputError\n",
    "src/turingstats/stats/__init__.py": "from turingstats import errors\n",
    "src/turingstats/stats/ranks.py": "import numpy as np\n",
    "src/turingstats/stats/means.py": "from turingstats.stats import ranks\nimport turingstats.counts\n",
    "src/turingstats/stats/every.py": "ALL = import_modules(__package__)\n",
    "src/turingstats/alone.py": "",
}
PACKAGE = {"src/turingstats/__init__.py"}
# What means.py imports, and so on.
FOLLOWED = (
    "__init__.py counts.py errors.py errors.yaml stats/__init__.py stats/means.py stats/ranks.py"
).split()


@pytest.fixture
def imports(tmp_path):
    """A function: the library's files that a script with this text imports."""
    folder = tmp_path
    for name, text in LIBRARY.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def imports_of(text, find=find_imports):
        script = folder / "job.py"
        script.write_text(text)
        for cached in (list_imports, find_imports, find_code):
            cached.cache_clear()
        found = find(script, folder) if find is find_imports else find(("job.py",), folder)
        return {str(path.relative_to(folder)) for path in found}

    return imports_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import turingstats.counts", {"counts.py"}),
        ("from turingstats import counts, errors", {"counts.py", "errors.py"}),
        ("from turingstats import (\n    counts,\n    errors as e,\n)", {"counts.py", "errors.py"}),
        ("from turingstats.counts import count", {"counts.py"}),
        ("from turingstats.stats import ranks", {"stats/__init__.py", "stats/ranks.py"}),
        ("import turingstats.stats.ranks", {"stats/__init__.py", "stats/ranks.py"}),
        ("def late():\n    from turingstats import counts\n", {"counts.py"}),
    ],
)
def test_every_way_to_import_is_understood(imports, text, expected):
    assert imports(text) == {f"src/turingstats/{name}" for name in expected} | PACKAGE


def test_imports_of_imports_and_of_whole_folders_are_followed(imports):
    found = imports("from turingstats.stats import means\n", find_code)
    assert found == {"job.py", *(f"src/turingstats/{name}" for name in FOLLOWED)}
    found = imports("from turingstats.stats import every\n", find_code)
    assert found == {"job.py", "src/turingstats/stats/every.py"} | {
        f"src/turingstats/{name}" for name in FOLLOWED
    }


def test_a_figure_is_of_concern_to_its_own_drawing():
    one, other = (find_code((own.__file__,), ROOT) for own in (forests, grid))
    assert Path(forests.__file__) in one and Path(forests.__file__) not in other
    # Pictures of panels are laid out by it.
    path = Path(grid.__file__).resolve()
    assert path in other and path not in one
    assert find_code(("figures.forests:draw_models",), ROOT) == one


def test_a_job_depends_on_the_versions_of_the_packages_that_it_uses(monkeypatch):
    """Jobs that draw depend on matplotlib, those that compute on scipy, and nothing on what is not used."""
    drawing, computing, training = (
        find_versions((name,), ROOT)
        for name in (
            "figures.forests:draw_models",
            "analysis.agreement:measure_agreement",
            "judges.svm.training:train_cohort",
        )
    )
    assert drawing["matplotlib"] == importlib.metadata.version("matplotlib")
    assert "matplotlib" not in computing and "scipy" in computing and "scipy" not in drawing
    assert {"scikit-learn", "numpy"} <= training.keys()
    for name in ("os", "turingstats", "snakemake"):
        assert name not in computing
    monkeypatch.setattr(importlib.metadata, "version", lambda name: f"another {name}")
    find_version.cache_clear()
    assert find_versions(("figures.grid:draw_panels",), ROOT)["numpy"] == "another numpy"
    find_version.cache_clear()


def test_a_light_job_imports_no_heavy_library():
    imported = find_versions(("scripts/make_results.py",), ROOT)
    assert "pandas" in imported
    assert not {"matplotlib", "scipy", "scikit-learn", "statsmodels"} & imported.keys()


def test_every_job_depends_on_the_code_of_its_script():
    for path in ROOT.glob("workflow/rules/*.smk"):
        rules = path.read_text()
        scripts = re.findall(r'"../../(scripts/.*)"', rules)
        named = [name.replace("JOB", "scripts/make_results.py").strip('"')
                 for name in re.findall(r"\bcode=code\(([^,)]*)", rules)]  # fmt: skip
        assert scripts == named, path.name


def test_an_edit_of_any_module_that_a_script_imports_changes_its_description(imports, tmp_path):
    imports("from turingstats.stats import means\n", find_code)
    before = describe_code(("job.py",), tmp_path)
    files = {"errors.py": True, "errors.yaml": True, "alone.py": False, "stats/ranks.py": True}
    for name, is_imported in files.items():
        path = tmp_path / "src/turingstats" / name
        kept = path.read_text()
        path.write_text(f"{kept}# another remark\n")
        digest_module.cache_clear()
        assert (describe_code(("job.py",), tmp_path) != before) == is_imported, name
        path.write_text(kept)
    digest_module.cache_clear()
    assert describe_code(("job.py",), tmp_path) == before


def test_a_compiled_template_is_compiled_anew_by_other_code(monkeypatch, tmp_path):
    """Filters of constants are called when a template is compiled."""

    def render(word):
        environment = jinja2.Environment(
            loader=jinja2.DictLoader({"page": "{{ 1|named }}"}),
            bytecode_cache=templating.CompiledPages(str(tmp_path), "%s"),
        )
        environment.filters["named"] = lambda value: word
        return environment.get_template("page").render()

    assert [render("one"), render("two")] == ["one", "one"]
    monkeypatch.setattr(templating, "describe_code", lambda *of: {"code": "other"})
    assert render("two") == "two"
