"""A study as a package that others can check: data without ids of people, results, checksums."""
