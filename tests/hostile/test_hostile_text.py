"""Texts from strangers: 200 kB without a space, 10^5 marks, thousands of emphases; set or said, and at once."""

from __future__ import annotations

import pytest
from confined import confined

from duckpress.core.geometry import Rect
from duckpress.core.language import Speech
from duckpress.layout.rulebook.filling import fill as fill_rules
from duckpress.layout.rulebook.filling import typed_numbers
from duckpress.layout.rulebook.markdown import MarkdownReader
from profiles import is_long
from setting import BODY, LIBRARY, typesetter

BOX = Rect(0.0, 0.0, 60.0, 80.0)
STYLES = {
    "en": BODY._replace(is_hyphenated=True),
    "fr": BODY._replace(caps="small", align="center"),
    "tr": BODY._replace(caps="upper", align="justify", tracking=40.0),
}

TEXTS = {
    "30-no-spaces": "a" * 200_000,
    "30-nested-bold": "<b>" * 5_000 + "x" + "</b>" * 5_000,
    "30-nested-emphasis": "**a *b " * 5_000 + "c* d** " * 5_000,
    "17-overrides": "\u202e\u2066" * 50_000 + "x",
    "17-half-characters": "\ud800" * 50_000,
    "x-many-words-to-hyphenate": "internationalisation-" * 4_000,
    "x-combining-marks": "a" + "\u0301" * 100_000,
    "x-emoji-joined": "\U0001f986\u200d" * 20_000,
    "x-long-word-to-hyphenate": "abcdefghij" * 10_000,
    "x-soft-hyphens": "a\u00ad" * 50_000,
    "x-openings-and-other-closings": "**a " * 30_000 + "b* " * 30_000,
    "x-unknown-icons": "{nope}" * 15_000,
    "x-icons": "{shot}" * 30_000,
    "x-fields": "{=x} " * 10_000,
    "x-backslashes": "\\" * 100_000,
    "x-line-breaks": "\n" * 100_000,
    "x-items": "- a\n" * 15_000,
    "x-folded-lines": "a\\\n" * 30_000,
    "x-blanks": " " * 200_000,
    "x-quotes": '"' * 60_000,
    "x-french-quotes": "« " * 50_000,
    "x-no-font-has-it": "\U000f0000" * 40_000,
    "x-right-to-left": "\u0627" * 40_000,
}


def set_text(text: str, language: str) -> tuple[float, float, int]:
    """Set a text; gives its size, by how much it is over, and its items."""
    fitted = typesetter(language).fit(text, STYLES[language], BOX, values={"x": "y" * 100})
    return fitted.size_pt, fitted.over_mm, len(fitted.items)


@pytest.fixture(scope="module", autouse=True)
def _fonts() -> None:
    LIBRARY.typeface("Alegreya Sans")  # read once, before the processes are made


@pytest.mark.sweep(25)
@pytest.mark.parametrize("name", TEXTS)
def test_a_hostile_text(name: str) -> None:
    for language in STYLES if is_long() else ("fr",) if "french" in name or "quotes" in name else ("en",):
        size_pt, over_mm, count = confined(set_text, TEXTS[name], language)
        assert size_pt >= BODY.min_pt
        assert count == 0 or over_mm > 0 or size_pt <= BODY.size_pt


# Our own patterns, with what makes patterns of that kind go back and forth.
LINES = {
    "heading": "# " + " " * 100_000 + "x",
    "rule": "- " * 50_000 + "x",
    "table": "a|b\n" + " " * 100_000 + "|x",
    "picture": "![" + "\\" * 99_999,
    "brackets": "[" * 100_000,
    "unclosed": "{{ " * 60_000 + "\n3 }}",
}


def read_rules(text: str) -> int:
    """Fill and read a rules sheet, and look for numbers in it; gives how many blocks it has."""
    lines, _ = fill_rules(text, "content/g/rules.md", {}, Speech())
    list(typed_numbers(text, "content/g/rules.md", {3: "n"}))
    return len(MarkdownReader("content/g/rules.md", text.split("\n")).blocks(lines))


@pytest.mark.sweep(3)
@pytest.mark.parametrize("name", LINES)
def test_x_a_long_line_of_rules(name: str) -> None:
    assert confined(read_rules, LINES[name]) >= 0
