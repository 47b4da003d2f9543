"""Convert the public raw files of Zhang et al. (2025) to a data package.

A format is a module of this package with a function ``read(file, folder, study)``, or another function of a
module by its name (``sessions.read_labels``), that returns tables of the data contract by name. The lists in
files/ refer to it by name. Every record passes a model of what is read of it (`records`).

Identifiers of people and machines (worker ids, addresses, browser strings) are dropped while reading. Judges
get pseudonyms in order of first appearance in a file, people get numbers in order of first appearance in the
study.
"""
