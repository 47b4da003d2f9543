"""What a run makes of a study and which files a job depends on: all that the rules ask, unknown to Snakemake."""
