"""The figures of Zhang et al. (2025), one module each, with the places of the panels."""
