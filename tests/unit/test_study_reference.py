"""The reference of study files, and the schemas that editors check them with."""

import json

import jsonschema
import pytest
from project import ROOT

from tools import study_reference
from turingstats.config.load import load_study
from turingstats.core.yaml_models import read_parts

STUDIES = sorted((ROOT / "config/studies").glob("*.yaml"))


def list_faults(kind, values):
    """Faults that a schema finds in the content of a file."""
    schema = json.loads(study_reference.WRITTEN[f"workflow/schemas/{kind}.schema.json"]())
    # As YAML of an editor: without the types of Python.
    content = json.loads(json.dumps(values))
    return [
        f"{'.'.join(map(str, fault.absolute_path))}: {fault.message}"
        for fault in jsonschema.Draft202012Validator(schema).iter_errors(content)
    ]


def test_the_reference_follows_from_the_models():
    reference = (ROOT / "docs/study_file.md").read_text()
    assert reference == study_reference.write_reference(), "make docs"


@pytest.mark.parametrize("path", STUDIES, ids=lambda path: path.stem)
def test_schemas_accept_the_studies_of_the_project(path):
    kind = "ratings" if load_study(path).design == "ratings" else "study"
    assert list_faults(kind, read_parts(path)) == []
    assert list_faults("sources", read_parts(ROOT / f"data/sources/{path.name}")) == []


def test_schema_names_the_key_at_fault():
    values = read_parts(ROOT / "config/studies/jones2024.yaml")
    next(iter(values["tasks"].values()))["cohots"] = {}
    assert any("cohots" in fault for fault in list_faults("study", values))


def test_every_key_says_what_it_means():
    lines = (ROOT / "docs/study_file.md").read_text().splitlines()
    silent = [line for line in lines if line.startswith("| `") and line.endswith("|  |")]
    assert silent == []
