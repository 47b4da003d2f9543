"""Formats of the raw files behind Zhang et al. 2022 and 2025: trials as JSON, and tables of psiTurk."""
