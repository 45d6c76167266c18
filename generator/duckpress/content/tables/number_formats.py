"""A spreadsheet's number format -> whether it shows dates, and whether it shows a number as a person would type it.

Source of the signs: ECMA-376 part 1, SpreadsheetML, 18.8.30 and 18.8.31.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_LONGEST = 255  # characters; spreadsheets take no longer format
_COLOUR = r"black|blue|cyan|green|magenta|red|white|yellow|color ?\d{1,2}"
# Words, then what shows nothing of its own (a colour, a language, the width of a sign, a sign that fills the cell).
_SIGNS = re.compile(rf'"([^"]*)"|\\(.)|\[(?:{_COLOUR}|\$-[^\]]*)\]|(\[[^\]]*\])|_.|\*.', re.DOTALL | re.IGNORECASE)
_WORD = '"'  # stands for any words
_DIGITS = re.compile(r"([0#?,]*[0#?])(?:\.([0#?]*))?")
_TYPED = re.compile(r"(\d+)(?:\.(\d+))?")


class NumberFormat(NamedTuple):
    """A format as written, and its sections (for numbers, negative numbers, zero, texts) without what shows nothing."""

    code: str
    sections: tuple[str, ...]

    @property
    def is_date(self) -> bool:
        """Whether it shows numbers as dates or times of day."""
        return any(re.search("[dmyh]", section) for section in self.sections)

    def shows(self, number: str) -> bool:
        """Return whether a number, written as a person would type it, looks just so."""
        digits = number.removeprefix("-")
        which = 1 if digits != number else 2 if number == "0" else 0
        if which >= len(self.sections):
            which = 0
        section = self.sections[which]
        if which == 1:
            if not section.startswith("-"):
                return False
            section = section[1:].strip()
        return section in ("general", "@") or _shows_digits(section, digits)


def read_format(code: str) -> NumberFormat:
    """Return a format; one that is longer than spreadsheets take shows no number as it is."""
    signs = _SIGNS.sub(_sign, code.lower()) if len(code) <= _LONGEST else _WORD
    return NumberFormat(code, tuple(section.strip() for section in signs.split(";")))


def _sign(found: re.Match[str]) -> str:
    words = found[1] or found[2] or found[3] or ""
    return _WORD if words.strip() else words


def _shows_digits(section: str, digits: str) -> bool:
    """Return whether places for digits are filled by those there are: none added, left out, rounded or parted."""
    places, typed = _DIGITS.fullmatch(section), _TYPED.fullmatch(digits)
    if places is None or typed is None:
        return False
    whole, decimals = places.groups()
    units, fraction = typed.groups()
    least = len(whole.replace(",", "").lstrip("#?"))
    if len(units) < least or (units == "0" and not least) or ("," in whole and len(units) > 3):
        return False
    if decimals is None or fraction is None:
        return decimals is fraction
    return len(decimals.rstrip("#?")) <= len(fraction) <= len(decimals)
