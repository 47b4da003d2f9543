"""A study to come: what is assumed of it, power and cost of its designs."""
