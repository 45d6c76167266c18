"""Where the expressions of a text are."""

from __future__ import annotations

from duckpress.expressions.parsing import fill_holes, holes


def test_holes_of_a_text() -> None:
    assert [hole[:2] for hole in holes("a {{ b }} c {{d}}")] == [("b", 5), ("d", 14)]
    assert fill_holes("a {{ b }} c {{d}}", lambda text, at: f"<{text}{at}>") == "a <b5> c <d14>"
