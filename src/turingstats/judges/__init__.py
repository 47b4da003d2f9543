"""Machine judges: verdicts on responses by models, in the same table as people's verdicts.

`svm` trains judges here; `llm` asks language models at an `endpoint`.
"""
