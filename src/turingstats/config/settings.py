"""The configuration that a user edits (`config/config.yaml`, subsets, `--config`).

The models below check it, and `tools/references.py` writes the default file and the reference from them. An
unknown key is an error.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, JsonValue, field_validator
from pydantic_core import PydanticCustomError

from turingstats.config.planning import Plan
from turingstats.config.study.tests import Correction
from turingstats.core.yaml_models import SECRET, Commit, Model, Reading, make_slug, write_cell


class Data(Model):
    """Where the raw trials come from."""

    source: str = "observed"
    """Observed (the trials that come with this project; a study without any is generated and says so), public
    (the public repository), demo (generated data, no network), or the path of a checkout of the public
    repository that you already have."""
    repository: str | None = None
    """Git address for source: public; null uses the one in data/sources/."""
    commit: Commit | None = None
    """Commit that the raw files must come from; null uses the one in data/sources/, 'any' accepts any
    commit."""
    allow_missing: bool = False
    """True: continue if the source lacks some of the listed files ('no data')."""


class Resamples(Model):
    """How often to resample."""

    bootstrap: int = Field(10_000, ge=100, le=10_000_000)
    """Bootstrap draws, where there are any."""
    permutation: int = Field(10_000, ge=100)
    """Label permutations per permutation test."""


class Cleaning(Model):
    """Filters of the recommended reading, in addition to the exclusions of the published analysis."""

    exclude_failed_control: bool = True
    """Drop trials whose control question was answered incorrectly, in every cohort as in the first wave, so
    that all cohorts are filtered in the same way."""
    min_rt_ms: int = Field(0, ge=0)
    """Drop verdicts faster than this (milliseconds)."""


class Equivalence(Model):
    """When an agent counts as equivalent to people, or to chance."""

    margin: float = Field(0.1, gt=0, lt=0.5)
    """Largest difference in the share judged human that counts as equivalent (0.1 is 0.05 of
    detectability)."""


class Figures(Model):
    """How figures look and what they show."""

    reading: Reading = "published"
    """Reading shown in figures and tables."""
    formats: tuple[Literal["pdf", "svg", "png"], ...] = Field(("svg", "png"), min_length=1)
    """Picture formats; a third one takes half as long again to draw."""
    dpi: int = Field(300, ge=72, le=1200)
    """Dots per inch of PNG pictures."""


ADDRESS = re.compile(r"https?://(\[[0-9A-Fa-f:]+\]|[\w.-]+)(:[1-9]\d{0,4})?(/[\w./~%+,;=:-]*)?")


def check_address(value: str) -> str:
    """Check the address of an endpoint: http or https, a host, nothing secret."""
    if any(sign in value for sign in "@?#"):
        raise PydanticCustomError(
            SECRET,
            "an address must not hold a name, password or query; a key belongs in the variable that "
            "key_variable names",
        )
    if not ADDRESS.fullmatch(value):
        raise ValueError("not an address; expected something like https://api.example.org/v1")
    return value.rstrip("/")


def check_variable_name(value: str) -> str:
    """Check that a value is the name of an environment variable, in capitals, not the key itself."""
    if not re.fullmatch(r"[A-Z_][A-Z0-9_]*", value):
        raise PydanticCustomError(
            SECRET,
            "not the name of an environment variable, in capitals; the key belongs there, not here",
        )
    return value


class LanguageModels(Model):
    """Language models as judges, queried through an OpenAI-compatible chat endpoint."""

    base_url: Annotated[str, AfterValidator(check_address)] | None = None
    """Address of the endpoint, such as http://127.0.0.1:8000/v1; null: no language model judges."""
    models: tuple[str, ...] = Field(("chatgpt-4o-latest",), min_length=1)
    """Models, each a separate judge."""
    key_variable: Annotated[str, AfterValidator(check_variable_name)] = "OPENAI_API_KEY"
    """Name of the environment variable that holds the key; never write the key itself to a file."""
    tasks: Literal["all"] | tuple[str, ...] = "all"
    """Tasks to judge: all, or a list such as [caption, color]."""
    protocols: tuple[Literal["zeroshot", "oneshot"], ...] = Field(("zeroshot",), min_length=1)
    """Zeroshot, or oneshot (preceded by a labeled example, that of the study or one drawn with the seed)."""
    stimuli: int | None = Field(None, ge=1)
    """Judge this many stimuli of each task, drawn with the seed; null: all."""
    images: str | None = None
    """Folder of the images, <task>/<stimulus>.jpg; null: images are not shown, and the judge's name says
    so."""
    prompts: str = "config/prompts"
    """Folder of the prompt templates."""
    temperature: float | None = Field(0.0, ge=0, le=2)
    """Temperature of the answers; null: the endpoint's default."""
    parameters: dict[str, JsonValue] = {"max_tokens": 1024}
    """Further parameters of each request, passed on unchanged."""
    max_calls: int = Field(10_000, ge=0)
    """Maximum calls per run, including repeated ones; 0: cached answers only."""
    concurrency: int = Field(4, ge=1, le=64)
    """Simultaneous calls."""
    timeout: float = Field(120.0, gt=0)
    """Seconds that an answer may take."""
    cache: str = "data/cache/llm"
    """Folder of all answers received; a rerun sends no request twice."""

    def list_faults(self) -> Iterator[str]:
        """Check that names of models are distinct and that requests keep what they are about."""
        if len({make_slug(name) for name in self.models}) < len(self.models):
            yield "two models with names that differ only in punctuation or letter case"
        taken = {"model", "messages", "temperature", "stream", "n"} & set(self.parameters)
        if taken:
            yield f"parameters: {', '.join(sorted(taken))} cannot be set here"

    @property
    def most_answered(self) -> int | None:
        """Maximum tokens per answer, or None if no parameter sets it."""
        for name in ("max_completion_tokens", "max_tokens"):
            limit = self.parameters.get(name)
            if isinstance(limit, int):
                return limit
        return None


FIXATIONS = {"published": 15, "recommended": 10}
"""Fixations of a scan path that a trained judge sees: 15 in the authors' code, 10 in their Methods."""


class Judges(Model):
    """How machine judges are trained on the responses."""

    train: bool = True
    """Train the machine judges that the study declares; false: leave them out."""
    folds: int = Field(10, ge=2)
    """Folds of the cross-validation."""
    seeds: int = Field(3, ge=1)
    """How often responses are drawn and assigned to folds; scores are averaged."""
    max_responses: int = Field(1000, ge=20)
    """Maximum number of responses of people, and of machines, that a judge is trained on; the paper used up
    to 2000."""
    cache: str | None = "data/cache/judges"
    """Folder of what trained judges said; the same are not trained again, also in a run of one task. null
    keeps nothing."""


PROJECT_FOLDERS = [
    ".git", ".github", ".snakemake", ".venv", "config", "converters", "data", "demo", "docs", "envs",
    "profiles", "scripts", "src", "tests", "tools", "workflow",
]  # fmt: skip
"""Folders of the project that hold no results."""


class Pathvars(Model):
    """Folders that paths in the rules refer to (Snakemake's pathvars)."""

    results: str = Field("results", min_length=1)
    """Folder of the results; use a different one for a subset to keep the full run."""

    @field_validator("results")
    @classmethod
    def check_place(cls, results: str) -> str:
        """Check that results cannot take the place of the project's own files."""
        path, project = Path(os.path.abspath(results)), Path.cwd()
        own = path.is_relative_to(project) and path.parts[len(project.parts) :][0:1]
        unusable = not results.isprintable() or any(sign in results for sign in "{}<>*?\\")
        if unusable or project.is_relative_to(path) or (own and own[0] in PROJECT_FOLDERS):
            raise ValueError(
                "not a folder for results; name a new one, such as results/part or /data/results"
            )
        return results


MEANINGS = ("human", "machine", "unsure")
"""What a word may mean as a truth or verdict, whatever column it is in."""


def read_words(value: Any, words: dict[str, Any]) -> Any:
    """Read words such as null in nested values: the command line passes them as text."""
    if isinstance(value, dict):
        return {key: read_words(part, words) for key, part in value.items()}
    return words.get(value, value) if isinstance(value, str) else value


class Config(Model):
    """All settings of a run."""

    study: str = Field("zhang2025", pattern=r"^[A-Za-z0-9_]+$")
    """Name of a file in config/studies/; all: every study there."""
    data: Data = Data()
    tasks: Literal["all"] | tuple[str, ...] = "all"
    """Tasks to analyze: all, or a list such as [color]."""
    cohorts: Literal["all"] | tuple[str, ...] = "all"
    """Cohorts to analyze: all, or a list such as [amt, expert]."""
    agents: Literal["all"] | tuple[str, ...] = "all"
    """AI agents to analyze: all, or a list such as [azure]; people are always included."""
    seed: int = Field(2025, ge=0)
    """Seed of every random draw."""
    confidence: float = Field(0.95, gt=0.5, lt=1)
    """Level of all intervals. One minus this level is the corrected p below which tests are significant, in
    figures, tables and conclusions."""
    correction: Correction | None = None
    """How p values of the recommended reading are corrected in their families: bonferroni, holm, fdr_bh
    (Benjamini and Hochberg's rate of false discoveries) or none; null: as the study declares for each, and
    holm for those that no study declares, such as contrasts of a model. Conclusions of equivalence and of
    what changes are always corrected by Holm's method."""
    leave_out: tuple[str, ...] = ()
    """Figures and tables to leave out, such as [fig5, tableS2]."""
    resamples: Resamples = Resamples()
    cleaning: Cleaning = Cleaning()
    equivalence: Equivalence = Equivalence()
    plan: Plan = Plan()
    judges: Judges = Judges()
    figures: Figures = Figures()
    llm: LanguageModels = LanguageModels()
    responses: str | None = None
    """File with a new model's responses, one per stimulus, for `snakemake benchmark`: .json ({stimulus:
    response}) or .csv (stimulus,response)."""
    task: str | None = None
    """Task of these responses, such as caption."""
    pathvars: Pathvars = Pathvars()
    csv: str | None = None
    """For `snakemake init`: a table of verdicts (CSV, xlsx or parquet) to write a study for."""
    name: str | None = None
    """Name of the new study for `snakemake init`, or of the new model for `snakemake benchmark`; null uses
    the file's."""
    columns: dict[str, str | tuple[str, ...] | None] = {}
    """For `snakemake init`: what columns hold, such as {judge: Beurteiler, stimulus: [corpus, text]}; another
    name makes a column a condition, and null leaves one out."""
    values: dict[str, str | dict[str, str | None] | None] = {}
    """For `snakemake init`: meaning of words in the table, such as {Mensch: human, KI: machine}, or of words
    in one column, such as {verdict: {1: machine}, gender: {1: female}}; null leaves such rows out."""
    table: dict[str, Any] = {}
    """For `snakemake init`: the shape of the table and what its ratings or scores mean, in keys of
    data/sources/: sheet, wide, join, missing, where, rating, score, such as {join: {table: items.csv, by:
    item}}."""

    @field_validator("columns", "table", mode="before")
    @classmethod
    def read_from_command_line(cls, values: Any) -> Any:
        """Read true, false and null."""
        return read_words(values, {"true": True, "false": False, "null": None})

    @field_validator("values", mode="before")
    @classmethod
    def read_meanings(cls, values: Any) -> Any:
        """Convert numbers to the text in the table, and check what words mean in any column."""
        values = read_words(values, {"null": None})
        if not isinstance(values, dict):
            return values
        read: dict[Any, Any] = {}
        for word, meaning in values.items():
            if isinstance(meaning, dict):
                meanings = {write_cell(cell): write_cell(own) for cell, own in meaning.items()}
                read[word] = meanings
            elif meaning in (*MEANINGS, None):
                read[write_cell(word)] = meaning
            else:
                raise ValueError(
                    f"{word}: {meaning!r} is none of {', '.join(MEANINGS)} or null; what a value means in "
                    f"one column is said as {{column: {{{word}: {meaning}}}}}"
                )
        return read

    def list_faults(self) -> Iterator[str]:
        """Check that a new model's responses come with their task."""
        if self.task is not None and self.responses is None:
            yield "task goes with responses of a new model: give a file"
        if self.task is None and self.responses is not None:
            yield "responses need their task: give it as task=..."

    @property
    def submitted_name(self) -> str | None:
        """Name of the new model, or None."""
        return self.name or (Path(self.responses).stem if self.responses else None)

    @property
    def submission(self) -> str | None:
        """Folder name made of the new model and its task."""
        if not self.responses:
            return None
        return f"{self.task}_{make_slug(self.submitted_name or '') or 'model'}"
