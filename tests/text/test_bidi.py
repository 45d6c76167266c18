"""Levels and orders of Unicode's own cases, and of mixed lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from duckpress.text.bidi import classes_of, drawing_order, is_right_to_left, levels_of

CASES = (Path(__file__).parent / "bidi_cases.txt").read_text("utf-8").splitlines()


@pytest.mark.parametrize("case", [case for case in CASES if case[:1] != "#"])
def test_cases_of_unicode_come_out(case: str) -> None:
    characters, asked, base, levels, order = case.split(";")
    text = "".join(chr(int(code, 16)) for code in characters.split())
    assert int(base) == (int(is_right_to_left(text)) if asked == "2" else int(asked))
    found = levels_of(classes_of(text), int(base), text)
    wanted = levels.split()
    kept = [at for at, level in enumerate(wanted) if level != "x"]
    assert [found[at] for at in kept] == [int(wanted[at]) for at in kept]
    assert [kept[at] for at in drawing_order([found[at] for at in kept])] == list(map(int, order.split()))


@pytest.mark.parametrize(
    ("text", "base", "levels"),
    [
        ("אב 12 ab", 1, "11122122"),
        ("ab (אב) c", 0, "000011000"),
        ("אב (ab) ג", 1, "111122111"),
        ("א 1-2 ב", 1, "1122211"),  # a hyphen within figures goes with them
        ("ع 1-2", 1, "11212"),  # but not within those of Arabic
        ("5% א", 1, "2211"),
        ("a\u2067א b\u2069 c", 0, "0011200"),  # an isolate
        ("א\u00adב", 1, "111"),
        ("", 1, ""),
    ],
)
def test_levels(text: str, base: int, levels: str) -> None:
    found = "".join(map(str, levels_of(classes_of(text), base, text)))
    assert found.startswith(levels) or levels == found
