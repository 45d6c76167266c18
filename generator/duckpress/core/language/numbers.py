"""How a language writes numbers (the decimal sign, what groups thousands), and which plural form a number takes.

Source: Unicode CLDR 47, common/main/*.xml: `decimal`, `group`, `minimumGroupingDigits`; and for the cardinal categories
common/supplemental/plurals.xml: `i` is the whole part of a number, `v` how many digits stand behind its decimal sign.
The forms for compact numbers (1 M) are left out: no card says so.
"""

from __future__ import annotations

from collections.abc import Callable

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
    "en": _ENGLISH,
    "de-CH": _Signs(".", "’"),
    "fr": _Signs(",", NARROW),
    **dict.fromkeys(("da", "de", "nl", "pt"), _Signs(",", ".")),
    **dict.fromkeys(("es", "it"), _Signs(",", ".", 5)),
    **dict.fromkeys(("cs", "fi", "fr-CA", "nb", "ru", "sk", "sv", "uk"), _Signs(",", NO_BREAK)),
    **dict.fromkeys(("pl", "pt-PT"), _Signs(",", NO_BREAK, 5)),
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


CATEGORIES = ("zero", "one", "two", "few", "many", "other")

_Rule = Callable[[float, int, int], str]


def category(language: str, number: float) -> str:
    """Return the plural category of a number; a language that is not listed here counts as English does."""
    rule = _RULES.get(language) or _RULES.get(language.partition("-")[0]) or _one_alone
    size = abs(number)
    whole = int(size)
    decimals = 0 if size == whole else len(f"{size:.10f}".rstrip("0").partition(".")[2])
    return rule(size, whole, decimals)


def categories(language: str) -> tuple[str, ...]:
    """Return the categories that a language tells apart in whole numbers up to a thousand and in fractions."""
    used = {category(language, number) for number in (*range(201), 1000, 0.5, 1.5)}
    used |= {"many"} if category(language, 1_000_000) == "many" else set()
    return tuple(name for name in CATEGORIES if name in used)


def _one_alone(_size: float, whole: int, decimals: int) -> str:
    return "one" if whole == 1 and not decimals else "other"


def _exactly_one(size: float, _whole: int, _decimals: int) -> str:
    return "one" if size == 1 else "other"


def _french(_size: float, whole: int, decimals: int) -> str:
    return "one" if whole in (0, 1) else _of_millions(whole, decimals)


def _italian(size: float, whole: int, decimals: int) -> str:
    return "one" if _one_alone(size, whole, decimals) == "one" else _of_millions(whole, decimals)


def _spanish(size: float, whole: int, decimals: int) -> str:
    return "one" if size == 1 else _of_millions(whole, decimals)


def _of_millions(whole: int, decimals: int) -> str:
    return "many" if whole and whole % 1_000_000 == 0 and not decimals else "other"


def _danish(size: float, whole: int, _decimals: int) -> str:
    return "one" if size == 1 or (size != whole and whole in (0, 1)) else "other"


def _polish(_size: float, whole: int, decimals: int) -> str:
    if decimals:
        return "other"
    if whole == 1:
        return "one"
    return "few" if whole % 10 in (2, 3, 4) and whole % 100 not in (12, 13, 14) else "many"


def _czech(_size: float, whole: int, decimals: int) -> str:
    if decimals:
        return "many"
    return "one" if whole == 1 else "few" if whole in (2, 3, 4) else "other"


def _russian(_size: float, whole: int, decimals: int) -> str:
    if decimals:
        return "other"
    if whole % 10 == 1 and whole % 100 != 11:
        return "one"
    return "few" if whole % 10 in (2, 3, 4) and whole % 100 not in (12, 13, 14) else "many"


def _arabic(size: float, _whole: int, decimals: int) -> str:
    if decimals:
        return "other"
    if size < 3:
        return ("zero", "one", "two")[int(size)]
    return "few" if 3 <= size % 100 <= 10 else "many" if size % 100 >= 11 else "other"


def _hebrew(_size: float, whole: int, decimals: int) -> str:
    if decimals:
        return "other" if whole else "one"
    return {1: "one", 2: "two"}.get(whole, "other")


def _alike(_size: float, _whole: int, _decimals: int) -> str:
    return "other"


_RULES: dict[str, _Rule] = {
    "ar": _arabic,
    "da": _danish,
    "es": _spanish,
    "he": _hebrew,
    "nb": _exactly_one,
    "pl": _polish,
    **dict.fromkeys(("cs", "sk"), _czech),
    **dict.fromkeys(("de", "en", "fi", "nl", "sv"), _one_alone),
    **dict.fromkeys(("fr", "pt"), _french),
    **dict.fromkeys(("it", "pt-PT"), _italian),
    **dict.fromkeys(("id", "ja", "km", "ko", "lo", "my", "th", "vi", "zh"), _alike),
    **dict.fromkeys(("ru", "uk"), _russian),
}
