"""Contrast and colour differences against published figures."""

from __future__ import annotations

import pytest

from duckpress.layout.legibility.checks import GREY, SIMULATIONS, contrast, difference


@pytest.mark.parametrize(
    ("one", "other", "ratio"),
    [
        ("#000000", "#ffffff", 21.0),
        ("#767676", "#ffffff", 4.54),  # the lightest grey on white that passes AA
        ("#777777", "#ffffff", 4.48),
        ("#ff0000", "#ffffff", 4.0),
        ("#0000ff", "#ffffff", 8.59),
        ("#123456", "#123456", 1.0),
    ],
)
def test_contrast_is_that_of_wcag(one: str, other: str, ratio: float) -> None:
    assert contrast(one, other) == pytest.approx(ratio, abs=0.005)
    assert contrast(other, one) == contrast(one, other)


def test_lab_differences() -> None:
    # Lindbloom's calculator, D65: L* of #777777 is 50.03, red is (53.24, 80.09, 67.20).
    assert difference("#777777", "#000000", "") == pytest.approx(50.03, abs=0.1)
    assert difference("#ff0000", "#000000", "") == pytest.approx((53.24**2 + 80.09**2 + 67.2**2) ** 0.5, abs=0.2)


def test_each_kind_of_eye_loses_its_own_difference() -> None:
    pairs = {
        "protanopia": ("#b40000", "#3f3f00"),
        "deuteranopia": ("#d05040", "#8a7a38"),
        "tritanopia": ("#0080a0", "#008080"),
    }
    for vision, (one, other) in pairs.items():
        assert difference(one, other, vision) < difference(one, other, "") / 2, vision


def test_greys_look_the_same_to_all() -> None:
    for vision in SIMULATIONS:
        assert difference("#404040", "#c0c0c0", vision) == pytest.approx(difference("#404040", "#c0c0c0", ""), abs=0.5)
    assert difference("#ff0000", "#ff0000", GREY) == 0
    assert difference("#c04040", "#4d754d", GREY) < 4
