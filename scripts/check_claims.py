"""Check what papers print against the recomputed numbers, and write the ledger."""

import gc

# A job ends soon, and leaves little garbage: to look for it takes a sixth of the time.
gc.disable()

from pathlib import Path

from turingstats.claims import ledger, overview
from turingstats.config.study import Comparison
from turingstats.core import files
from turingstats.core.errors import report_errors
from turingstats.data import protocol
from turingstats.stages import check
from turingstats.stages.draw import Drawing, Style, draw_figure

with report_errors(snakemake.log[0]):
    given, params = snakemake.input, snakemake.params
    folder = Path(snakemake.output[0]).parent
    settings = protocol.list_settings(params.study, params.confidence, params.judges)
    tables = {Path(path).stem: files.read_frame(path) for path in given.tables}
    tables |= {"settings": settings.assign(data=params.data)}
    recomputed = ledger.Recomputed(
        tables=tables,
        missing=files.read_frame(given.missing),
        comparisons=[Comparison(**declared) for declared in params.comparisons],
        tasks=params.tasks,
        pools=params.pools,
        data=params.data,
    )
    all_tasks = sorted(params.study["tasks"])
    claims, checks = check.check_claims(
        recomputed, given.claims, given.known, given.notebooks, all_tasks
    )
    files.write_frame(claims, folder / "claims.csv")
    files.write_frame(checks, folder / "consistency.csv")
    files.write_frame(tables["settings"], folder / "settings.csv")
    files.write_frame(ledger.count_statuses(claims), folder / "summary.csv")
    if given.notebooks:
        compared = check.check_notebooks(recomputed, given.notebooks, all_tasks)
        by = ["paper", "notebook", "task"]
        files.write_frame(compared, folder / "notebooks.csv")
        files.write_frame(ledger.count_statuses(compared, by), folder / "notebooks_summary.csv")
    shown = {Path(path).stem: files.read_frame(path) for path in given.figures}
    check.write_ledger_pages(folder, tables, shown, params.labels, bool(given.notebooks))
    drawing = Drawing(overview.draw, folder / "claims_overview.csv", params.about)
    draw_figure(drawing, Style(**params.style))
    print(ledger.count_statuses(claims).to_string(index=False))
