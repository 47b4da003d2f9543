"""A study without presentation: what jobs that compute are given."""

from pathlib import Path

import pytest

from turingstats.config import defaults, settings
from turingstats.config.subset import load_study
from turingstats.core.yaml_models import HEADING, LABEL, Model, strip_presentation

STUDIES = sorted((Path(settings.__file__).parents[3] / "config/studies").glob("*.yaml"))


def marked(part, mark, place=()):
    """Values of the fields with a mark, by their place in a study."""
    found = {}
    if isinstance(part, Model):
        for key, field in type(part).model_fields.items():
            value, here = getattr(part, key), (*place, key)
            if mark in field.metadata:
                found[here] = value
            else:
                found |= marked(value, mark, here)
    elif isinstance(part, dict | tuple):
        pairs = part.items() if isinstance(part, dict) else enumerate(part)
        for key, value in pairs:
            found |= marked(value, mark, (*place, key))
    return found


@pytest.fixture(scope="module", params=STUDIES, ids=lambda path: path.stem)
def study(request):
    loaded = load_study(request.param)
    return defaults.fill_defaults(loaded) if loaded.design == "verdicts" else loaded


def test_nothing_else_changes(study):
    stripped, whole = strip_presentation(study), study.model_dump(mode="json")
    left = stripped.model_dump(mode="json")
    presented = {"/".join(map(str, place)) for m in (LABEL, HEADING) for place in marked(study, m)}

    def differing(one, other, place=()):
        if isinstance(one, dict):
            assert one.keys() == other.keys()
            for key in one:
                yield from differing(one[key], other[key], (*place, key))
        elif isinstance(one, list) and len(one) == len(other):
            for n, (a, b) in enumerate(zip(one, other, strict=True)):
                yield from differing(a, b, (*place, n))
        elif one != other:
            yield "/".join(map(str, place))

    changed = set(differing(whole, left))
    assert changed
    assert all(any(c == p or c.startswith(f"{p}/") for p in presented) for c in changed)


def test_a_stripped_study_is_valid(study):
    stripped = strip_presentation(study)
    assert type(study)(**stripped.model_dump(mode="json")) == stripped
