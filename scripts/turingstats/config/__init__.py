"""What a run is told: configuration, study files, and where raw files come from."""
