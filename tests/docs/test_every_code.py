"""docs/checks.md describes every code that the program can give, and no other; docs/limits.md lists every limit."""

from __future__ import annotations

import ast
import re
from functools import cache

from codes import all_codes
from pages import ROOT, Page

from duckpress.core.limits import LIMITS, written
from running import run_json

PAGE = Page("checks").text
SECTIONS = {part.partition("\n")[0]: part for part in re.split(r"(?m)^### ", PAGE)[1:]}
ROWS = dict(re.findall(r"(?m)^\| `([a-z0-9-]+)` \| (.+) \|$", PAGE.partition("## What no example can show")[2]))


def test_no_code_is_described_that_is_never_given() -> None:
    assert {*SECTIONS, *ROWS} - set(all_codes()) == set()


def test_every_code_is_described_once() -> None:
    described = {*SECTIONS, *ROWS}
    missing = [f"{code}: {call}" for code, call in all_codes().items() if code not in described]
    assert missing == [], "docs/checks.md says nothing about these"
    assert set(SECTIONS) & set(ROWS) == set(), "these stand twice"


def test_a_section_says_what_is_wrong_and_shows_it() -> None:
    for code, section in SECTIONS.items():
        words = re.sub(r"(?ms)^```.*?^```", "", section).partition("\n")[2].partition("\n## ")[0].strip()
        assert len(words.split()) >= 4, f"### {code} says nothing"
        assert "file: " in section, f"### {code} has no example"


@cache
def texts_in(source: str) -> set[str]:
    """Return every text that stands in a test, and each code as it is printed in one: not what its comments say."""
    nodes = ast.walk(ast.parse(source))
    texts = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return texts.union(*(re.findall(r"(?:error|warning|note)\[([a-z0-9-]+)\]", text) for text in texts))


def test_what_no_example_shows_is_shown_by_a_test() -> None:
    paths = sorted(path for path in (ROOT / "tests").rglob("*.py") if path.parent.name != "docs")
    sources = [path.read_text(encoding="utf-8") for path in paths]

    def is_named(code: str) -> bool:
        return any(code in texts_in(source) for source in sources if code in source)

    assert [code for code in ROWS if not is_named(code)] == [], "no test names these"


LIMITS_PAGE = Page("limits").text
LIMIT_ROWS = re.findall(r"(?m)^\| `([a-z-]+)` \| ([^|]+) \| ([^|]+) \| ([^|]+) \| `?([^|`]+)`? \|$", LIMITS_PAGE)


def test_the_page_lists_the_limits_of_the_program_in_the_same_order() -> None:
    told = [(name, usual, unit, of) for name, usual, unit, of, _ in LIMIT_ROWS]
    assert told == [(name, written(one.usual), one.unit, one.of) for name, one in LIMITS.items()]
    assert {code for *_, code in LIMIT_ROWS} <= {*all_codes(), "status 2", "status 3", "none"}
    rows = run_json(ROOT, "limits")["limits"]
    assert [row["limit"] for row in rows] == list(LIMITS)
    assert all(f"`{key}`" in LIMITS_PAGE for key in rows[0])
    assert [name for name, one in LIMITS.items() if not 1 < one.usual < one.most] == []
