"""The gate for raw records: every record of a raw file passes its model before a reader touches it.

A reader declares what its records are as models (`Record`). Types are strict: "false" is not false, 4.0 and
"4" are not 4, true is not 1, and no text is a number unless its field says so. The first value that a model
does not allow is an `InputError` that names file, record and key.

Keys that are not in the model are errors, since a misspelled key would otherwise be lost without a word. The
exceptions are `IDENTIFIERS`, which are dropped wherever they occur, and records whose model says
``extra="ignore"``: those of which the public files hold more keys than are documented. A model of that kind
requires all keys that are read, so that a misspelled one is missed.
"""

import re
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PlainValidator, ValidationError
from pydantic_core import PydanticCustomError

from turingstats.core.errors import InputError

FIX = "restore the record from its source"
EXTEND = "correct the record, or extend the vocabulary if the value is legitimate"
IDENTIFIERS = frozenset(
    "assignmentid assignmentId browser hitid hitId ipaddress language platform useragent uniqueid "
    "uniqueId workerid workerId".split()
)
"""Keys that identify people or machines; they are dropped wherever they occur."""
PRIVATE = IDENTIFIERS | {"workerID", "person"}
"""Keys whose values never appear in a message."""
CONTROL = r"\x00-\x08\x0B\x0C\x0E-\x1F\x7F"
LONGEST = 20_000
DAY_MS = 24 * 60 * 60 * 1000


class Record(BaseModel):
    """What a record of a raw file may hold."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, allow_inf_nan=False)


AnyRecord = TypeVar("AnyRecord", bound=Record)


class OpenRecord(Record):
    """A record whose other keys are ignored; all keys that are read are required."""

    model_config = ConfigDict(extra="ignore")


# --- fields --------------------------------------------------------------------------------------


def check_plain(value: Any) -> Any:
    """Check a value that is never read: it is no object or list."""
    if isinstance(value, dict | list):
        raise PydanticCustomError("plain", "not a plain value")
    return value


Unread = Annotated[Any, PlainValidator(check_plain)]
"""A key that is known to occur and is never read."""
Text = Annotated[str, Field(max_length=LONGEST, pattern=f"^[^{CONTROL}]*$")]
Filled = Annotated[
    str, Field(max_length=LONGEST, pattern=rf"^[^{CONTROL}]*[^\s{CONTROL}][^{CONTROL}]*$")
]
"""A text that is not blank."""
Worker = Annotated[str, Field(max_length=200, pattern="^[!-~]+$")]
"""Id of a person: printable, without spaces, so that one person has one id."""
Position = Annotated[int, Field(ge=1, le=1000)]
"""Place of a trial in a session."""
Milliseconds = Annotated[int, Field(ge=0, le=DAY_MS)]
"""Time to a verdict. The longest in the public files is 2 h 21 min."""


def match_form(pattern: str, example: str) -> AfterValidator:
    """Make the check that a text has a form, such as that of a file name."""
    form = re.compile(pattern)

    def check(text: str) -> str:
        if not form.fullmatch(text):
            raise PydanticCustomError("form", "a text of another form", {"allowed": [example]})
        return text

    return AfterValidator(check)


def make_contradiction(problem: str, column: str, found: Any) -> PydanticCustomError:
    """Make the error of a record that contradicts itself, for a validator of its model."""
    return PydanticCustomError(
        "contradiction",
        "{problem}",
        {"problem": problem, "column": column, "found": found, "fix": "correct the record"},
    )


# --- passing the gate ----------------------------------------------------------------------------


def check_record(
    model: type[AnyRecord], value: Any, *, path: Path | str, row: str, column: str | None = None
) -> AnyRecord:
    """Check a record, or the part of it at `column`; the error names the first key that is not allowed."""
    try:
        return model.model_validate(value)
    except ValidationError as error:
        faults = error.errors(include_url=False)
    kept = [fault for fault in faults if not names_identifier(fault)]
    if kept:
        raise describe_fault(kept[0], model, path, row, column)
    for fault in faults:
        value = drop_key(value, fault["loc"])
    return check_record(model, value, path=path, row=row, column=column)


def names_identifier(fault: Any) -> bool:
    """Tell whether a pydantic fault is an identifier that the model does not know."""
    return fault["type"] == "extra_forbidden" and fault["loc"][-1] in IDENTIFIERS


def drop_key(value: Any, keys: tuple[int | str, ...]) -> Any:
    """Copy a part of a record without the key at a pydantic location."""
    if len(keys) == 1:
        return {key: held for key, held in value.items() if key != keys[0]}
    inner = drop_key(value[keys[0]], keys[1:])
    if isinstance(value, dict):
        return value | {keys[0]: inner}
    return [inner if number == keys[0] else held for number, held in enumerate(value)]


PROBLEMS = {
    "missing": "a required key is missing",
    "extra_forbidden": "a key that such records do not have",
    "literal_error": "a value outside the vocabulary of its field",
    "int_type": "not a whole number",
    "int_parsing_size": "not a whole number",
    "bool_type": "neither true nor false",
    "string_type": "not a text",
    "list_type": "not a list",
    "model_type": "not an object",
    "dict_type": "not an object",
    "string_pattern_mismatch": "an empty text, or one with characters that its field cannot have",
    "string_too_long": "a text that is too long",
    "greater_than_equal": "a number out of range",
    "less_than_equal": "a number out of range",
}


def describe_fault(
    fault: Any, model: type[Record], path: Path | str, row: str, column: str | None = None
) -> InputError:
    """Make the error that a pydantic fault stands for."""
    context = fault.get("ctx", {})
    keys = [column, *fault["loc"], context.get("column")]
    keys = [f"[{key}]" if isinstance(key, int) else key for key in keys if key is not None]
    kind, last = fault["type"], keys[-1] if keys else None
    fix = {"literal_error": EXTEND, "form": EXTEND}.get(kind, FIX)
    allowed = context.get("allowed")
    if kind == "literal_error":
        expected = re.split(r", | or ", context["expected"])
        allowed = [part.strip("'") or "(empty)" for part in expected]
    elif kind == "extra_forbidden" and len(fault["loc"]) == 1:
        allowed = [field.alias or name for name, field in model.model_fields.items()]
        fix = "correct the spelling of the key, or remove it"
    elif kind in ("greater_than_equal", "less_than_equal"):
        limit = "at least" if "ge" in context else "at most"
        allowed = [f"{limit} {context.get('ge', context.get('le'))}"]
    found = context["found"] if "found" in context else fault["input"]
    hidden = kind in ("missing", "extra_forbidden") or not PRIVATE.isdisjoint(keys)
    problem = PROBLEMS.get(kind, fault["msg"])
    if last in PRIVATE:
        problem = {"missing": problem}.get(kind, "not the id of a person")
    return InputError(
        path,
        problem,
        row=row,
        column=".".join(keys) or None,
        value=None if hidden else show_value(found),
        allowed=allowed,
        fix=context.get("fix", fix),
    )


class Shown(str):
    """A value as a message shows it, without quotes."""

    __repr__ = str.__str__


def show_value(value: Any) -> Any:
    """Show a value in a message: shortened, and without what an object or list holds."""
    if isinstance(value, str):
        return value if len(value) <= 60 else f"{value[:60]}..."
    if isinstance(value, dict | list):
        return Shown("an object" if isinstance(value, dict) else f"a list of {len(value)}")
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 10**20:
        return Shown("a whole number of more than 20 digits")
    return Shown("null" if value is None else repr(value))
