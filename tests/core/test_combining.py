"""Marks on letters: as many as languages write, and where there are too many of them."""

from __future__ import annotations

from duckpress.content.yaml.syntax_errors import _marks_over as marks_over

ACUTE = "\u0301"
REAL = (
    "Tie\u0302\u0301ng Vie\u0323\u0302t",
    "בְּרֵאשִׁ֖ית בָּרָ֣א אֱלֹהִ֑ים",
    "ش\u0651\u0650\u0640\u0651\u064e\u0670",
    "น้ำที่ปั๊ม",
    "क्षत्रिय",
    "བསྒྲུབས",
    "ä\u0331\u0303\u0301\u0300\u0302",
    "x\u0301" * 500,
    "―" * 90 + "…" * 90,
    "👩🏽‍🤝‍👩🏿" * 90,
)


def test_real_text_is_never_stopped() -> None:
    assert [text for text in REAL if list(marks_over(text * 20))] == []


def test_thirty_are_allowed_and_one_more_is_told_with_its_place_and_number() -> None:
    assert list(marks_over("ba" + ACUTE * 30 + "b")) == []
    assert list(marks_over("ba" + ACUTE * 31 + "b")) == [(2, 31)]
    assert list(marks_over("—ba" + ACUTE * 40 + " c" + "\u0302\u0323" * 20)) == [(3, 40), (45, 40)]
    assert list(marks_over(ACUTE * 31)) == [(0, 31)]
    assert list(marks_over("a" + f"{ACUTE}\u200d" * 31)) == [(1, 31)], "a joiner between marks parts nothing"
