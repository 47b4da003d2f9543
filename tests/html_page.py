"""What a written page holds, for tests of reports and of claims."""

from html.parser import HTMLParser

VOID = {"meta", "input", "br", "link", "img", "hr"}


class Page(HTMLParser):
    """Ids, links, loaded files, rows and text of a page, of which every element is closed."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.loaded, self.rows = [], [], [], []
        self.open, self.text = [], ""
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag not in VOID:
            self.open.append(tag)
        self.ids += [attrs["id"]] if "id" in attrs else []
        self.links += [attrs["href"]] if tag == "a" and "href" in attrs else []
        self.rows += [attrs | {"text": ""}] if tag == "tr" else []
        self.loaded += [attrs[name] for name in ("src", "srcset") if name in attrs]
        self.loaded += [attrs["href"]] if tag == "link" else []

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data
        if self.rows and "tr" in self.open:
            self.rows[-1]["text"] += data + " "
