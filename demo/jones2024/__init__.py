"""Generated games of "People cannot distinguish GPT-4 from a human" and its public Turing test."""
