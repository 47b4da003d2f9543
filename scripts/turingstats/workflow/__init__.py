"""What a run makes of a study, and which files its jobs depend on: all that the rules ask."""
