import json
import re
from html.parser import HTMLParser

import pytest

from stages.page import html
from stages.page.answer import Beaten, Row
from stages.page.figure import Figure
from stages.page.gallery import Gallery
from stages.page.page import Section, page
from stages.page.table import Table
from tests.page.made import HOSTILE


class Elements(HTMLParser):
    """Collect the elements and attributes of a page."""

    def __init__(self):
        super().__init__()
        self.names, self.attributes = set(), set()

    def handle_starttag(self, tag, attrs):
        self.names.add(tag)
        self.attributes |= {name for name, _ in attrs}


def made_page(text):
    row = ["id", "cleared", "systematicity", "HN-Atom", "SC", None, 0, 1, 1, "right", [text, "b"], [0.2, 0.1]]
    shown = Gallery([row], [["AAAA"]])
    table = Table(text, [text, text], [[text, text]])
    cell = Beaten(Figure(50.0, (40.0, 60.0), 90, 20.0), Figure(20.0, (10.0, 30.0), 90, 20.0), text, "yes")
    said = {"answer": [Row(text, text, 20.0, [cell, None])], "heads": [text, text], "legend": {text: text}, "sentences": [text]}
    example = dict.fromkeys(("type", "right", "truth", "other"), text) | {"picture": "data:image/jpeg;base64,AAAA"}
    said |= {"examples": [example], "pictures": []}
    return page(shown, name=text, about=text, sections=[Section("x", text, text, [table])], notes=[text], **said)


@pytest.mark.parametrize("text", HOSTILE)
def test_strangers_text_stays_text(text):
    made = made_page(text)
    # The page has only its own elements: one script to run, and two with data.
    assert len(re.findall(r"<script", made)) == len(re.findall(r"</script", made)) == 3
    elements = Elements()
    elements.feed(made)
    assert made.count("<img") == 1 and not any(name.startswith("on") for name in elements.attributes)
    data = re.search(r'<script type="application/json" id="queries">(.*?)</script>', made, re.DOTALL)
    assert json.loads(data[1])["rows"][0][10][0] == text


def test_only_our_script_may_run_and_nothing_may_be_loaded():
    made = made_page("x")
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', made)[1].replace("&#39;", "'")
    script = re.search(r"<script>(.*?)</script>", made, re.DOTALL)[1]
    assert policy == html.policy(script)
    assert policy.startswith("default-src 'none'") and "unsafe-eval" not in policy and "http" not in policy
    assert not re.search(r'(?:src|href)="(?!#|data:)', made)
