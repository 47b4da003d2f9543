"""Train machine judges, or take those that were trained before on the same responses by the same code."""

import itertools
import json
from pathlib import Path

import pandas as pd

from turingstats.config.settings import Judges
from turingstats.config.study import Study
from turingstats.core import files, parallel
from turingstats.core.code_dependencies import describe_code
from turingstats.core.yaml_models import READINGS
from turingstats.data import schema

PROJECT = Path(__file__).parents[4]
COLUMNS = {
    "judgments": list(schema.JUDGMENTS),
    "scores": schema.RESULTS["machine_scores"],
    "evaluation": schema.RESULTS["machine_evaluation"],
    "audit": schema.RESULTS["machine_audit"],
}
"""Columns of the tables that training makes."""


def train_all(
    responses: pd.DataFrame,
    study: Study,
    training: Judges,
    seed: int,
    level: float,
    workers: int = 1,
) -> dict[str, pd.DataFrame]:
    """Train the judges of all tasks, one cohort and reading per process; return their judgments, scores and
    evaluation, and an audit of each task.
    """
    asked, kept = [], []
    for name, task in study.tasks.items():
        cohorts = [cohort for cohort, spec in task.cohorts.items() if spec.trained]
        own = responses[responses["task"] == name]
        digest = digest_task(own, study, name, training, seed, level) if training.cache else ""
        for cohort, reading in itertools.product(cohorts, READINGS):
            asked.append((own, study, name, cohort, reading, training, seed, level))
            if training.cache:
                folder = f"{study.study}.{name}.{cohort}.{reading}-{digest}"
                kept.append(Path(training.cache, folder))
    made = {
        number: {path.stem: files.read_frame(path) for path in folder.glob("*.parquet")}
        for number, folder in enumerate(kept)
        if (folder / "evaluation.parquet").exists()
    }
    missing = [number for number in range(len(asked)) if number not in made]
    if missing:
        # Its libraries take longer to import than what is kept takes to read.
        from turingstats.judges.svm import training as trainer

        trained = parallel.call_in_parallel(
            trainer.train_cohort,
            [asked[number] for number in missing],
            workers,
            lambda each: len(each[0]),
        )
        made |= dict(zip(missing, trained, strict=True))
        for number in missing if kept else ():
            # Every judge has an evaluation: where it is, the rest was written before.
            for name in sorted(made[number], key="evaluation".__eq__):
                files.write_frame(made[number][name], kept[number] / f"{name}.parquet")
    tables = {}
    for name, columns in COLUMNS.items():
        parts = [made[number][name] for number in sorted(made) if name in made[number]]
        tables[name] = pd.concat([pd.DataFrame(columns=columns), *parts], ignore_index=True)[
            columns
        ]
    return tables | {"judgments": schema.check_judgments(tables["judgments"], "trained judges")}


def digest_task(
    responses: pd.DataFrame, study: Study, task: str, options: Judges, seed: int, level: float
) -> str:
    """Digest all that the judges of a task depend on, with the code and the packages."""
    code = describe_code(("judges.svm.training:train_cohort",), PROJECT)
    described = study.tasks[task].model_dump(mode="json")
    known = [described, options.model_dump(exclude={"cache"}), seed, level, code]
    rows = pd.util.hash_pandas_object(responses, index=False).to_numpy().tobytes()
    return files.digest_bytes(json.dumps(known).encode() + rows).removeprefix("sha256:")[:16]
