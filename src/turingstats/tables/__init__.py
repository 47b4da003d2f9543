"""Tables of a paper, each as CSV, LaTeX and HTML."""
