# What all rules share: the checked configuration, the study, and the code each job depends on.

import argparse
import functools
import itertools
import os
import re
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError

PROJECT = Path(workflow.basedir)
SCRIPTS = PROJECT / "scripts"
sys.path.insert(0, str(SCRIPTS))

from snakemake.logging import logger
from turingstats.report import at_a_glance
from turingstats.core import yaml_models
from turingstats.config import defaults, subset
from turingstats.data import data_package
from turingstats.config.settings import Config
from turingstats.core.yaml_models import HEADING, LABEL, strip_presentation
from turingstats.core.errors import TuringError
from turingstats.config.raw_files import (
    NAMED_SOURCES,
    choose_source,
    load_sources,
    made_from,
    of_same_rows,
)
from turingstats.config.load import load_study

# Linear algebra on several threads gains nothing here and can change the last digit.
os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")


def checked(load, *arguments):
    """Call `load`; show its errors as one message without a traceback."""
    try:
        return load(*arguments)
    except TuringError as error:
        raise WorkflowError(str(error))


CONFIG = checked(yaml_models.check, Config, config, "the configuration")


@functools.cache
def loaded(name):
    """The study of a name, whole and cut to the configured subset, and its raw files.

    A subset names parts of the configured study; any other is cut to the same parts where it has them.
    """
    top = Path(workflow.basedir)
    whole = load_study(top / f"config/studies/{name}.yaml")
    sources = load_sources(top / f"data/sources/{name}.yaml")
    if whole.design != "verdicts":
        return whole, whole, sources
    whole = defaults.fill(whole)
    study = subset.cut(whole, CONFIG, strict=name == CONFIG.study)
    if name == CONFIG.study:
        subset.group_of(study, CONFIG)
        study = subset.with_language_judges(study, CONFIG.llm)
    return whole, study, sources


def whole_study_of(name):
    """The study file of a name, with its default tests and figures."""
    return checked(loaded, name)[0]


def study_of(name):
    """The same, cut to the configured subset."""
    return checked(loaded, name)[1]


def sources_of(name):
    """The raw files of a study."""
    return checked(loaded, name)[2]


def sound_studies():
    """Names of the studies that can be run, and what is wrong with each of the others."""
    sound, broken = [], {}
    for path in sorted((Path(workflow.basedir) / "config/studies").glob("*.yaml")):
        try:
            loaded(path.stem)
            sound.append(path.stem)
        except TuringError as error:
            broken[path.stem] = str(error)
    return sound, broken


# Every study can be asked for by a path of its results; the configured one is the default.
STUDIES, BROKEN = sound_studies()
if CONFIG.study in BROKEN and not CONFIG.csv:
    raise WorkflowError(BROKEN[CONFIG.study])
if CONFIG.study not in STUDIES and not CONFIG.csv:
    study_of(CONFIG.study)  # says which studies there are
for name, problem in BROKEN.items():
    logger.warning(f"Study {name} is left out of this run.\n{problem}\n")


def studies_of_design(design):
    """Names of the studies of a design: verdicts or ratings."""
    return [name for name in STUDIES if whole_study_of(name).design == design]


def only(design):
    """Constraint of the wildcard `study`: the studies of a design."""
    return "|".join(studies_of_design(design)) or "(?!)"


def source_of(name):
    """observed, public, demo, or the folder that holds a study's raw files."""
    return choose_source(sources_of(name), CONFIG.data)


def pools_of(name):
    """Cohorts that each pooled cohort of a study of verdicts puts together, by task."""
    if study_of(name).design != "verdicts":
        return {}
    return {
        task: {pool: list(cohort.pools) for pool, cohort in described.cohorts.items()}
        for task, described in study_of(name).tasks.items()
    }


def skipped_of(name):
    """Default figures and tables that a study of verdicts does not get, and why."""
    if study_of(name).design != "verdicts":
        return {}
    return defaults.skipped(study_of(name)) | skipped_of_models(name) | skipped_across(name)


def group_of(name):
    """The demographic group that a subset of the configured study keeps, if any."""
    return checked(subset.group_of, study_of(name), CONFIG) if name == CONFIG.study else None


def data_of(name):
    """What a study's results are made from, as every result says."""
    source = made_from(sources_of(name), CONFIG.data)
    group = group_of(name)
    return f"{source}, judges of {group[0]} {group[1]} only" if group else source


def data(wildcards):
    """Parameter function: see `data_of`."""
    return data_of(wildcards.study)


def reading_of(name):
    """The reading that a study's figures and tables show: the configured one, if the study has it."""
    readings = study_of(name).readings
    return CONFIG.figures.reading if CONFIG.figures.reading in readings else readings[0]


def reading(wildcards):
    """Parameter function: see `reading_of`."""
    return reading_of(wildcards.study)


def published(name):
    """Input function: a file of data/published/ of a study, if there is one."""

    def path_of(wildcards):
        path = f"data/published/{wildcards.study}/{name}.csv"
        return [path] if (Path(workflow.basedir) / path).exists() else []

    return path_of


def drawn_of(name):
    """Every figure that is drawn for a study."""
    own = list(study_of(name).figures)
    if study_of(name).design == "ratings":
        return own
    # Its numbers are computed before those of the other figures.
    across = [] if skipped_across(name) else ["acrossTasks"]
    return [*picked_of(name), *across]


def picked_of(name):
    """Figures whose numbers are picked from results by the rule figure_data."""
    own = list(study_of(name).figures)
    return [*own, "exclusions", "judgeSpread", *(["audit"] if trained(name) else [])]


def skipped_across(name):
    """Why a study gets no figure and table of people who judged in several tasks, if so."""
    judged = {
        task
        for task, described in study_of(name).tasks.items()
        if any(cohort.judge_kind == "human" for cohort in described.cohorts.values())
    }
    if len(judged) < 2:
        return {"acrossTasks": "people judged in one task only"}
    same = of_same_rows(sources_of(name).files)
    if all(pair in same for pair in itertools.combinations(sorted(judged), 2)):
        return {"acrossTasks": "its tasks may count the same verdicts"}
    return {}


def listed_tables(name):
    """Tables of statistics/ that panels of listed rows are picked from."""
    panels = [p for figure in study_of(name).figures.values() for p in figure.panels.values()]
    listed = [panel for panel in panels if getattr(panel, "table", None)]
    named = {panel.table for panel in listed}
    named |= {test.table for panel in listed for test in panel.tested} - {"tests"}
    return [f"<results>/{name}/statistics/{table}.csv" for table in sorted(named)]


def counts_printed(name):
    """Whether the paper of a study prints counts of verdicts (data/published/<study>/counts.csv)."""
    return (Path(workflow.basedir) / f"data/published/{name}/counts.csv").exists()


def places_of(study, figure):
    """Where the study file places the panels of a figure; empty where it does not say."""
    described = study_of(study).figures.get(figure)
    layout = getattr(described, "layout", ())
    # Lists, as Snakemake keeps them: what it writes down of tuples is read back as lists.
    rows = [row if isinstance(row, str) else list(row) for row in layout]
    return {"layout": rows, "widths": list(described.widths)} if rows else {}


def figure_module(study, figure):
    """File that draws a figure: its own, or the one that serves all figures of panels."""
    path = f"turingstats/figures/standalone/{figure}.py"
    # A figure that the study file lays out may share its name with one of those modules.
    if (SCRIPTS / path).exists() and not places_of(study, figure):
        return path
    if study_of(study).design == "ratings":
        return "turingstats/figures/standalone/similarity.py"
    return "turingstats/figures/standalone/panels_in_rows.py"


# What is made of a study, stage by stage.


DATA_FILES = ("exclusions.csv", "sources.csv", "missing.csv", "provenance.json")


def data_targets(name):
    """Tables of the judgments."""
    return [f"<results>/{name}/data/{file}" for file in DATA_FILES]


def statistics_targets(name):
    """Estimates and tests."""
    tables = "estimates tests sizes texts protocol models what_changes equivalence".split()
    if study_of(name).design == "verdicts":
        tables += ["success_rates", "contrasts", "printed_equivalence"] * counts_printed(name)
        tables += ["breakdowns", "judge_tests"] * bool(study_of(name).bands)
        tables += ["codes"] * bool(study_of(name).codes)
        tables += ["genders"] * bool(study_of(name).gender_tables)
        tables += ["across_tasks"] * (not skipped_across(name))
    if study_of(name).design == "ratings":
        tables = ["alignment", "agreement", "individuals", "tests", "sizes", "map"]
        printed = Path(workflow.basedir) / f"data/published/{name}/alignments.csv"
        tables += ["printed_alignments"] * printed.exists()
    elif any(task.choice for task in whole_study_of(name).tasks.values()):
        tables += ["by_unit", "lengths"]
    if (Path(workflow.basedir) / f"data/published/{name}/pass_rates.csv").exists():
        tables += ["printed_rates"]
    return [f"<results>/{name}/statistics/{table}.csv" for table in tables]


def where_made(name, table):
    """A table of statistics/ that not every study has, of one that has it."""
    path = f"<results>/{name}/statistics/{table}.csv"
    return [path] if path in statistics_targets(name) else []


def skipped_of_models(name):
    """Figures and tables of models that a study does not get, and why."""
    compared = [model for model in study_of(name).models if model.id.endswith(".agents")]
    lacking = {}
    if not compared:
        lacking["forest"] = "no model compares agents"
    if not any(":made_by" in model.formula for model in compared):
        lacking["abilities"] = "no model has random abilities of judges or difficulties of stimuli"
    if not any(model.counterpart_of for model in study_of(name).models):
        lacking["whatChanges"] = "no model is the counterpart of a published test"
    return lacking


def model_figures(name):
    """Figures of models, and of signal detection."""
    lacking = skipped_of_models(name)
    # Equivalence is shown of the cohorts whose agents a model compares.
    kinds = ["forest", "abilities"] + ["equivalence"] * ("forest" not in lacking)
    return [*(kind for kind in kinds if kind not in lacking), "signal"]


def model_tables(name):
    """Tables of models, and of equivalence."""
    return [t for t in ("whatChanges", "equivalence") if t not in skipped_of_models(name)]


def model_targets(name):
    """Mixed models, signal detection and equivalence, of a study of verdicts."""
    if study_of(name).design != "verdicts":
        return []
    return [
        *expand(
            f"<results>/{name}/statistics/{{table}}.csv",
            table="models random_effects what_changes signal_detection equivalence".split(),
        ),
        *expand(
            f"<results>/{name}/figures/{{figure}}.{{format}}",
            figure=model_figures(name),
            format=CONFIG.figures.formats,
        ),
        *expand(
            f"<results>/{name}/tables/{{table}}.{{format}}",
            table=model_tables(name),
            format=["csv", "tex", "html"],
        ),
    ]


def figure_targets(name):
    """Pictures and the inventory of the paper's panels."""
    return [
        *expand(
            f"<results>/{name}/figures/{{figure}}.{{format}}",
            figure=drawn_of(name),
            format=CONFIG.figures.formats,
        ),
        f"<results>/{name}/figures/inventory.csv",
    ]


def table_targets(name):
    """Tables of the paper."""
    own = [*study_of(name).tables, *(["versions"] if study_of(name).versions else [])]
    if where_made(name, "across_tasks"):
        own.append("acrossTasks")
    return expand(
        f"<results>/{name}/tables/{{table}}.{{format}}",
        table=own,
        format=["csv", "tex", "html"],
    )


def notebooks_of(name):
    """Lists of the numbers that the notebooks of a study's papers print, of those that have one."""
    listed = [f"data/published/{paper}/notebooks.csv" for paper in study_of(name).claims]
    return [path for path in listed if Path(path).exists()]


def ledger_targets(name):
    """Published numbers beside recomputed ones, of a study that has any."""
    if not study_of(name).claims:
        return []
    parts = ["claims.csv", "consistency.csv", "summary.csv", "index.html", "summary.html"]
    parts += ["notebooks.csv", "notebooks_summary.csv"] * bool(notebooks_of(name))
    parts += [f"claims_overview.{format}" for format in CONFIG.figures.formats]
    return [f"<results>/{name}/claims/{part}" for part in parts]


def results_of(name):
    """All of the above."""
    return [
        *data_targets(name),
        *statistics_targets(name),
        *model_targets(name),
        *figure_targets(name),
        *table_targets(name),
        *ledger_targets(name),
    ]


def numbers_to_sum_up(wildcards):
    """Input function: tables that the summary of a study of verdicts is made from."""
    folder = f"<results>/{wildcards.study}"
    tables = {t: f"{folder}/statistics/{t}.csv" for t in ("estimates", "equivalence", "sizes")}
    if study_of(wildcards.study).claims:
        tables["claims"] = f"{folder}/claims/claims.csv"
    return tables


def report_targets(name):
    """The page that puts them together, and what was found in a row per task."""
    files = ["index.html", *(["findings.csv"] if study_of(name).design == "verdicts" else [])]
    return [f"<results>/{name}/report/{file}" for file in files]


def everything(name):
    """All that is made of a study."""
    return [*results_of(name), *report_targets(name)]


def sections(*names, keep=()):
    """Parameter function: the named sections of a study file, beside its agents and tasks.

    A job gets just what it uses, so that a change elsewhere in the study file does not rerun it. Labels and
    headings are for jobs that show results: they name them in `keep` (see `strip_presentation`).
    """
    wanted = {"design", "study", "title", "reference", "readings", "agents", "tasks", *names}
    # Of a study of ratings.
    wanted |= {"systems", "scale"}

    def dump(wildcards):
        stripped = strip_presentation(study_of(wildcards.study), keep)
        return stripped.model_dump(mode="json", include=wanted)

    return dump


def study_to_ingest(wildcards):
    """Parameter function: what of a study the adapters use.

    Raw files may call agents and cohorts by their labels; the observed tables have ids alone.
    """
    described = study_of(wildcards.study)
    stripped = strip_presentation(described)
    if source_of(wildcards.study) != "observed":
        named = {f.task for f in sources_of(wildcards.study).files if "cohort" in f.columns}
        tasks = {
            name: (
                task.model_copy(update={"cohorts": described.tasks[name].cohorts})
                if name in named
                else task
            )
            for name, task in stripped.tasks.items()
        }
        stripped = stripped.model_copy(update={"agents": described.agents, "tasks": tasks})
    wanted = {"study", "title", "readings", "agents", "tasks", "demographics"}
    return stripped.model_dump(mode="json", include=wanted)


def systems_of(wildcards):
    """Systems of a study of ratings in this run."""
    described = study_of(wildcards.study)
    return sorted({system for task in described.tasks for system in described.systems_of(task)})


def raw_folder(wildcards):
    """Top of the raw files of a study."""
    source, sources = source_of(wildcards.study), sources_of(wildcards.study)
    if source == "observed":
        return sources.observed
    if source in ("demo", "public"):
        return f"data/raw/{sources.shared_with or wildcards.study}/{source}"
    return source


def kind_of_source(name):
    """How a study's raw files are obtained: observed, demo, public, or the folder that holds them already."""
    source = source_of(name)
    if sources_of(name).shared_with and source in ("demo", "public"):
        return raw_folder(argparse.Namespace(study=name))
    return source


def commit(wildcards):
    """The commit that raw files must come from; any in a folder at hand."""
    sources = sources_of(wildcards.study)
    generated = sources.shared_with and source_of(wildcards.study) == "demo"
    return "any" if sources.folder or generated else CONFIG.data.commit or sources.commit


def raw_files(wildcards):
    """Files that are there already: when one changes, it is read again."""
    source, owner = source_of(wildcards.study), sources_of(wildcards.study).shared_with
    if source == "observed":
        return observed_inputs(wildcards)
    if source in ("demo", "public"):
        # The other study brings them.
        return [f"<results>/{owner}/data/sources.csv"] if owner else []
    wanted = [Path(source) / file.path for file in sources_of(wildcards.study).files]
    return [str(path) for path in wanted if path.is_file()]


def observed_inputs(wildcards):
    """Tables of the observed trials of the tasks in this run, and their description."""
    folder = sources_of(wildcards.study).observed
    if folder is None:
        raise WorkflowError(f"No observed trials of study {wildcards.study} come with the project.")
    tables = checked(data_package.list_files, folder, study_of(wildcards.study).tasks)
    return [f"{folder}/{data_package.PACKAGE}", *(f"{folder}/{table.path}" for table in tables)]


def public_folder(wildcards):
    """Where the public files of a study are, or are fetched to, whatever this run is made from."""
    source = CONFIG.data.source
    if source in NAMED_SOURCES:
        return f"data/raw/{wildcards.study}/public"
    return source


def wanted_files(wildcards):
    """The raw files of the cohorts in this run."""
    described = study_of(wildcards.study)
    return [
        file.model_dump()
        for file in sources_of(wildcards.study).files
        if file.task in described.tasks
        and file.cohort in {None, *described.tasks[file.task].cohorts}
    ]


def trained(name):
    """Whether a study has judges to train."""
    if not CONFIG.judges.train or study_of(name).design != "verdicts":
        return False
    return bool(subset.only_trained(study_of(name)).tasks)


def of_trained(table):
    """Input function: a table of the judges trained here, where there are any."""
    return lambda w: [f"<results>/{w.study}/judges/{table}"] if trained(w.study) else []


def judges_to_train(wildcards):
    """Parameter function: what of a study training uses, and nothing that would retrain in vain."""
    return subset.only_trained(study_of(wildcards.study)).model_dump(mode="json")


def judged_by_language_models(name):
    """Verdicts of language models, where there is an endpoint to ask."""
    if name == CONFIG.study and CONFIG.llm.base_url:
        return [f"<results>/{name}/llm/judgments.parquet"]
    return []


def prompt_files(wildcards):
    """Templates of the prompts."""
    return sorted(str(path) for path in Path(CONFIG.llm.prompts).glob("*.txt"))


def submission(wildcards):
    """Pages to make for the configured file of responses."""
    if CONFIG.responses is None:
        raise WorkflowError(
            "benchmark needs a file of responses and their task:\n"
            "  snakemake benchmark --config responses=my_model.json task=caption"
        )
    known = study_of(CONFIG.study).tasks
    if CONFIG.task not in known:
        raise WorkflowError(f"task {CONFIG.task!r} is unknown; known: {', '.join(known)}")
    return f"<results>/{CONFIG.study}/benchmark/{CONFIG.submission}/page.html"


# Lists of names in parentheses may take several lines.
IMPORTS = re.compile(
    r"^ *(?:from ((?:turingstats|demo)\b[\w.]*) import (\([^)]*\)|.*)|import ((?:turingstats|demo)\b.*))",
    re.M,
)


@functools.cache
def imports(file):
    """Files of the library and of the generators that a Python file names in its import statements."""
    found = set()
    for package, listed, modules in IMPORTS.findall(Path(file).read_text()):
        names = [package, *(f"{package}.{name}" for name in re.findall(r"\w+", listed))]
        for name in names if package else re.findall(r"[\w.]+", modules):
            path = (PROJECT if name.split(".")[0] == "demo" else SCRIPTS) / name.replace(".", "/")
            # Importing a module runs those of the packages that it is in.
            packages = {folder / "__init__.py" for folder in (path, *path.parents)}
            found |= {p for p in (path.with_suffix(".py"), *packages) if p.is_file()}
    return found


@functools.cache
def code(*names):
    """The Python files that scripts or modules depend on, themselves included.

    They are inputs of the rules, so that an edited function reruns the jobs that use it, and no
    others. Names are relative to scripts/.
    """
    files, new = set(), {SCRIPTS / name for name in names}
    while new:
        files |= new
        new = set().union(*map(imports, new)) - files
    return sorted(os.path.relpath(file) for file in files)


def at_a_time(things):
    """Cores for a job that runs several tasks or models, each in a process of its own."""
    return max(1, min(6, len(things)))


def modules_of(package):
    """Modules in a folder of the project that are chosen by name while running, for `code`."""
    return sorted((PROJECT / package).rglob("*.py"))


def outdate_restored(log):
    """Date back the earlier outputs that a failed job left in place, so that they are made again."""
    text = "".join(Path(file).read_text() for file in log)
    for path in re.findall(r"Restored previous version of (.+) \(", text):
        # On a cluster Snakemake removes what it has restored.
        if os.path.exists(path):
            os.utime(path, (0, 0))


def print_glance():
    """Say at the end of a run what it was made from: a row a study, or a line on the configured one."""
    asked, results = workflow.dag_settings.targets, CONFIG.pathvars.results
    if "all_studies" in asked:
        rows = [
            at_a_glance.row_of(reported_study(name), f"{results}/{name}", ".") for name in STUDIES
        ]
        print("", *at_a_glance.lay_out(rows), f"Open {results}/index.html", sep="\n")
    elif not asked or "all" in asked:
        study = reported_study(CONFIG.study)
        print("", at_a_glance.summarize(study, f"{results}/{CONFIG.study}", "."), sep="\n")


def source_data(name):
    """Source data of the pictures of a study: captions tell what they hold."""
    pictures = [path for path in results_of(name) if path.endswith(tuple(CONFIG.figures.formats))]
    return sorted({f"{path.rpartition('.')[0]}.csv" for path in pictures})


def reported_study(name):
    """What a report says of a study beside its results."""
    described = study_of(name)
    return {
        "study": name,
        "design": described.design,
        "title": described.title,
        "reference": described.reference,
        "figures": {key: figure.title for key, figure in described.figures.items()},
        "tables": {
            # A table is its title, or rates with one.
            key: table if isinstance(table, str) else table.title
            for key, table in described.tables.items()
        },
        "notes": {key: getattr(table, "note", "") for key, table in described.tables.items()},
        "tasks": {key: task.label for key, task in whole_study_of(name).tasks.items()},
        "reading": reading_of(name),
        "readings": list(described.readings),
        "data": data_of(name),
        "called": described.called,
        "cohorts": cohorts_of(name, lambda cohort: True),
        # Others put trials together again, or judge here.
        "read_cohorts": cohorts_of(name, lambda cohort: not (cohort.pools or cohort.trained)),
    }


def cohorts_of(name, wanted):
    """Labels of the cohorts of a study that a function wants, by task and name."""
    if study_of(name).design != "verdicts":
        return {}
    return {
        task: {key: cohort.label for key, cohort in described.cohorts.items() if wanted(cohort)}
        for task, described in study_of(name).tasks.items()
    }
