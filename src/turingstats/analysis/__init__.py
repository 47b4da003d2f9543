"""From counts and verdicts to tables of statistics, one module per table."""
