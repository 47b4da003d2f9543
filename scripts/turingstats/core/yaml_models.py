"""What the YAML files of a run declare: reading, merging and checking it.

The models of these files are in `turingstats.config`; they refuse unknown keys.
"""

import re
import unicodedata
from pathlib import Path
from typing import Annotated, Literal

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from turingstats.core.errors import ConfigError

READINGS = ("published", "recommended")
Reading = Literal["published", "recommended"]
JudgeKind = Literal["human", "svm", "llm", "detector"]


LABEL = "label"
"""Mark of a field that names or explains something in source data and tables."""
HEADING = "heading"
"""Mark of a field that only pages show, or that only says how a picture is laid out."""
Label = Annotated[str, LABEL]
Heading = Annotated[str, HEADING]


class Model(BaseModel):
    """A part of the configuration; unknown keys are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def strip_presentation(part, keep=(), name=""):
    """Remove from a study whatever only shows results and changes none of them.

    Jobs that compute get a study without presentation, so that an edited label or title does not rerun
    them.

    Parameters
    ----------
    part : Model
        A study, or a part of one.
    keep : collection of str
        Marks of fields to keep: `LABEL`, `HEADING`.
    name : str
        What the study file calls the part.

    Returns
    -------
    Model
        A copy. Of the marked fields, a required one holds the name of its part instead, any other its
        default.
    """
    changed = {}
    for key, field in type(part).model_fields.items():
        marks = [mark for mark in (LABEL, HEADING) if mark in field.metadata]
        if not marks:
            changed[key] = strip_value(getattr(part, key), keep)
        elif marks[0] not in keep:
            required = field.is_required()
            changed[key] = name if required else field.get_default(call_default_factory=True)
    return part.model_copy(update=changed)


def strip_value(value, keep, name=""):
    """Apply `strip_presentation` to the models that a value holds."""
    if isinstance(value, Model):
        return strip_presentation(value, keep, name)
    if isinstance(value, dict):
        return {key: strip_value(entry, keep, key) for key, entry in value.items()}
    if isinstance(value, tuple):
        return tuple(strip_value(entry, keep) for entry in value)
    return value


def slug(name):
    """Make a name a part of an id: lower-case letters without accents, digits and underscores."""
    letters = unicodedata.normalize("NFKD", name.lower().replace("ß", "ss"))
    letters = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return re.sub(r"[^a-z0-9]+", "_", letters).strip("_")


SECRET = "secret"
"""Type of a fault whose value must not be shown."""


def listed(value):
    """A list, or one value as a list of it."""
    return value if isinstance(value, list | tuple) else [value]


def require(name, known, where, what):
    """Return `name` if it is one of `known`; else say what would have been."""
    if name not in known:
        raise ValueError(
            f"{where}: unknown name {name!r}; {what} known: {', '.join(sorted(known))}"
        )
    return name


def check(model, values, where):
    """Build `model` from `values`; turn the first faults into one kind message.

    Parameters
    ----------
    model : type of Model
    values : dict
    where : str
        File or place that the values come from.

    Raises
    ------
    ConfigError
        Names each faulty key, what was found and, for an unknown key, the known ones.
    """
    try:
        return model.model_validate(values)
    except ValidationError as error:
        lines = [f"{where} is not valid:"]
        for fault in error.errors():
            key = ".".join(str(part) for part in fault["loc"])
            if fault["type"] == "extra_forbidden":
                known = ", ".join(known_keys(model, fault["loc"][:-1]))
                lines.append(f"  {key}: unknown key; known here: {known}")
            else:
                hidden = isinstance(fault["input"], dict) or fault["type"] == SECRET
                found = "" if hidden else f" (found {fault['input']!r})"
                lines.append(f"  {key or 'file'}: {fault['msg']}{found}")
        lines.append("Every key is described in docs/configuration.md.")
        raise ConfigError("\n".join(lines)) from None


def known_keys(model, location):
    """Keys that `model` knows at a nested location."""
    for part in location:
        field = getattr(model, "model_fields", {}).get(part)
        if field is None or not isinstance(field.annotation, type):
            return ["see docs/configuration.md"]
        model = field.annotation
    return sorted(getattr(model, "model_fields", {})) or ["see docs/configuration.md"]


def read_yaml(path):
    """Read a YAML file."""

    path = Path(path)
    if not path.exists():
        options = sorted(p.stem for p in path.parent.glob("*.yaml"))
        raise ConfigError(f"There is no {path}; known: {', '.join(options) or 'none'}")
    try:
        # The loader in C where there is one: study files are long, and read at every start.
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        return yaml.load(path.read_text(encoding="utf-8"), Loader=loader) or {}
    except yaml.YAMLError as error:
        raise ConfigError(f"{path} is not valid YAML: {error}") from None


def read_parts(path):
    """Read a YAML file and the files it names under `include`, merged into one.

    A study or its sources may be spread over one file a task: mappings are merged, lists joined. Of a
    part that belongs to another study, `{file: ..., only: [...]}` takes the named keys alone.
    """
    path = Path(path)
    merged = read_yaml(path)
    for entry in merged.pop("include", []):
        entry = entry if isinstance(entry, dict) else {"file": entry}
        part = path.parent / entry["file"]
        values = read_yaml(part)
        absent = [key for key in entry.get("only", ()) if key not in values]
        if absent:
            raise ConfigError(
                f"{path}: {part} has no {', '.join(absent)}; it has {', '.join(values)}"
            )
        values = {key: values[key] for key in entry.get("only", values)}
        merged = joined(merged, values, part)
    return merged


def joined(one, other, where):
    """Merge two parts of a YAML tree; a plain value in both is an error."""
    if isinstance(one, dict) and isinstance(other, dict):
        shared = {key: joined(one[key], other[key], where) for key in one.keys() & other.keys()}
        return {key: shared.get(key, {**one, **other}[key]) for key in {**one, **other}}
    if isinstance(one, list) and isinstance(other, list):
        return one + other
    if one == other:
        return one
    raise ConfigError(f"{where}: {other!r} was set to {one!r} in an earlier part")
