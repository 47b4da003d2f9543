"""Generated choices of X-Turing."""
