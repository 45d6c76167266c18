"""How a language writes numbers: the decimal sign, and what groups thousands.

Source: Unicode CLDR 47, common/main/*.xml: `decimal`, `group`, `minimumGroupingDigits`.
"""

from __future__ import annotations

from msgspec import Struct

NARROW = "\u202f"  # narrow no-break space
NO_BREAK = "\u00a0"


class _Signs(Struct, frozen=True):
    """`least_grouped` is the fewest digits that are grouped: 1000, but 10.000, where it is 5."""

    decimal: str
    group: str
    least_grouped: int = 4


_ENGLISH = _Signs(".", ",")
_SIGNS = {
    "cs": _Signs(",", NO_BREAK),
    "da": _Signs(",", "."),
    "de": _Signs(",", "."),
    "de-CH": _Signs(".", "’"),
    "en": _ENGLISH,
    "es": _Signs(",", ".", 5),
    "fi": _Signs(",", NO_BREAK),
    "fr": _Signs(",", NARROW),
    "fr-CA": _Signs(",", NO_BREAK),
    "it": _Signs(",", ".", 5),
    "nb": _Signs(",", NO_BREAK),
    "nl": _Signs(",", "."),
    "pl": _Signs(",", NO_BREAK, 5),
    "pt": _Signs(",", "."),
    "pt-PT": _Signs(",", NO_BREAK, 5),
    "ru": _Signs(",", NO_BREAK),
    "sk": _Signs(",", NO_BREAK),
    "sv": _Signs(",", NO_BREAK),
    "uk": _Signs(",", NO_BREAK),
}


def write_number(language: str, value: float, decimals: int | None = None) -> str:
    """Return a number as a language writes it; with so many decimals, or with those it has (ten at most)."""
    signs = _SIGNS.get(language) or _SIGNS.get(language.partition("-")[0]) or _ENGLISH
    plain = f"{abs(value):.{decimals}f}" if decimals is not None else f"{abs(value):.10f}".rstrip("0").rstrip(".")
    whole, _, fraction = plain.partition(".")
    if len(whole) >= signs.least_grouped:
        whole = f"{int(whole):,}".replace(",", signs.group)
    minus = "−" if value < 0 and plain.strip("0.") else ""
    return minus + whole + (signs.decimal + fraction if fraction else "")
