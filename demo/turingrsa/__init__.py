"""Generated similarity ratings."""
