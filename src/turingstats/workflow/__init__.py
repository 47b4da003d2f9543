"""Plans of a run: what it makes of a study, and which files its jobs depend on."""
