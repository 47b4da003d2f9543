"""Read, merge and check the YAML files of a run.

The models of these files are in `turingstats.config`; they reject unknown keys. PyYAML with its C loader and
a check for repeated keys, not ruamel.yaml, which has that check: it takes 0.9 s for the bundled studies and
sources in place of 0.1 s, at every start.
"""

import datetime
import functools
import math
import re
import unicodedata
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, Self, TypeVar

import yaml
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    ValidationError,
    model_validator,
)
from pydantic.fields import FieldInfo
from pydantic_core import PydanticCustomError

from turingstats.core.errors import ConfigError

Reading = Literal["published", "recommended"]
READINGS: tuple[Reading, ...] = ("published", "recommended")
JudgeKind = Literal["human", "svm", "llm", "detector"]


LABEL = "label"
"""Mark of a field that names or explains something in source data and tables."""
HEADING = "heading"
"""Mark of a field that appears only on pages, or only describes the layout of a picture."""
Label = Annotated[str, LABEL]
Heading = Annotated[str, HEADING]


UNKNOWN = "unknown_key"
"""Type of a fault of a key that no model has."""


class Model(BaseModel):
    """A part of the configuration; unknown keys are rejected."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, defer_build=True)

    @model_validator(mode="before")
    @classmethod
    def refuse_unknown_keys(cls, values: Any) -> Any:
        """Refuse the first unknown key, and name the known ones."""
        for key in values if isinstance(values, dict) else ():
            if key not in cls.model_fields:
                known = ", ".join(sorted(cls.model_fields))
                raise PydanticCustomError(UNKNOWN, "unknown key", {"key": key, "known": known})
        return values

    def list_faults(self) -> Iterator[str]:
        """List what is wrong with keys that do not fit together; what follows one relies on its absence."""
        yield from ()

    @model_validator(mode="after")
    def refuse_faults(self) -> Self:
        """Refuse the first fault."""
        for fault in self.list_faults():
            raise ValueError(fault)
        return self


M = TypeVar("M", bound=Model)


def strip_presentation(part: M, keep: Collection[str] = (), name: str = "") -> M:
    """Remove from a study, or a part of one, whatever affects only how results are presented.

    Computing jobs get a study without presentation, so that editing a label or title does not rerun them.
    Fields with a mark to `keep` (`LABEL`, `HEADING`) stay; another marked field that is required holds
    the name of its part instead, any other its default.
    """
    changed = {}
    for key, field, mark in list_fields(type(part)):
        if not mark:
            changed[key] = strip_value(getattr(part, key), keep)
        elif mark not in keep:
            required = field.is_required()
            changed[key] = name if required else field.get_default(call_default_factory=True)
    return part.model_copy(update=changed)


@functools.cache
def list_fields(model: type[Model]) -> list[tuple[str, FieldInfo, str]]:
    """List the fields of a model with their marks; those without one have an empty mark."""
    return [
        (key, field, next((mark for mark in (LABEL, HEADING) if mark in field.metadata), ""))
        for key, field in model.model_fields.items()
    ]


def strip_value(value: Any, keep: Collection[str], name: str = "") -> Any:
    """Apply `strip_presentation` to all models in a value."""
    if isinstance(value, Model):
        return strip_presentation(value, keep, name)
    if isinstance(value, dict):
        return {key: strip_value(entry, keep, key) for key, entry in value.items()}
    if isinstance(value, tuple):
        return tuple(strip_value(entry, keep) for entry in value)
    return value


def make_slug(name: str) -> str:
    """Convert a name to part of an id: lowercase letters without accents, digits and underscores."""
    letters = unicodedata.normalize("NFKD", name.lower().replace("ß", "ss"))
    letters = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return re.sub(r"[^a-z0-9]+", "_", letters).strip("_")


UNQUOTED = (bool, int, float, datetime.date, type(None))
"""What YAML makes of words such as no, 2024 and null."""
SECRET = "secret"
"""Type of a fault whose value must not be printed."""


def make_list(value: Any) -> Sequence[Any]:
    """Return a list as it is, or a single value as a list."""
    return value if isinstance(value, list | tuple) else [value]


def list_items(part: Any) -> list[tuple[Any, Any]]:
    """List the keys and values of a part; none if it has no keys."""
    return list(part.items()) if isinstance(part, dict) else []


def write_cell(value: Any) -> Any:
    """Write a number of a YAML file as text in a table; refuse YAML booleans, whose text is lost."""
    if isinstance(value, bool):
        raise ValueError("put yes, no, true and false in quotes: YAML reads them otherwise")
    return str(value) if isinstance(value, int | float) else value


Cells = Annotated[
    tuple[Annotated[str, BeforeValidator(write_cell)], ...], BeforeValidator(make_list)
]
"""Texts in a table, of which a single one need not be a list and numbers need no quotes."""
Meanings = dict[
    Annotated[str, BeforeValidator(write_cell)], Annotated[str | None, BeforeValidator(write_cell)]
]
"""What texts in a table mean; null leaves rows out."""


def list_unknown(
    names: Iterable[str], known: Collection[str], where: str, what: str
) -> Iterator[str]:
    """List what is wrong with names that are none of the `known` ones."""
    for name in names:
        if name not in known:
            listed = ", ".join(sorted(known))
            yield f"{where}: unknown name {name!r}; {what} known: {listed}"


KEY = re.compile(
    r"(?<![\w-])(sk|pk|rk)-[\w-]{8,}|(?<!\w)(gsk|hf|ghp|gho|glpat|xai)[_-]\w{16,}|(?<!\w)github_pat_\w{16,}"
    r"|(?<!\w)AKIA[0-9A-Z]{12,}|(?<!\w)AIza[\w-]{30,}|(?<!\w)xox[abp]-[\w-]{10,}"
    r"|(?i:(?<!\w)bearer)\s+(?=\S*\d)\S{8,}|-----BEGIN [A-Z ]*PRIVATE KEY|://[^/\s:@]+:[^/\s@]+@"
)
"""Keys of well-known providers, tokens after Bearer, and passwords in addresses."""
SECRET_NAME = re.compile(
    r"(.*[_-])?(api[_-]?key|access[_-]?key|secret[_-]?key|private[_-]?key|password|passwd|authorization"
    r"|access[_-]?token|auth[_-]?token)",
    re.IGNORECASE,
)


def find_secret(values: Any, place: tuple[str, ...] = ()) -> tuple[str, ...] | None:
    """Find the first text that looks like a key or password, which results would repeat, and return the keys
    to it, except one that is secret.
    """
    pairs = enumerate(values) if isinstance(values, list | tuple) else list_items(values)
    for name, part in pairs:
        if KEY.search(str(name)):
            return (*place, "(a key)")
        here = (*place, str(name))
        if isinstance(part, str) and (
            KEY.search(part) or (part and SECRET_NAME.fullmatch(here[-1]))
        ):
            return here
        if place_of_secret := find_secret(part, here):
            return place_of_secret
    return None


def build_model(model: type[M], values: Any, where: str) -> M:
    """Build `model` from `values` of the file or section `where`; all that is invalid is one error."""
    secret = find_secret(values)
    try:
        built = model.model_validate(values)
    except ValidationError as error:
        faults = [dict(fault) for fault in error.errors()]
        if secret:
            # Other messages show the value that was found.
            faults = [fault for fault in faults if fault["type"] == SECRET]
        lines = [f"{where} is not valid:", *(f"  {describe_fault(values, one)}" for one in faults)]
        page = "config/config.yaml" if where == "the configuration" else "docs/study_file.md"
        lines.append(f"  fix:     every key is described in {page}")
        if faults:
            raise ConfigError("\n".join(lines)) from None
    if secret:
        raise ConfigError(
            f"{where}: {'.'.join(secret)} looks like a secret, which would be written to files\n"
            "  fix:     remove it; a key of an endpoint belongs in the environment variable that "
            "key_variable names"
        )
    return built


def describe_fault(values: Any, fault: dict[str, Any]) -> str:
    """Describe in one line which key is invalid, what is wrong, and what is allowed."""
    key, kind, value = locate_key(values, fault), fault["type"], fault["input"]
    context = fault.get("ctx", {})
    if kind == UNKNOWN:
        place = key.removeprefix("file") and f"{key}."
        return f"{place}{context['key']}: unknown key; known here: {context['known']}"
    if kind == "missing":
        return f"{key}: this key is required, but missing"
    if kind.startswith("union_tag"):
        name = context["discriminator"].strip("'")
        if kind == "union_tag_not_found":
            return f"{key}.{name}: this key is required, since it says what the others mean"
        known = context["expected_tags"].replace("'", "")
        return f"{key}.{name}: unknown {name} {context['tag']!r}; known here: {known}"
    if kind in ("model_attributes_type", "model_type"):
        return f"{key}: expected keys with values, found {value!r}"
    if kind == "string_type" and isinstance(value, UNQUOTED):
        return f"{key}: YAML reads this as {value}: put it in quotes if it is a name or text"
    value_found = "" if isinstance(value, dict) or kind == SECRET else f" (found {value!r})"
    return f"{key}: {fault['msg']}{value_found}"


def locate_key(values: Any, fault: dict[str, Any]) -> str:
    """Return where a fault is in a file; pydantic also names the model that describes a part."""
    keys, part = [], values
    for step in fault["loc"]:
        if (isinstance(part, dict) and step in part) or (
            isinstance(part, list | tuple) and isinstance(step, int)
        ):
            part = part[step]
        elif fault["type"] != "missing" or step != fault["loc"][-1]:
            continue
        keys.append(str(step))
    return ".".join(keys) or "file"


FAST_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


MAXIMUM_VALUES = 1_000_000
"""Values that a file may hold, with those that aliases repeat."""


class StrictLoader(FAST_LOADER):
    """A loader that refuses repeated keys, of which YAML would use the last."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        """Make a dict, unless a key is repeated."""
        lines: dict[Any, int] = {}
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode) and key.value in lines:
                raise yaml.MarkedYAMLError(
                    problem=f"the key {key.value} occurs twice, first in line {lines[key.value]}",
                    problem_mark=key.start_mark,
                )
            lines[key.value if isinstance(key, yaml.ScalarNode) else id(key)] = (
                key.start_mark.line + 1
            )
        made: dict[Hashable, Any] = super().construct_mapping(node, deep)
        return made


def read_mapping(path: Path | str) -> dict[str, Any]:
    """Read the keys and values of a YAML file; an empty file has none."""
    path = Path(path)
    try:
        values = yaml.load(path.read_bytes().decode("utf-8-sig"), Loader=StrictLoader)
    except FileNotFoundError:
        options = sorted(file.stem for file in path.parent.glob("*.yaml"))
        raise ConfigError(f"There is no {path}; known: {', '.join(options) or 'none'}") from None
    except OSError as error:
        raise make_error(path, f"cannot be read ({error.strerror})", "replace the file") from None
    except UnicodeDecodeError as error:
        raise make_error(path, f"not UTF-8 text (byte {error.start})", "save it in UTF-8") from None
    except yaml.YAMLError as error:
        mark, problem = getattr(error, "problem_mark", None), getattr(error, "problem", None)
        where = f", line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        problem = problem or "characters that YAML does not allow"
        if "cannot start any token" in problem:
            problem = "a tab, or another character that cannot start a value"
        problem = f"not valid YAML: {problem}"
        raise make_error(f"{path}{where}", problem, "correct the line") from None
    except ValueError as error:
        problem = f"a value that YAML cannot read ({error})"
        raise make_error(path, problem, "put it in quotes") from None
    if not isinstance(values, dict | None):
        raise make_error(path, "there are no keys at the top", "write keys with values")
    refuse_repetition(path, values)
    return values or {}


def refuse_repetition(path: Path, values: Any) -> None:
    """Refuse a file whose aliases, such as *a, lead back to themselves or repeat parts without bound."""
    sizes: dict[int, float] = {}

    def count_values(part: Any) -> float:
        """Count the values in a part; infinite if it is within itself."""
        if not isinstance(part, dict | list):
            return 1
        if id(part) not in sizes:
            sizes[id(part)] = math.inf
            values = part.values() if isinstance(part, dict) else part
            sizes[id(part)] = 1 + sum(map(count_values, values))
        return sizes[id(part)]

    if count_values(values) > MAXIMUM_VALUES:
        problem = (
            f"its aliases (*) stand for more than {MAXIMUM_VALUES:,} values, or for themselves"
        )
        raise make_error(path, problem, "write the values out")


def make_error(where: Path | str, problem: str, fix: str) -> ConfigError:
    """Make the error for a file that cannot be used."""
    return ConfigError(f"{where}: {problem}", fix=fix)


def is_outside(path: str) -> bool:
    """Tell whether a relative path may lead out of its folder."""
    return Path(path).is_absolute() or ".." in Path(path).parts or "\0" in path


def check_inside(path: str) -> str:
    """Return the path of a file if it is below its folder; otherwise raise an error."""
    if is_outside(path):
        raise ValueError("a file below its folder, without .. or a folder of its own at the start")
    return path


InsidePath = Annotated[str, AfterValidator(check_inside)]


def check_commit(commit: str) -> str:
    """Refuse what names no commit, such as an option of git."""
    if not re.fullmatch("[0-9a-f]{40}|any", commit):
        raise ValueError("a commit is its full hash, 40 digits from 0 to f, or any")
    return commit


Commit = Annotated[str, AfterValidator(check_commit)]


class IncludedFile(Model):
    """A part of a study or its sources: all its keys, or only some."""

    file: InsidePath
    only: tuple[str, ...] | None = None


class Included(Model):
    """The parts of a study or its sources, in folders beside the file."""

    include: tuple[IncludedFile, ...]


def read_parts(path: Path | str) -> dict[str, Any]:
    """Read a YAML file and merge the files it names under `include`.

    A study or its sources may be split into one file per task: mappings are merged, lists joined. From a
    part that belongs to another study, `{file: ..., only: [...]}` takes only the named keys.
    """
    path = Path(path)
    merged = read_mapping(path)
    include = merged.pop("include", [])
    if isinstance(include, list):
        include = [{"file": entry} if isinstance(entry, str) else entry for entry in include]
    for entry in build_model(Included, {"include": include}, str(path)).include:
        part, only = path.parent / entry.file, entry.only
        if part.resolve() == path.resolve():
            raise ConfigError(f"{path}: include: a file cannot be a part of itself")
        values = read_mapping(part)
        if "include" in values:
            problem = f"{part}: a part cannot include others"
            raise ConfigError(problem, fix=f"list them all in {path}")
        absent = [key for key in only or () if key not in values]
        if absent:
            problem = f"{path}: {part} has no {', '.join(map(str, absent))}"
            raise ConfigError(f"{problem}; it has {', '.join(map(str, values))}")
        values = {key: values[key] for key in (values if only is None else only)}
        merged = merge_parts(merged, values, part)
    return merged


def merge_parts(one: Any, other: Any, where: Path | str) -> Any:
    """Merge two parts of a YAML tree; different plain values for the same key are an error."""
    if isinstance(one, dict) and isinstance(other, dict):
        shared = [key for key in other if key in one]
        return one | other | {key: merge_parts(one[key], other[key], where) for key in shared}
    if isinstance(one, list) and isinstance(other, list):
        return one + other
    if one == other:
        return one
    problem = f"{where}: {other!r} was set to {one!r} in an earlier part"
    raise ConfigError(problem, fix="keep one of the two")
