"""The declared models of a study: verdicts of single trials, with random effects of judges and stimuli.

A study file declares them under `models:` (`turingstats.config.study.VerdictModel`). The response is usually
`said_machine`: the verdict was "machine". On the logit scale, the effect of an agent relative to people
is then how well judges discriminate it from people (0 is chance), and the intercept is their bias towards
machine. Random terms `(1 | judge) + (1 | judge:made_by) + (1 | stimulus:made_by)` let judges differ in
both, and let the responses to a stimulus look more or less like a machine's.

Models use the trials of the recommended reading. `turingstats.analysis.models.counterparts` shows each
published test next to the same question asked of a model.
"""
