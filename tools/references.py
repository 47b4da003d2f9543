"""Write config/config.yaml and the reference of study files, from the models that read them.

make docs calls this. In docs/study_file.md each key stands once, with one sentence and the shortest example
that the studies of the project have of it.
"""

import ast
import inspect
import textwrap
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import PurePath
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import yaml
from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined, to_jsonable_python

from tools import ROOT
from tools.templates import render_page
from turingstats.config.raw_files import Sources, load_sources
from turingstats.config.settings import Config
from turingstats.config.study import Study
from turingstats.config.subset import load_study
from turingstats.workflow.conditions import always
from turingstats.workflow.results import ALL_STUDIES, list_results

CONFIG_HEADER = """\
# What a run does. Change a key here, on the command line (snakemake --config seed=7, or
# --config data="{source: public}") or in your own file (--configfile mine.yaml).

"""
DESIGNS = {"verdicts": "verdicts", "ratings": "ratings of similarity", "pairs": "pairs"}
PARTS: dict[str, type[BaseModel]] = {"Studies": Study, "Raw files": Sources}
FILLED_IN = {"study", "Agent.label", "Task.agents", "Cohort.agents"}
"""Keys that the models require and a file may leave out, since they are filled in before."""
UNIONS = {"kind": "Panel", "test": "Procedure", "shows": "Table"}
"""What the models are called of which a discriminator chooses one."""
MAX_LENGTH = 50
"""Characters of the longest example."""

Model = type[BaseModel]
Examples = dict[tuple[Model, str], str]


def format_value(value: Any) -> str:
    """Format a value in YAML flow style."""
    text: str = yaml.safe_dump(to_jsonable_python(value), default_flow_style=True, width=1000)
    return text.removesuffix("...\n").strip()


def wrap_comment(text: str, pad: str) -> list[str]:
    """Wrap a comment of a YAML file into lines."""
    return textwrap.wrap(text, 100, initial_indent=f"{pad}# ", subsequent_indent=f"{pad}# ")


def write_config(model: Model = Config, depth: int = 0) -> str:
    """Write the default configuration as YAML, with a comment above each key."""
    lines = [] if depth else [CONFIG_HEADER.rstrip("\n"), ""]
    pad = "  " * depth
    docs = read_attribute_docs(model)
    for name, field in model.model_fields.items():
        if isinstance(field.default, BaseModel):
            lines += [*wrap_comment(field.default.__doc__ or "", pad), f"{pad}{name}:"]
            lines.append(write_config(type(field.default), depth + 1))
        else:
            lines += [*wrap_comment(docs[name], pad), f"{pad}{name}: {format_value(field.default)}"]
    return "\n".join(lines) + ("" if depth else "\n")


@cache
def read_attribute_docs(model: Model) -> dict[str, str]:
    """Read what the strings below the fields of a model say, by field; not those of its base models."""
    docs = {}
    (body,) = ast.parse(textwrap.dedent(inspect.getsource(model))).body
    assert isinstance(body, ast.ClassDef)
    for statements in pairwise(body.body):
        match statements:
            case ast.AnnAssign(target=ast.Name(name)), ast.Expr(ast.Constant(str(text))):
                docs[name] = " ".join(text.split())
    return docs


def find_owner(model: Model, name: str) -> Model:
    """Find the model, or its base model, that says what a key means."""
    bases = (base for base in model.__mro__ if issubclass(base, BaseModel))
    return next((base for base in bases if name in read_attribute_docs(base)), model)


def list_parts(annotation: Any) -> Iterator[tuple[Model, ...]]:
    """List the models in an annotation; those of which a discriminator chooses one are together."""
    if get_origin(annotation) is Annotated:
        inner = get_args(annotation)[0]
        if get_origin(inner) in (Union, UnionType) and type(None) not in get_args(inner):
            yield get_args(inner)
            return
    for part in get_args(annotation):
        yield from list_parts(part)
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield (annotation,)


def list_sections(model: Model) -> list[tuple[Model, ...]]:
    """List a model and the models of its parts, each once, in the order in which they are met."""
    sections: list[tuple[Model, ...]] = []

    def visit(section: tuple[Model, ...]) -> None:
        if section not in sections:
            sections.append(section)
            for one in section:
                # The parts of its own keys come before those of keys that it shares.
                own = next(each for each in one.__mro__ if inspect.get_annotations(each))
                names = sorted(one.model_fields, key=lambda name: name not in own.__annotations__)
                for name in names:
                    for part in list_parts(wrap_annotation(one.model_fields[name])):
                        visit(part)

    visit((model,))
    return sections


def name_section(section: tuple[Model, ...]) -> str:
    """Name a section by its model, or by what its models have in common."""
    if len(section) == 1:
        return section[0].__name__
    return next(UNIONS[name] for name in UNIONS if name in section[0].model_fields)


def collect_examples() -> Examples:
    """Collect the shortest example of each key that the studies of the project have."""
    examples: Examples = {}

    def visit(value: Any) -> None:
        if isinstance(value, BaseModel):
            for name, field in type(value).model_fields.items():
                part = getattr(value, name)
                visit(part)
                # People are filled in, and need no example.
                if part not in (field.get_default(call_default_factory=True), "Human"):
                    key = find_owner(type(value), name), name
                    text = format_value(shorten(to_jsonable_python(part)))
                    if len(text) <= min(MAX_LENGTH, len(examples.get(key, text))):
                        examples[key] = text
        elif isinstance(value, tuple | dict):
            for part in value.values() if isinstance(value, dict) else value:
                visit(part)

    for path in sorted((ROOT / "config/studies").glob("*.yaml")):
        visit(load_study(path))
        visit(load_sources(ROOT / "data/sources" / path.name))
    return examples


def shorten(value: Any) -> Any:
    """Take the first two entries of a list or mapping."""
    if isinstance(value, dict):
        return {key: shorten(part) for key, part in list(value.items())[:2]}
    return [shorten(part) for part in value[:2]] if isinstance(value, list) else value


def list_choices(annotation: Any) -> list[Any]:
    """List the values that a key may have, if these are few; true and false are two."""
    if annotation is bool:
        return [False, True]
    if get_origin(annotation) is Literal:
        return list(get_args(annotation))
    kinds = [list_choices(part) for part in get_args(annotation) if part is not type(None)]
    return kinds[0] if len(kinds) == 1 or get_origin(annotation) is Annotated else []


def describe_value(field: FieldInfo, example: str) -> str:
    """Describe what a key takes: parts, all its choices, or an example and the default."""
    linked = [name_section(part) for part in list_parts(wrap_annotation(field))]
    if linked:
        nested = str(field.annotation)
        form = "by name: " if "dict[" in nested else "list of " if "tuple[" in nested else ""
        return form + " or ".join(f"[{name}](#{name.lower()})" for name in linked)
    default = field.get_default(call_default_factory=True)
    choices = [format_value(choice) for choice in list_choices(field.annotation)]
    if choices:
        first = [format_value(default)] if default not in (None, PydanticUndefined) else []
        kinds = dict.fromkeys([*(one for one in first if one in choices), *choices])
        return ", ".join(f"`{kind}`" for kind in kinds)
    cell = f"`{example}`" if example else ""
    if default not in (None, PydanticUndefined, (), {}, ""):
        cell += f"{', ' if cell else ''}default `{format_value(default)}`"
    return cell


def wrap_annotation(field: FieldInfo) -> Any:
    """Return the annotation of a field; models that a discriminator chooses from stay together."""
    return Annotated[field.annotation, None] if field.discriminator else field.annotation


def write_section(
    section: tuple[Model, ...], examples: Examples, written: set[tuple[Model, str]]
) -> str:
    """Write the section of models: what they are, their kinds, and each key that was not written yet."""
    lines = [f"### {name_section(section)}", ""]
    if len(section) == 1:
        lines += [" ".join((section[0].__doc__ or "").split()), ""]
    else:
        lines += write_kinds(section)
    rows, shared = [], []
    for model in section:
        for name, field in model.model_fields.items():
            key = find_owner(model, name), name
            if name in [row[0] for row in rows] or (len(section) > 1 and name in UNIONS):
                continue
            if key in written:
                shared.append(f"`{name}`")
                continue
            written.add(key)
            required = field.is_required() and not {name, f"{model.__name__}.{name}"} & FILLED_IN
            meaning = read_attribute_docs(key[0]).get(name, "")
            value = describe_value(field, examples.get(key, ""))
            rows.append((name, " \\*" if required else "", value, meaning))
    lines += [f"- `{n}`{r}{v and f' ({v})'}: {m}" for n, r, v, m in rows]
    if shared and len(section) == 1:
        lines += ["", f"And {', '.join(dict.fromkeys(shared))}, as above."]
    return "\n".join(lines) + "\n"


def write_kinds(section: tuple[Model, ...]) -> list[str]:
    """Write the list of kinds of a part: which values choose a kind, what it is, and its keys."""
    name = next(name for name in UNIONS if name in section[0].model_fields)
    common = set.intersection(*(set(model.model_fields) for model in section))
    lines = [f"`{name}` is one of", ""]
    for model in section:
        kinds = ", ".join(f"`{kind}`" for kind in get_args(model.model_fields[name].annotation))
        about = f"{model.__doc__} {read_attribute_docs(model).get(name, '')}"
        keys = ", ".join(f"`{key}`" for key in model.model_fields if key not in common)
        lines.append(f"* {kinds}: {' '.join(about.split())}{f' Keys: {keys}.' if keys else ''}")
    return [*lines, ""]


def write_study_page() -> str:
    """Write the page of every key of study files."""
    parts, examples, written, done = [], collect_examples(), set(), []
    for title, model in PARTS.items():
        sections = [section for section in list_sections(model) if section not in done]
        done += sections
        texts = [write_section(section, examples, written) for section in sections]
        parts.append(f"## {title}\n\n" + "\n".join(texts))
    return render_page("study_file", parts="\n".join(parts)) + "\n"


def write_results_page() -> str:
    """Write the page of everything that a run makes, from the list of results."""
    listed = {design: list_results(design) for design in DESIGNS}
    sections: dict[str, dict[str, list[str]]] = {}
    before = ""
    every = ((rule, each) for rules in listed.values() for rule in rules for each in rules[rule])
    for rule, result in dict.fromkeys(every):
        of = [words for name, words in DESIGNS.items() if result in listed[name].get(rule, ())]
        title = "Every study" if len(of) == len(DESIGNS) else f"Studies of {' and of '.join(of)}"
        path = result.path.replace("<", "&lt;").replace(">", "&gt;")
        also = "".join(f", {PurePath(other).suffix}" for other in result.files[1:])
        also += ", and the picture" if result.draw else ""
        need = "" if result.when is always else result.need.removeprefix("needs ")
        shown = "same" if need == before else f"needs: {need}"
        rows = sections.setdefault(title, {}).setdefault(rule, [])
        rows.append(f"- {path}{also}: {result.title}{need and f' ({shown})'}")
        before = need
    rows = [f"- {result.path}: {result.title}" for result in ALL_STUDIES]
    sections["All studies together"] = {"overview": rows}
    return render_page("all_results", sections=sections) + "\n"


PAGES = {
    "config/config.yaml": write_config,
    "docs/study_file.md": write_study_page,
    "docs/results.md": write_results_page,
}
"""The files, and what they hold."""

if __name__ == "__main__":
    for name, write in PAGES.items():
        (ROOT / name).write_text(write())
