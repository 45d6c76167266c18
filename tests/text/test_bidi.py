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


def test_a_sign_beside_a_figure_goes_with_it() -> None:
    assert list(levels_of(classes_of("5% א"), 1, "5% א")) == [2, 2, 1, 1]
