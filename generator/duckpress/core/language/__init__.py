"""Languages: fixed words looked up by the words they translate, plural forms chosen, numbers written.

Knows nothing of games or of paper; `program` has the words of the program itself.

Source: Unicode CLDR 47, common/main/*.xml: `decimal`, `group`, `minimumGroupingDigits`; and for the cardinal categories
common/supplemental/plurals.xml. The forms for compact numbers (1 M) are left out: no card says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct, field
from msgspec.structs import astuple

_NARROW, _NO_BREAK = "\u202f", "\u00a0"
CATEGORIES = ("zero", "one", "two", "few", "many", "other")


class _Signs(Struct, frozen=True):
    """`least_grouped` is the smallest number of digits with grouping: if it is 5, 1000 but 10.000."""

    decimal: str
    group: str
    least_grouped: int = 4


_ENGLISH = _Signs(".", ",")
_SIGNS = {
    "en": _ENGLISH,
    "de-CH": _Signs(".", "’"),
    "fr": _Signs(",", _NARROW),
    **dict.fromkeys(("da", "de", "nl", "pt"), _Signs(",", ".")),
    **dict.fromkeys(("es", "it"), _Signs(",", ".", 5)),
    **dict.fromkeys(("cs", "fi", "fr-CA", "nb", "ru", "sk", "sv", "uk"), _Signs(",", _NO_BREAK)),
    **dict.fromkeys(("pl", "pt-PT"), _Signs(",", _NO_BREAK, 5)),
}


def write_number(language: str, value: float, decimals: int | None = None) -> str:
    """Return a number as a language writes it, with so many decimals; by default its own, ten at most."""
    signs = _SIGNS.get(language) or _SIGNS.get(language.partition("-")[0]) or _ENGLISH
    plain = f"{abs(value):.{decimals}f}" if decimals is not None else f"{abs(value):.10f}".rstrip("0").rstrip(".")
    whole, _, fraction = plain.partition(".")
    if len(whole) >= signs.least_grouped:
        whole = f"{int(whole):,}".replace(",", signs.group)
    minus = "−" if value < 0 and plain.strip("0.") else ""
    return minus + whole + (signs.decimal + fraction if fraction else "")


def category(language: str, number: float) -> str:
    """Return the plural category of a number; languages not listed here follow English."""
    rule = _RULES.get(language) or _RULES.get(language.partition("-")[0]) or _RULES["en"]
    size = abs(number)
    whole = int(size)
    decimals = 0 if size == whole else len(f"{size:.10f}".rstrip("0").partition(".")[2])
    return rule(size, whole, decimals)


def categories(language: str) -> tuple[str, ...]:
    """Return the plural categories that a language uses for whole numbers up to a thousand and for fractions."""
    used = {category(language, number) for number in (*range(201), 1000, 0.5, 1.5)}
    used |= {"many"} if category(language, 1_000_000) == "many" else set()
    return tuple(name for name in CATEGORIES if name in used)


def _of_millions(whole: int, decimals: int) -> str:
    return "many" if whole and whole % 1_000_000 == 0 and not decimals else "other"


def _slavic(whole: int) -> str:
    return "few" if whole % 10 in (2, 3, 4) and whole % 100 not in (12, 13, 14) else "many"


def _czech(_size: float, whole: int, decimals: int) -> str:
    return "many" if decimals else "one" if whole == 1 else "few" if whole in (2, 3, 4) else "other"


def _russian(_size: float, whole: int, decimals: int) -> str:
    return "other" if decimals else "one" if whole % 10 == 1 and whole % 100 != 11 else _slavic(whole)


def _arabic(size: float, _whole: int, decimals: int) -> str:
    if decimals:
        return "other"
    if size < 3:
        return ("zero", "one", "two")[int(size)]
    return "few" if 3 <= size % 100 <= 10 else "many" if size % 100 >= 11 else "other"


_Rule = Callable[[float, int, int], str]
"""Takes a number, its whole part, and how many digits stand behind its decimal sign; gives a category."""

_RULES: dict[str, _Rule] = {
    "ar": _arabic,
    "da": lambda size, whole, _: "one" if size == 1 or (size != whole and whole in (0, 1)) else "other",
    "he": lambda _, whole, decimals: (
        ("other" if whole else "one") if decimals else {1: "one", 2: "two"}.get(whole, "other")
    ),
    "pl": lambda _, whole, decimals: "other" if decimals else "one" if whole == 1 else _slavic(whole),
    **dict.fromkeys(("cs", "sk"), _czech),
    **dict.fromkeys(("de", "en", "fi", "nb", "nl", "sv"), lambda size, _w, _d: "one" if size == 1 else "other"),
    **dict.fromkeys(("es", "it", "pt-PT"), lambda size, *parts: "one" if size == 1 else _of_millions(*parts)),
    **dict.fromkeys(("fr", "pt"), lambda _, whole, decimals: "one" if whole < 2 else _of_millions(whole, decimals)),
    **dict.fromkeys(("id", "ja", "km", "ko", "lo", "my", "th", "vi", "zh"), lambda *_: "other"),
    **dict.fromkeys(("ru", "uk"), _russian),
}

_LETTERS = {
    **dict.fromkeys(("ar", "fa", "ur"), "ابدرس"),
    **dict.fromkeys(("be", "bg", "mk", "ru", "sr", "uk"), "абвгд"),
    "el": "αβγδε",
    **dict.fromkeys(("he", "yi"), "אבגדה"),
    **dict.fromkeys(("hi", "mr", "ne"), "कखगतम"),
    "hy": "աբգդե",
    "ja": "のにはをて",
    "ka": "აბგდე",
    "ko": "가나다의는",
    "th": "กขคงจ",
    "zh": "的一是不人",
}


# Languages written from right to left, as far as their codes say so. Source: Unicode CLDR 47.
_RIGHT_TO_LEFT = frozenset(("ar", "arc", "ckb", "dv", "fa", "he", "ks", "ps", "sd", "syr", "ug", "ur", "yi"))


def letters_of(language: str) -> str:
    """Return letters that every text has in a language with a script of its own; "" for other languages."""
    return _LETTERS.get(language.partition("-")[0], "")


OTHER = "other"
PROGRAM = "en"
"""The language of the program's own words."""

Forms = Mapping[str, str]
"""A text by plural category; `other` is always there."""

_BLANKS = re.compile(r"(?:[ \t\r\n\u00a0\u202f]|\\(?=\n))+")
_HOLE = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")

_LONG = 100  # letters; a shorter value makes no text endless
_MOST_LETTERS = 10**8
_MOST_MISSING = 20_000  # texts; nobody reads a longer list of what is to be translated


def phrase_key(text: str) -> str:
    """Return the key of an original wording: line breaks and runs of blanks do not matter."""
    return _BLANKS.sub(" ", text).strip(" ")


class Speech(Struct, frozen=True):
    """The words of one language for one game: first `words` of the game itself, then the words all games share.

    `fields` says what fields of many games are called, by their ids. `is_original`: the language is the one the game
    is written in, in which words without an entry stand for themselves. `direction` is `rtl` or `ltr` where a file of
    the language says so.
    """

    language: str = PROGRAM
    words: Mapping[str, Forms] = field(default_factory=dict)
    shared: Mapping[str, Forms] = field(default_factory=dict)
    is_original: bool = True
    fields: Mapping[str, str] = field(default_factory=dict)
    direction: str = ""

    @property
    def is_mirrored(self) -> bool:
        """Whether the language is written from right to left."""
        return self.direction == "rtl" if self.direction else self.language.partition("-")[0] in _RIGHT_TO_LEFT

    @property
    def plain(self) -> Speech:
        """The speech without what it noted."""
        return Speech(*astuple(self)[: len(Speech.__struct_fields__)])

    def t(
        self, text: str, values: Mapping[str, Any] | None = None, forms: Forms | None = None, most: int = _MOST_LETTERS
    ) -> str:
        """Return fixed words of a game in this language, `{name}` replaced where `values` has the name.

        `forms` are the plural forms of the original by category; the text itself is the form `other`. The number that
        decides is the value `n`, else the first number given. Raises `ValueError` where more letters than `most` come
        out.
        """
        key = phrase_key(text)
        translated = self.words.get(key) or self.shared.get(key)
        if not values:
            return text if translated is None else translated[OTHER]
        return self._filled({**(forms or {}), OTHER: text} if translated is None else translated, values, most)

    def program(self, text: str, values: Mapping[str, Any] | None = None) -> str:
        return Speech.t(self, text, values)  # whatever is noted of a game's own words

    def known(self, text: str) -> str | None:
        """Return the translation of a text without values, or None; a missing translation is no problem.

        What games share is English, so it says nothing of words of another language that a game is written in.
        """
        key = phrase_key(text)
        translated = self.words.get(key) or (None if self.is_original else self.shared.get(key))
        return None if translated is None else translated[OTHER]

    def number(self, value: float, decimals: int | None = None) -> str:
        return write_number(self.language, value, decimals)

    def _filled(self, forms: Forms, values: Mapping[str, Any], most: int) -> str:
        chosen = forms[OTHER]
        if len(forms) > 1:
            number = values.get("n")
            if not _is_number(number):
                number = next((value for value in values.values() if _is_number(value)), None)
            if number is not None:
                chosen = forms.get(category(self.language, number), chosen)

        longest = max((len(value) for value in values.values() if isinstance(value, str)), default=0)
        if longest > _LONG and len(chosen) + longest * chosen.count("{") > most:
            raise ValueError(f"a text of more than {most} letters comes out")

        def written(match: re.Match[str]) -> str:
            name = match[1]
            if name not in values:
                return match[0]
            value = values[name]
            return self.number(value) if _is_number(value) else str(value)

        return _HOLE.sub(written, chosen)


class RecordingSpeech(Speech, frozen=True):
    """A speech that notes, for a check, the words of the game that are used and the words that are missing."""

    asked: set[str] = field(default_factory=set)
    missing: dict[str, None] = field(default_factory=dict)

    @classmethod
    def of(cls, speech: Speech) -> RecordingSpeech:
        """Return a recording of a speech, with nothing noted yet."""
        return cls(*astuple(speech.plain))

    def t(
        self, text: str, values: Mapping[str, Any] | None = None, forms: Forms | None = None, most: int = _MOST_LETTERS
    ) -> str:
        """Return fixed words of a game in this language."""
        self._note(text, is_known=self.is_original)
        return super().t(text, values, forms, most)

    def program(self, text: str, values: Mapping[str, Any] | None = None) -> str:
        self._note(text, is_known=self.language.partition("-")[0] == PROGRAM)
        return super().program(text, values)

    def _note(self, text: str, *, is_known: bool) -> None:
        """Note that words are used; `is_known`: without a translation they are printed as they are."""
        key = phrase_key(text)
        if key in self.words:
            self.asked.add(key)
        elif key not in self.shared and not is_known and len(self.missing) < _MOST_MISSING:
            self.missing[key] = None


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
