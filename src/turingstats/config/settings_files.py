"""The files generated from the configuration model: default values, reference and schema.

`make docs` writes them.
"""

import json
from pathlib import Path
from typing import Any

import yaml

from turingstats.config.settings import Config
from turingstats.core.yaml_models import Model

HEADER = """\
# yaml-language-server: $schema=../workflow/schemas/config.schema.json
# What a run does. Change a key here, on the command line (snakemake --config seed=7, or
# --config data="{source: public}") or in your own file (--configfile mine.yaml).

"""
REFERENCE = """\
# Configuration

Every key of `config/config.yaml`. Set one there, with `--configfile mine.yaml` (only the keys that
differ), or with `--config`. An unknown key is an error.

"""


def write_default_yaml(model: type[Model] = Config, depth: int = 0) -> str:
    """Return the default configuration as commented YAML, the content of `config/config.yaml`."""
    lines = []
    pad = "  " * depth
    for name, field in model.model_fields.items():
        lines.append(f"{pad}# {field.description}")
        default = field.default
        if isinstance(default, Model):
            lines.append(f"{pad}{name}:")
            lines.append(write_default_yaml(type(default), depth + 1))
        else:
            lines.append(f"{pad}{name}: {format_value(default)}")
    return "\n".join(lines) + ("\n" if depth == 0 else "")


def format_value(value: Any) -> str:
    """Format a default value in YAML flow style."""

    if isinstance(value, tuple):
        value = list(value)
    text: str = yaml.safe_dump(value, default_flow_style=True, width=1000)
    return text.removesuffix("...\n").strip()


def write_reference(model: type[Model] = Config, prefix: str = "") -> str:
    """Return the reference of every key, a Markdown table per group, for `docs/configuration.md`."""
    rows, groups = ["| key | default | meaning |", "| --- | --- | --- |"], []
    for name, field in model.model_fields.items():
        if isinstance(field.default, Model):
            table = write_reference(type(field.default), f"{prefix}{name}.")
            groups.append(f"\n## {name}: {field.description}\n\n{table}")
        else:
            rows.append(
                f"| `{prefix}{name}` | `{format_value(field.default)}` | {field.description} |"
            )
    return "\n".join(rows) + "\n" + "".join(groups)


def write_schema() -> str:
    """Return the JSON schema of `Config` for editors, in `workflow/schemas/config.schema.json`."""

    return json.dumps(Config.model_json_schema(), indent=2) + "\n"


def write_generated(root: str | Path) -> None:
    """Write the files generated from the model: default configuration, reference, schema."""
    root = Path(root)
    (root / "config/config.yaml").write_text(HEADER + write_default_yaml())
    (root / "docs/configuration.md").write_text(REFERENCE + write_reference())
    schemas = root / "workflow/schemas"
    schemas.mkdir(exist_ok=True)
    (schemas / "config.schema.json").write_text(write_schema())


if __name__ == "__main__":
    write_generated(Path(__file__).parents[3])
