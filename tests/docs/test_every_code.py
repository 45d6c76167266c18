"""docs/checks.md describes every code that the program can give, and no other; each has an example or a test."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest
from codes import all_codes

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "checks.md").read_text(encoding="utf-8")
SECTIONS = {part.partition("\n")[0]: part for part in re.split(r"(?m)^### ", PAGE)[1:]}
ROWS = dict(re.findall(r"(?m)^\| `([a-z0-9-]+)` \| (.+) \|$", PAGE.partition("## What no example can show")[2]))
GIVEN = all_codes()


def test_no_code_is_described_that_is_never_given() -> None:
    assert {*SECTIONS, *ROWS} <= set(GIVEN)


@pytest.mark.parametrize("code", GIVEN)
def test_a_code_is_described(code: str) -> None:
    assert code in SECTIONS or code in ROWS, f"docs/checks.md says nothing about {code}: {GIVEN[code]}"
    assert not (code in SECTIONS and code in ROWS), f"{code} stands twice"


@pytest.mark.parametrize("code", SECTIONS)
def test_a_section_says_what_is_wrong_and_shows_it(code: str) -> None:
    words = re.sub(r"(?ms)^```.*?^```", "", SECTIONS[code]).partition("\n")[2].partition("\n## ")[0].strip()
    assert len(words.split()) >= 4, f"### {code} says nothing"
    assert "file: " in SECTIONS[code], f"### {code} has no example"


@cache
def texts_of_tests() -> set[str]:
    """Give every text that stands in a test, those of these pages left out."""
    return {
        text.value
        for path in (ROOT / "tests").rglob("*.py")
        if path.parent.name != "docs"
        for text in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(text, ast.Constant) and isinstance(text.value, str)
    }


@pytest.mark.parametrize("code", ROWS)
def test_what_no_example_shows_is_shown_by_a_test(code: str) -> None:
    assert code in texts_of_tests(), f"no test names {code}"
