"""Input of a run: configuration, study files, and the source of raw files."""
