"""Maintenance tools: checks of accepted numbers, benchmarks, calibration, and generated documents.

Run from the top of the project, as `PYTHONPATH=src python -m tools.check`; the Makefile does this.
"""

from pathlib import Path

ROOT = Path(__file__).parents[1]
"""The top of the project."""
