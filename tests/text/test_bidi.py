"""Levels and orders of Unicode's own cases, and of random ones held against rules that are written otherwise."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from duckpress.text.bidi import CLASSES, classes_of, drawing_order, is_right_to_left, levels_of

CASES = (Path(__file__).parent / "bidi_cases.txt").read_text("utf-8").splitlines()


@pytest.mark.parametrize("case", [case for case in CASES if case[:1] != "#"])
@pytest.mark.sweep(4)
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


def _level_of_class(classes: list[str], base: int) -> list[int]:
    """Return levels of strong letters, figures and blanks, by rules written for these alone."""
    own, levels = "LR"[base], []

    def strong(at: int) -> str:
        return next((one for one in reversed(classes[:at]) if one in ("L", "R")), own)

    def way(places: range) -> str:
        at = next((at for at in places if classes[at] != "WS"), None)
        if at is None:
            return own
        return "L" if classes[at] == "L" or (classes[at] == "EN" and strong(at) == "L") else "R"

    for at, one in enumerate(classes):
        if one == "WS":
            before, after = way(range(at - 1, -1, -1)), way(range(at + 1, len(classes)))
            is_tail = set(classes[at:]) == {"WS"}
            levels.append(base if is_tail or (before if before == after else own) == own else base + 1)
        elif one == "EN":
            levels.append(base if strong(at) == "L" and base == 0 else 2)
        else:
            levels.append(base if own == one else base + 1)
    return levels


def test_random_lines_hold_against_plain_rules() -> None:
    chance = random.Random(9)
    for _ in range(2000):
        classes, base = chance.choices(("L", "R", "EN", "WS"), k=chance.randint(1, 12)), chance.randint(0, 1)
        found = list(levels_of("".join(CLASSES[one] for one in classes), base))
        assert found == _level_of_class(classes, base), (classes, base)
