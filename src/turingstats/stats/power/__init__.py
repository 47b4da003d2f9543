"""Power and precision of a planned study: exact where theory has a formula, by simulation otherwise."""
