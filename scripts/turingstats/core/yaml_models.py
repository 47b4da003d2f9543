"""What the YAML files of a run declare: reading, merging and checking it.

The models of these files are in `turingstats.config`; they refuse unknown keys.
"""

import re
import unicodedata
from collections.abc import Collection, Sequence
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

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


M = TypeVar("M", bound=Model)


def strip_presentation(part: M, keep: Collection[str] = (), name: str = "") -> M:
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


def strip_value(value: Any, keep: Collection[str], name: str = "") -> Any:
    """Apply `strip_presentation` to the models that a value holds."""
    if isinstance(value, Model):
        return strip_presentation(value, keep, name)
    if isinstance(value, dict):
        return {key: strip_value(entry, keep, key) for key, entry in value.items()}
    if isinstance(value, tuple):
        return tuple(strip_value(entry, keep) for entry in value)
    return value


def make_slug(name: str) -> str:
    """Make a name a part of an id: lower-case letters without accents, digits and underscores."""
    letters = unicodedata.normalize("NFKD", name.lower().replace("ß", "ss"))
    letters = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return re.sub(r"[^a-z0-9]+", "_", letters).strip("_")


SECRET = "secret"
"""Type of a fault whose value must not be shown."""


def make_list(value: Any) -> Sequence[Any]:
    """A list, or one value as a list of it."""
    return value if isinstance(value, list | tuple) else [value]


def require_known(name: str, known: Collection[str], where: str, what: str) -> str:
    """Return `name` if it is one of `known`; else say what would have been."""
    if name not in known:
        raise ValueError(
            f"{where}: unknown name {name!r}; {what} known: {', '.join(sorted(known))}"
        )
    return name


def build_model(model: type[M], values: Any, where: str) -> M:
    """Build `model` from `values`; turn the first faults into one friendly message.

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
        lines += [f"  {describe_fault(model, dict(fault))}" for fault in error.errors()]
        lines.append("Every key is described in docs/configuration.md.")
        raise ConfigError("\n".join(lines)) from None


def describe_fault(model: type[Model], fault: dict[str, Any]) -> str:
    """Say in a line which key is faulty, what is wrong, and what is allowed."""
    keys, _ = find_part(model, fault["loc"])
    key = ".".join(map(str, keys))
    if fault["type"] == "extra_forbidden":
        return f"{key}: unknown key; known here: {', '.join(list_known_keys(model, fault['loc'][:-1]))}"
    if fault["type"] == "missing":
        return f"{key}: this key is required, and not there"
    if fault["type"] in ("union_tag_invalid", "union_tag_not_found"):
        _, annotation = find_part(model, fault["loc"])
        name = fault["ctx"]["discriminator"].strip("'")
        known = ", ".join(tag for one in list_members(annotation) for tag in list_tags(one, name))
        key = ".".join(filter(None, [key, name]))
        if fault["type"] == "union_tag_not_found":
            return f"{key}: this key is required; known here: {known}"
        return f"{key}: unknown {name} {fault['ctx']['tag']!r}; known here: {known}"
    if fault["type"] in ("model_attributes_type", "model_type"):
        _, annotation = find_part(model, fault["loc"])
        tags = [tag for one in list_members(annotation) for tag in list_tags(one)]
        known = f"; known here: {', '.join(tags)}" if tags else ""
        return f"{key}: expected keys with values, found {fault['input']!r}{known}"
    hidden = isinstance(fault["input"], dict) or fault["type"] == SECRET
    found = "" if hidden else f" (found {fault['input']!r})"
    return f"{key or 'file'}: {fault['msg']}{found}"


DISCRIMINATORS = ("kind", "test", "shows")
"""Fields that tell which of several models describes a part."""


def list_known_keys(model: type[Model], location: Sequence[int | str]) -> list[str]:
    """Keys that `model` knows at a nested location."""
    _, part = find_part(model, location)
    return sorted(getattr(part, "model_fields", {})) or ["see docs/configuration.md"]


def find_part(model: Any, location: Sequence[int | str]) -> tuple[list[int | str], Any]:
    """Follow a location of pydantic into a model.

    Parameters
    ----------
    model : type of Model
    location : sequence
        Keys and numbers of entries; of parts that are one of several models, the kind, too.

    Returns
    -------
    keys : list
        The same as the file has it: without kinds.
    part : type or annotation
        What stands there; None where that cannot be told.
    """
    keys: list[int | str] = []
    for step in location:
        chosen = [one for one in list_members(model) if step in list_tags(one)]
        if len(list_members(model)) > 1 and chosen:
            model = chosen[0]
            continue
        keys.append(step)
        model = next(
            filter(None, (find_annotation(one, step) for one in list_members(model))), None
        )
    parts = list_members(model)
    return keys, parts[0] if len(parts) == 1 else model


def list_members(annotation: Any) -> list[Any]:
    """What an annotation may be: itself, or the members of a union but None."""
    if get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    if get_origin(annotation) in (Union, UnionType):
        parts = [one for one in get_args(annotation) if one is not type(None)]
        return [member for one in parts for member in list_members(one)]
    return [annotation]


def list_tags(model: Any, name: str | None = None) -> tuple[Any, ...]:
    """The values that tell a model from others of a union: those of one field, or of the usual ones."""
    fields = getattr(model, "model_fields", {})
    names = [one for one in ([name] if name else DISCRIMINATORS) if one in fields]
    return get_args(fields[names[0]].annotation) if names else ()


def find_annotation(annotation: Any, step: int | str) -> Any:
    """What stands at a key of a model or mapping or in a list; None where that cannot be told."""
    if get_origin(annotation) is dict:
        return get_args(annotation)[1]
    if get_origin(annotation) in (tuple, list):
        return get_args(annotation)[0]
    field = getattr(annotation, "model_fields", {}).get(step)
    return field.annotation if field else None


def read_yaml(path: str | Path) -> dict[str, Any]:
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


def read_parts(path: str | Path) -> dict[str, Any]:
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
        merged = merge_parts(merged, values, part)
    return merged


def merge_parts(one: Any, other: Any, where: str | Path) -> Any:
    """Merge two parts of a YAML tree; a plain value in both is an error."""
    if isinstance(one, dict) and isinstance(other, dict):
        shared = {
            key: merge_parts(one[key], other[key], where) for key in one.keys() & other.keys()
        }
        return {key: shared.get(key, {**one, **other}[key]) for key in {**one, **other}}
    if isinstance(one, list) and isinstance(other, list):
        return one + other
    if one == other:
        return one
    raise ConfigError(f"{where}: {other!r} was set to {one!r} in an earlier part")
