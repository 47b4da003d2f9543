"""A package as a Workflow Run RO-Crate: its files, the workflow, and the run that made them."""

import datetime
import shutil
from pathlib import Path

from rocrate.model.contextentity import ContextEntity
from rocrate.rocrate import ROCrate

import turingstats
from turingstats.export.package import list_files

PROFILES = {
    "https://w3id.org/ro/wfrun/process/0.5": "Process Run Crate",
    "https://w3id.org/ro/wfrun/workflow/0.5": "Workflow Run Crate",
    "https://w3id.org/workflowhub/workflow-ro-crate/1.0": "Workflow RO-Crate",
}
WORKFLOW = "workflow/turingstats.smk"
"""The main file of the rules under a name that Snakemake does not run by itself."""
TYPES = {
    ".csv": "text/csv", ".json": "application/json", ".yaml": "application/yaml", ".html": "text/html",
    ".pdf": "application/pdf", ".svg": "image/svg+xml", ".png": "image/png", ".md": "text/markdown",
    ".tex": "application/x-tex", ".parquet": "application/vnd.apache.parquet",
}  # fmt: skip


RUN = {
    "@type": "CreateAction",
    "description": "Computes every statistic, table and figure of the study from its trials.",
    "actionStatus": "http://schema.org/CompletedActionStatus",
}


def write_crate(name: str, folder: Path, project: Path, ended: datetime.datetime) -> None:
    """Describe the files of a package, and the run that made its results."""
    (folder / WORKFLOW).parent.mkdir(exist_ok=True)
    shutil.copy(project / "Snakefile", folder / WORKFLOW)
    crate = ROCrate(version="1.1")
    crate.name = f"{name}: data, configuration and results of a Turing-like test"
    crate.description = (
        f"Trials of the study {name}, its configuration, and every statistic, table and figure that the "
        f"workflow turingstats {turingstats.__version__} computes from them."
    )
    crate.license = "The authors of the study state the license of its data."
    crate.datePublished = ended
    files = {
        path.as_posix(): crate.add_file(
            folder / path,
            path.as_posix(),
            properties={"name": path.name, "encodingFormat": TYPES.get(path.suffix, "text/plain")},
        )
        for path in list_files(folder)
        if path.as_posix() != WORKFLOW
    }
    workflow = crate.add_workflow(
        folder / WORKFLOW,
        WORKFLOW,
        main=True,
        lang="snakemake",
        properties={"name": "turingstats", "version": turingstats.__version__},
    )
    crate.root_dataset["conformsTo"] = [
        crate.add(
            ContextEntity(
                crate, url, {"@type": "CreativeWork", "name": title, "version": url.split("/")[-1]}
            )
        )
        for url, title in PROFILES.items()
    ]
    action = RUN | {
        "name": f"turingstats run {name}",
        "endTime": ended.isoformat(timespec="seconds"),
    }
    run = ContextEntity(crate, "#run", action)
    run["instrument"] = workflow
    made = {path for path in files if path.startswith("results/")}
    run["object"] = [file for path, file in files.items() if path.startswith(("data/", "config/"))]
    run["result"] = [files[path] for path in sorted(made)]
    crate.add(run)
    crate.root_dataset["mentions"] = run
    crate.metadata.write(folder)
