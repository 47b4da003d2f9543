"""Machine judges: responses go in, verdicts in the judgments table come out."""
