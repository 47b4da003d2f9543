"""All studies on one scale: the odds that an agent is called human, against those of a person.

`odds_ratios` measures them, from verdicts or from the counts that papers print; `gather` decides what enters.
"""
