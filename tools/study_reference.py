"""The reference of study files and the schemas that editors check them with, from the models that read them.

`make docs` writes docs/study_file.md and workflow/schemas/{study,ratings,sources}.schema.json.
"""

import ast
import inspect
import json
import textwrap
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic_core import PydanticUndefined

from turingstats.config.ratings_study import RatingsStudy
from turingstats.config.raw_files import Sources
from turingstats.config.settings_files import format_value
from turingstats.config.study import Study
from turingstats.core.yaml_models import DISCRIMINATORS

ROOT = Path(__file__).parents[1]
HEADER = """\
# Every key of a study file

Written by `make docs` from the models that read the files; an unknown key is an error that names the known
ones. A study is a file `config/studies/<name>.yaml`, and says where its raw files are in
`data/sources/<name>.yaml`. [your_own_data.md](your_own_data.md) starts with the few keys that most studies
need. `include:` names further files whose keys are merged into the study, and `keep:` the part of the study
that is taken.

`make docs` also writes JSON schemas. With them, editors that have the YAML language server check a file and
complete its keys when it begins with the line

```yaml
# yaml-language-server: $schema=../../workflow/schemas/study.schema.json
```

(`ratings.schema.json` for a study of similarity ratings, `sources.schema.json` for `data/sources/`).

"""
PARTS = {
    "Studies of verdicts": Study,
    "Studies of similarity ratings": RatingsStudy,
    "Raw files": Sources,
}
FILLED_IN = {
    "Study": ["study"],
    "RatingsStudy": ["study"],
    "Agent": ["label"],
    "Task": ["agents"],
    "Cohort": ["agents"],
    "ItemSet": ["systems"],
}
"""Keys that the models require and a file may leave out, since they are filled in before."""
SHORT_FORMS = {
    "Study": ["demographics"],
    "RawFile": ["where", "join", "missing"],
    "Join": ["by"],
    "Rating": ["human", "unsure", "machine"],
}
"""Keys that a file may give in a shorter form than the models have them."""


def list_bases(model):
    """List the models whose keys a model shares, the most general first."""
    return [base for base in reversed(model.__mro__[1:]) if getattr(base, "model_fields", None)]


def list_models(model):
    """List a model and the models of its parts, each once, in the order in which they are met."""
    found = []

    def visit(annotation):
        for part in get_args(annotation) or (annotation,):
            if part is not annotation:
                visit(part)
            elif isinstance(part, type) and issubclass(part, BaseModel) and part not in found:
                found.extend(base for base in list_bases(part) if base not in found)
                found.append(part)
                for field in part.model_fields.values():
                    visit(field.annotation)

    visit(model)
    return found


def read_attribute_docs(model):
    """Read what the strings below the fields of a model say, by field; not those of its base models."""
    docs = {}
    (body,) = ast.parse(textwrap.dedent(inspect.getsource(model))).body
    for statement, following in zip(body.body, body.body[1:], strict=False):
        text = isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant)
        if isinstance(statement, ast.AnnAssign) and text:
            docs[statement.target.id] = inspect.cleandoc(following.value.value)
    return docs


def write_kind(model, docs):
    """Write which values of a key that parts of all kinds share make a part one of these."""
    for name in DISCRIMINATORS:
        values = getattr(model.model_fields.get(name), "annotation", None)
        shared = any(name in base.model_fields for base in list_bases(model))
        if shared and get_origin(values) is Literal:
            kinds = docs.pop(name, "") or f"{describe_type(values)}."
            return [f"**{name}**: {kinds}", ""]
    return []


def find_anchor(model):
    """Find the anchor of the section of a model: a second one of the same name is numbered."""
    models = dict.fromkeys(part for top in PARTS.values() for part in list_models(top))
    place = [part for part in models if part.__name__ == model.__name__].index(model)
    return model.__name__.lower() + (f"-{place}" if place else "")


def describe_type(annotation):
    """Describe in words what a key takes; a model by the heading of its section."""
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return describe_type(parts[0])
    if origin is Literal:
        return ", ".join(f"`{value}`" for value in parts)
    if origin in (Union, UnionType):
        known = [describe_type(part) for part in parts if part is not type(None)]
        return " or ".join(dict.fromkeys(known))
    if origin is dict:
        return f"by name: {describe_type(parts[1])}"
    if origin is tuple:
        kinds = [describe_type(part) for part in parts if part is not Ellipsis]
        return (
            f"list of {kinds[0]}" if len(parts) == 2 and parts[1] is Ellipsis else ", ".join(kinds)
        )
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return f"[{annotation.__name__}](#{find_anchor(annotation)})"
    words = {
        str: "text",
        int: "whole number",
        float: "number",
        bool: "true or false",
        Any: "anything",
    }
    return words.get(annotation, "text")


def format_default(name, field):
    """Format what a key is without an entry; the kind of a part must be named."""
    if field.is_required() or name in DISCRIMINATORS:
        return "required"
    value = field.get_default(call_default_factory=True)
    if value is PydanticUndefined or isinstance(value, BaseModel):
        return ""
    if value in (None, (), {}, ""):
        return "none"
    return f"`{format_value(value)}`"


def escape_cell(text):
    """Escape text for a cell of a Markdown table."""
    return " ".join(text.split()).replace("|", "\\|")


def write_shared_keys(base):
    """Write the keys that parts have from a base, with a link to its section."""
    names = ", ".join(f"`{name}`" for name in read_attribute_docs(base))
    return f"{names} ([{base.__name__}](#{find_anchor(base)}))"


def write_section(model):
    """Write the section of one model: what it is, and a table of its keys."""
    docs = read_attribute_docs(model)
    lines = [f"### {model.__name__}", "", inspect.cleandoc(model.__doc__ or ""), ""]
    bases = list_bases(model)
    if bases:
        shared = [write_shared_keys(base) for base in bases if read_attribute_docs(base)]
        lines += [f"It also has {', '.join(shared)}.", ""]
    lines += write_kind(model, docs)
    rows = ["| key | takes | default | meaning |", "| --- | --- | --- | --- |"]
    for name, field in model.model_fields.items():
        if name not in docs and any(name in base.model_fields for base in bases):
            continue
        default = format_default(name, field)
        if name in FILLED_IN.get(model.__name__, ()):
            default = "filled in"
        meaning = field.description or docs.get(name, "")
        cells = [f"`{name}`", describe_type(field.annotation), default, meaning]
        rows.append(f"| {' | '.join(map(escape_cell, cells))} |")
    # A part may have no keys but those that it shares.
    return "\n".join(lines + rows if len(rows) > 2 else lines[:-1]) + "\n"


def write_reference():
    """Write the page of every key of study files."""
    parts, written = [], []
    for title, model in PARTS.items():
        sections = []
        for part in list_models(model):
            if part not in written:
                written.append(part)
                sections.append(write_section(part))
        parts.append(f"## {title}\n\n" + "\n".join(sections))
    return HEADER + "\n".join(parts)


def write_schema(model):
    """Write the JSON schema of the files that a model reads, with the short forms that files may have."""
    schema = model.model_json_schema()
    for part in (schema, *schema["$defs"].values()):
        keys = FILLED_IN.get(part["title"], ())
        part["required"] = [key for key in part.get("required", ()) if key not in keys]
        part["properties"] |= {key: {} for key in SHORT_FORMS.get(part["title"], ())}
    schema["properties"] |= {"include": {"type": "array"}, "keep": {"type": "object"}}
    return json.dumps(schema, indent=1) + "\n"


WRITTEN = {
    "docs/study_file.md": write_reference,
    "workflow/schemas/study.schema.json": lambda: write_schema(Study),
    "workflow/schemas/ratings.schema.json": lambda: write_schema(RatingsStudy),
    "workflow/schemas/sources.schema.json": lambda: write_schema(Sources),
}
"""The files, and what they hold."""


def main():
    """Write all files."""
    for name, write in WRITTEN.items():
        (ROOT / name).write_text(write())


if __name__ == "__main__":
    main()
