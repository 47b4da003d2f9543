"""From raw files to the tables of the data contract, and from these to counts."""
