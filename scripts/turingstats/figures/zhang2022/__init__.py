"""Figures of the version of 2022 whose panels have places of their own."""
