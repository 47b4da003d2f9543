"""Machine judges: verdicts on responses by models, in the table that holds people's verdicts too.

Judges trained here follow the data through `embeddings` (texts to vectors), `features` (responses to
what a judge sees), `audit` (what in the data would make its task trivial), `svm` (training, and
verdicts on responses it was not trained on), `evaluation` (how good its scores are) and `training`,
which does all of it for one task.
"""
