"""Number formats of XLSX files -> the display of a cell: `$#,##0.00`, `0%`, `000`, `d/m/yyyy h:mm`.

An XLSX file does not say how the computer that showed it writes numbers: they are shown as in English. What programs
show in different ways (conditions, fractions, calendars, names in other languages) is not guessed.
Source: ECMA-376 part 1, 18.8.30 and 18.8.31; for money and dates by number, what Excel shows in the USA.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from typing import NamedTuple

_DATE_CODES = ("m/d/yyyy", "d-mmm-yy", "d-mmm", "mmm-yy")
_MONEY = '_(* #,##0{0}_);_(* (#,##0{0});_(* "-"{1}_);_(@_)'
_OTHER_CALENDAR = "g d"
BUILT_IN = dict.fromkeys((*range(27, 37), *range(50, 59)), _OTHER_CALENDAR) | {
    0: "General", 1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00",
    5: "$#,##0_);($#,##0)", 6: "$#,##0_);($#,##0)", 7: "$#,##0.00_);($#,##0.00)", 8: "$#,##0.00_);($#,##0.00)",
    9: "0%", 10: "0.00%", 11: "0.00E+00", 12: "# ?/?", 13: "# ??/??",
    **dict(enumerate(_DATE_CODES, 14)), 18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss",
    22: "m/d/yyyy h:mm", 37: "#,##0_);(#,##0)", 38: "#,##0_);(#,##0)", 39: "#,##0.00_);(#,##0.00)",
    40: "#,##0.00_);(#,##0.00)", 41: _MONEY.format("", ""), 42: _MONEY.format("", "").replace("*", "$*"),
    43: _MONEY.format(".00", "??"), 44: _MONEY.format(".00", "??").replace("*", "$*"),
    45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss.0", 48: "##0.0E+0", 49: "@",
}  # fmt: skip
"""The formats that have a number instead of a code."""
OF_ITS_COMPUTER = frozenset((*range(14, 18), 22))
"""Numbers of formats that show a date as the computer's language and country have it."""
FIRST_DAYS = (datetime(1899, 12, 30), datetime(1904, 1, 1))  # no place, no zone
"""The days that are counted from; the second in workbooks that say so."""
_LONGEST = 255  # characters; spreadsheets take no longer format
_COLOUR = re.compile(r"(?:black|blue|cyan|green|magenta|red|white|yellow|color ?\d{1,2})", re.IGNORECASE)
_TOKEN = re.compile(
    r'"(?P<words>[^"]*)"|\\(?P<sign>.)|_(?P<width>.)|\*(?P<fill>.)|\[(?P<bracket>[^\]]*)\]|(?P<general>general|@)'
    r"|(?P<half>am/pm|a/p)|(?P<exponent>e[+-])|(?P<date>y+|m+|d+|h+|s+(?:\.0+)?)|(?P<place>[0#?])"
    r"|(?P<mark>[.,%/])|(?P<other>.)",
    re.DOTALL | re.IGNORECASE,
)
_PLACE = re.compile(r"\$(?P<symbol>[^-]*)(?:-(?P<language>.*))?", re.DOTALL)
_ELAPSED = re.compile(r"h+|m+|s+", re.IGNORECASE)
_ENGLISH = 9  # the last ten bits of the number of its languages. Source: [MS-LCID]
_DAY_SECONDS = 86_400
_FIRST_SURE, _LAST_DAY = 61, 2_958_465  # 1 March 1900, before which programs differ, and 31 December 9999
_MONTH_NAMES = "January February March April May June July August September October November December"
_DAY_NAMES = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday"
_MONTHS, _DAYS = _MONTH_NAMES.split(), _DAY_NAMES.split()
_SECONDS_OF = {"h": 3600, "m": 60, "s": 1}

_Token = tuple[str, str]  # its kind, and its text


class _Section(NamedTuple):
    """A part of a format: for numbers, negative ones, zero or words."""

    tokens: tuple[_Token, ...]
    is_foreign: bool  # it names a language other than English

    def has(self, *kinds: str) -> bool:
        return any(kind in kinds for kind, _ in self.tokens)


class NumberFormat(NamedTuple):
    """A format as written, and its sections."""

    code: str
    sections: tuple[_Section, ...]

    def is_date(self, number: str) -> bool:
        section, _ = self._section(_decimal(number) or Decimal())
        return section.has("date", "elapsed", "half")

    def shown(self, number: str, *, is_from_1904: bool = False) -> str | None:
        """Return the display of a number given as people type it; None if programs may differ.

        `is_from_1904`: days are counted from that year on.
        """
        value = _decimal(number)
        if value is None:
            return number
        section, sign = self._section(value)
        if len(self.sections) > 4 or any(part.has("condition") for part in self.sections) or section.has("odd"):
            return None
        if section.has("date", "elapsed", "half"):
            return None if value < 0 else _date(section, value, is_from_1904=is_from_1904)
        if value < 0 and len(self.sections) == 2 and not section.tokens:
            return None
        text = _number(section, abs(value), number.removeprefix("-"))
        if text is not None and sign and text == _number(section, Decimal(), "0"):
            return None  # some programs show a number that rounds to nothing as -0.00
        return None if text is None else (sign + text).strip()

    def _section(self, value: Decimal) -> tuple[_Section, str]:
        which = 1 if value < 0 else 2 if value == 0 else 0
        if which < len(self.sections):
            return self.sections[which], ""
        return self.sections[0], "-" if value < 0 else ""


def read_format(code: str) -> NumberFormat:
    """Return a format; one that is too long for spreadsheets displays nothing for certain."""
    sections: list[list[tuple[_Token, bool]]] = [[]]
    for match in _TOKEN.finditer(code if len(code) <= _LONGEST else "x"):
        if match[0] == ";":
            sections.append([])
        else:
            sections[-1].append(_token(match))
    read = (_Section(_with_minutes([token for token, _ in part]), any(other for _, other in part)) for part in sections)
    return NumberFormat(code, tuple(read))


def _with_minutes(tokens: Sequence[_Token]) -> tuple[_Token, ...]:
    """Return tokens with each `m` after hours or before seconds replaced by `n`, minutes."""
    clock = [index for index, (kind, _) in enumerate(tokens) if kind in ("date", "elapsed")]
    letters = ["", *(tokens[index][1][0] for index in clock), ""]
    minutes = {
        index
        for at, index in enumerate(clock)
        if tokens[index][1] in ("m", "mm") and (letters[at] == "h" or letters[at + 2] == "s")
    }
    return tuple((kind, text.replace("m", "n") if at in minutes else text) for at, (kind, text) in enumerate(tokens))


def _token(match: re.Match[str]) -> tuple[_Token, bool]:
    """Return a match as a token of a number format, and whether it names a language other than English."""
    kind, text = str(match.lastgroup), match[0]
    if kind == "bracket":
        return _bracketed(match[kind])
    if kind in ("words", "sign"):
        return ("text", match[kind]), False
    if kind == "width":
        return ("text", " "), False
    if kind == "fill":
        return ("text", "") if match["fill"] == " " else ("odd", text), False
    if kind == "other":
        return ("odd" if text.isalnum() or text in '"\\[' else "text", text), False
    return (text if kind == "mark" else kind, text.lower()), False


def _bracketed(inner: str) -> tuple[_Token, bool]:
    if _COLOUR.fullmatch(inner):
        return ("text", ""), False
    if _ELAPSED.fullmatch(inner):
        return ("elapsed", inner[0].lower()), False
    place = _PLACE.fullmatch(inner)
    if place is None:
        return ("condition", inner), False
    language = place["language"] or ""
    if place["symbol"] or not language:
        return ("text", place["symbol"]), False
    if re.fullmatch("[0-9A-Fa-f]{1,4}", language):
        number = int(language, 16)
        return ("odd" if number in (0xF400, 0xF800) else "text", ""), number & 0x3FF not in (0, _ENGLISH)
    is_name = re.fullmatch("[a-zA-Z]{2,3}(?:-[a-zA-Z]{2,4})*", language) is not None
    return ("text" if is_name else "odd", ""), not language.lower().startswith("en")


def _decimal(number: str) -> Decimal | None:
    try:
        value = Decimal(number)
    except InvalidOperation:
        return None
    return value if value.is_finite() else None


def _number(section: _Section, value: Decimal, typed: str) -> str | None:
    """Return the display of a nonnegative number in a section; `typed` is its display without digit places."""
    tokens = section.tokens
    at = {kind: [index for index, token in enumerate(tokens) if token[0] == kind] for kind, _ in tokens}
    places, points, commas = at.get("place", []), at.get(".", []), at.get(",", [])
    if not places or "general" in at:
        is_sure = not places and not points and not commas and "exponent" not in at
        return "".join(typed if kind == "general" else text for kind, text in tokens) if is_sure else None
    exponent = at.get("exponent", [len(tokens)])[0]
    point = points[0] if points else min(exponent, places[-1] + 1)
    whole = [index for index in places if index < point]
    decimals = [index for index in places if point < index < exponent]
    is_foreign = section.is_foreign and (points or commas)
    if "/" in at or len(points) > 1 or ("%" in at and exponent < len(tokens)) or is_foreign:
        return None
    value *= 100 ** len(at.get("%", []))
    inner = [comma for comma in commas if whole and whole[0] < comma < whole[-1]]
    scaling = [comma for comma in commas if whole and (whole[-1] < comma < point or comma > places[-1])]
    if len(inner) + len(scaling) < len(commas):
        return None
    value = value.scaleb(-3 * len(scaling))
    power = ""
    if exponent < len(tokens):
        mantissa = _mantissa(value, len(decimals)) if len(whole) == 1 and not commas else None
        if mantissa is None:
            return None
        value, raised = mantissa
        sign = "-" if raised < 0 else "+" if tokens[exponent][1] == "e+" else ""
        power = f"E{sign}{abs(raised):0{len([index for index in places if index > exponent])}d}"
    units, _, fraction = f"{_rounded(value, len(decimals)):f}".partition(".")
    shown = _units(units.lstrip("0"), whole, tokens, is_parted=bool(inner))
    shown |= _fraction(fraction, decimals, tokens)
    if points or not whole:
        shown[point] = "." if whole else units.lstrip("0") + "."
    shown |= dict.fromkeys(commas, "") | dict.fromkeys([index for index in places if index > exponent], "")
    return "".join(power if index == exponent else shown.get(index, text) for index, (_, text) in enumerate(tokens))


def _mantissa(value: Decimal, decimals: int) -> tuple[Decimal, int] | None:
    """Return a number as a mantissa with one digit before the point, and the exponent of ten."""
    raised = value.adjusted() if value else 0
    mantissa = _rounded(value.scaleb(-raised), decimals)
    return (mantissa / 10, raised + 1) if mantissa >= 10 else (mantissa, raised)


def _rounded(value: Decimal, decimals: int) -> Decimal:
    return value.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP) if value.adjusted() < 20 else value


def _units(digits: str, places: Sequence[int], tokens: Sequence[_Token], *, is_parted: bool) -> dict[int, str]:
    """Return the digits for each place before the point; the first place takes all the remaining digits."""
    shown: dict[int, str] = {}
    count = 0
    for place in reversed(places):
        taken = digits if place == places[0] else digits[-1:]
        digits = digits[: len(digits) - len(taken)]
        text = ""
        for digit in reversed(taken or {"0": "0", "?": " "}.get(tokens[place][1], "")):
            text = digit + ("," if is_parted and count and count % 3 == 0 and digit != " " else "") + text
            count += 1
        shown[place] = text
    return shown


def _fraction(digits: str, places: Sequence[int], tokens: Sequence[_Token]) -> dict[int, str]:
    """Return the digits for each place after the point: trailing zeros only if the format requires them."""
    shown: dict[int, str] = {}
    is_end = True
    for place, digit in zip(reversed(places), reversed(digits), strict=False):
        is_end = is_end and digit == "0" and tokens[place][1] != "0"
        shown[place] = ("" if tokens[place][1] == "#" else " ") if is_end else digit
    return shown


def _date(section: _Section, value: Decimal, *, is_from_1904: bool) -> str | None:
    """Return a number of days as a date, a time of day or a duration."""
    codes = [text for kind, text in section.tokens if kind == "date"]
    has_half = section.has("half")
    has_words = has_half or any(code[0] in "md" and len(code) > 2 for code in codes)
    if section.has("place", "general", "exponent", "%") or (section.is_foreign and has_words):
        return None
    decimals = max((len(code.partition(".")[2]) for code in codes), default=0)
    is_clock = section.has("elapsed") or any(code[0] in "hns" for code in codes)
    seconds = _rounded((value if is_clock else value // 1) * _DAY_SECONDS, decimals)
    days, rest = int(seconds // _DAY_SECONDS), seconds % _DAY_SECONDS
    names_day = any(code[0] in "ymd" for code in codes)
    if days > _LAST_DAY - 1_462 or (names_day and days < _FIRST_SURE and not is_from_1904):
        return None
    shown = []
    for kind, text in section.tokens:
        part: str | None = text
        if kind == "elapsed":
            part = str(int(seconds // _SECONDS_OF[text]))
        elif kind == "half":
            part = ("AM" if rest < _DAY_SECONDS // 2 else "PM")[: 1 if text == "a/p" else 2]
        elif kind == "date":
            part = _date_part(text, FIRST_DAYS[is_from_1904] + timedelta(days), rest, has_half=has_half)
        if part is None:
            return None
        shown.append(part)
    return "".join(shown).strip()


def _date_part(code: str, day: date, seconds: Decimal, *, has_half: bool) -> str | None:
    """Return the display of one code of a date: `yyyy`, `mmm`, `dd`, `h`, `n` (minutes), `ss.00`."""
    whole, _, decimals = code.partition(".")
    letter, length = whole[0], len(whole)
    if letter == "y":
        return f"{day.year:04d}" if length > 2 else f"{day.year % 100:02d}"
    if letter in "md" and length > 2:
        word = _MONTHS[day.month - 1] if letter == "m" else _DAYS[day.weekday()]
        return {3: word[:3], 4: word}.get(length)
    if length > 2:
        return None
    hour = int(seconds // 3600)
    values = {
        "m": day.month,
        "d": day.day,
        "h": (hour % 12 or 12) if has_half else hour,
        "n": int(seconds // 60) % 60,
        "s": int(seconds) % 60,
    }
    fraction = f".{seconds % 1:.{len(decimals)}f}".replace(".0.", ".") if decimals else ""
    return f"{values[letter]:0{length}d}{fraction}"
