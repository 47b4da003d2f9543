"""Power and precision of a study to come: exact where theory has a formula, by simulation otherwise."""
