"""Record what the results were made from."""

import json

from turingstats.core import files
from turingstats.core.errors import report_errors
from turingstats.data import provenance

with report_errors(snakemake.log[0]):
    raw = files.read_frame(snakemake.input.sources)
    source = {"kind": snakemake.params.source, "commit": raw["commit"].iloc[0]}
    source["sha256"] = dict(zip(raw["path"], raw["sha256"], strict=True))
    described = provenance.describe_run(snakemake.params.config, source)
    files.write_text(json.dumps(described, indent=2) + "\n", snakemake.output[0])
