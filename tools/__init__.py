"""What keeps the project in order: checks of accepted numbers, benchmarks, calibration, and its documents.

Started from the top of the project, as `PYTHONPATH=scripts python -m tools.check`; the Makefile does so.
"""
