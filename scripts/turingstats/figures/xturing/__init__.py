"""Figures of X-Turing whose panels have places of their own."""
