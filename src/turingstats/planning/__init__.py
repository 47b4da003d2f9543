"""A planned study: what is assumed of it, power and cost of its designs."""
