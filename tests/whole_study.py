"""A table of one's own, taken to its report in this process: `init`, then every rule of the workflow.

The rules' inputs, outputs and parameters are those of workflow/rules/; only Snakemake itself does not run.
"""

import contextlib
import io
import os
import re
import runpy
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

from PIL import Image
from project import ROOT

from turingstats.config.settings import Config
from turingstats.core.yaml_models import HEADING, LABEL, build_model
from turingstats.figures import fonts
from turingstats.new_study.starting_study import write_study
from turingstats.workflow.load import load_plan

RULES = {
    "verdicts": ("read", "clean", "statistics", "models", "tables", "report"),
    "ratings": ("read", "statistics", "tables", "report"),
    "pairs": ("read", "statistics", "tables", "report"),
}
"""Rules of a run, by design and in their order."""
SECTIONS = ("input", "output", "params", "log")
FEW = {"resamples": {"bootstrap": 100, "permutation": 100}}
FEW |= {"figures": {"formats": ["png"], "dpi": 72}}
"""Settings of a fast run."""


class Named(list):
    """Files or parameters of a rule, by place and by name."""

    def __init__(self, places, named):
        super().__init__()
        for value in places:
            self.extend([value] if isinstance(value, str) else value)
        self.named = named
        for name, value in named.items():
            value = value(None) if callable(value) else value
            self.extend([value] if isinstance(value, str) else value)
            setattr(self, name, value)

    def __getitem__(self, key):
        return getattr(self, key) if isinstance(key, str) else super().__getitem__(key)


def read_rules():
    """The sections of every rule, as text, by the rule's name."""
    rules = {}
    for path in sorted((ROOT / "workflow/rules").glob("*.smk")):
        for block in re.split(r"^ *rule ", path.read_text(), flags=re.M)[1:]:
            name, text = block.split(":", 1)
            parts = re.split(r"^ +(\w+):(?= *\n)", text, flags=re.M)
            rules[name] = dict(zip(parts[1::2], parts[2::2], strict=True))
            rules[name]["script"] = re.search(r'"\.\./\.\./(scripts/\w+\.py)"', text)
    return rules


RULE_TEXTS = read_rules()


def run_rule(name, plan, config):
    """Run the script of a rule; return what its log says."""
    style = config.figures.model_dump(include={"dpi", "formats"}, mode="json")
    known = {
        **{"PLAN": plan, "CONFIG": config, "DESIGN": plan.study.design, "STYLE": style},
        **{"LLM": config.llm.model_dump(mode="json"), "LABEL": LABEL, "HEADING": HEADING},
        **{"Path": Path, "HOME": ROOT, "load_or_stop": lambda load: load()},
        "report": lambda path, **_: path,
        "list_modules": lambda *_: [],
        "code": lambda *_: [],
        "versions": lambda *_: "",
        "templates": lambda *_: [],
        "w": None,
        "collect": lambda *places, **named: (places, named),
    }
    job = {}
    for section in SECTIONS:
        places, named = eval(f"collect({RULE_TEXTS[name].get(section, '')})", known)
        if section == "params":
            # Snakemake passes parameters as it would write them.
            values = {key: v(None) if callable(v) else v for key, v in named.items()}
            job[section] = SimpleNamespace(**values)
        else:
            job[section] = Named(places, named)
    for section in ("input", "output", "log"):
        job[section] = fill_in(job[section], plan.name)
    Path(job["log"][0]).parent.mkdir(parents=True, exist_ok=True)
    for path in job["output"]:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
    script = ROOT / RULE_TEXTS[name]["script"][1]
    job = SimpleNamespace(**job, threads=1)
    code = 0
    try:
        with contextlib.redirect_stderr(io.StringIO()):
            runpy.run_path(str(script), {"snakemake": job})
    except SystemExit as error:
        code = error.code
    text = Path(job.log[0]).read_text()
    return code, text


def fill_in(paths, study):
    """Replace the folder of results and the name of the study in paths."""

    def fill(path):
        if isinstance(path, str):
            return path.replace("<results>", "results").replace("<study>", study)
        return [fill(part) for part in path]

    filled = Named([], {})
    filled.extend(fill(path) for path in list(paths))
    for name in paths.named:
        setattr(filled, name, fill(getattr(paths, name)))
    return filled


def stand_in_for_pictures(plan):
    """Write a dot in place of every picture that the report shows."""
    for path in plan.source_data:
        target = Path(fill_in(Named([path], {}), plan.name)[0]).with_suffix(".png")
        target.parent.mkdir(parents=True, exist_ok=True)
        Image.new("L", (1, 1)).save(target)


class Stopped(Exception):
    """A rule did not end."""


def take_to_report(folder, table, *, draw=False, config=None, **said):
    """Write a study for a table and run all its rules; return the plan and what `init` said."""
    before = os.getcwd()
    os.chdir(folder)
    try:
        name = said.pop("name", None)
        told = write_study(Path(table), name, **said)
        study = re.search(r"--config study=(\w+)", told)[1]
        settings = build_model(Config, FEW | {"study": study} | (config or {}), "config")
        plan = load_plan(study, settings, Path.cwd())
        rules = list(RULES[plan.study.design])
        if draw:
            rules.insert(-1, "figures")
        else:
            stand_in_for_pictures(plan)
        # What a font is cut to depends on letters alone, and takes a fifth of the time.
        with mock.patch.object(fonts, "cut_font", fonts.cut_font if draw else lambda *_: b""):
            for rule in rules:
                code, text = run_rule(rule, plan, settings)
                if code:
                    raise Stopped(f"{rule}: {text}")
        return SimpleNamespace(plan=plan, told=told, folder=Path(folder, "results", study))
    finally:
        os.chdir(before)
