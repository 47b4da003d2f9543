"""A table of verdicts whose labels would run as a script, a formula or a command."""

from project import read_example

MARK = "document.documentElement.dataset.ran"
NASTY = (
    f"=cmd()|'/C calc'!A1 \"q\" <script>{MARK}=1</script></style></title><img src=x onerror={MARK}=2>"
    f"'\"><svg onload={MARK}=3> javascript:{MARK}=4 {{{{ 7*7 }}}} \\input{{/etc/passwd}} "
    "$x$ %&#_{~^ \x1b[31mred \u202ertl\u2066 \U0001f600 two\nlines " + "x" * 200 + " long" * 30
)
AGENTS = {"GPT-4o": NASTY, "Llama 3": "-5+2", "Markov chain": "@bot"}


def write_nasty_table(path):
    """Write the example of a table of one's own with such labels of agents, stimuli and topics."""
    trials = read_example("trials")
    trials["written_by"] = trials["written_by"].replace(AGENTS)
    trials["topic"] = ["+b" if text[-1] < "4" else NASTY[:99] for text in trials["text_id"]]
    trials["text_id"] = "=" + trials["text_id"] + NASTY[20:90]
    trials.to_csv(path, index=False)
