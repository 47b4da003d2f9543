"""Machine judges: verdicts on responses by models, in the table that holds people's verdicts too.

`svm` trains judges here; `llm` asks language models at an `endpoint`; `embeddings` turns texts to vectors.
"""
