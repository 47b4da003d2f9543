"""Measures of a text, by name."""

CLASSES = {
    "determiners": ("DT", "PDT", "WDT"),
    "adjectives": ("JJ", "JJR", "JJS"),
    "nouns": ("NN", "NNS", "NNP", "NNPS"),
    "adverbs": ("RB", "RBR", "RBS", "WRB"),
    "verbs": ("VBZ", "VB", "VBD", "VBG", "VBN", "VBP"),
    "prepositions": ("IN",),
}
"""Tags by part of speech; the published reading counts only the first."""

MEASURES = {
    "words": "words",
    "characters": "characters",
    "capitals": "capital letters",
    "punctuation": "punctuation marks",
    **{name: name for name in CLASSES},
    "letters": "letters per word",
    "frequency": "word frequency",
}
"""Labels of measures."""
