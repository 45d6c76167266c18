"""A language at work: fixed words looked up by the words they translate, plural forms chosen, numbers written."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field
from msgspec.structs import astuple

from duckpress.core.language.numbers import category, write_number

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


_RIGHT_TO_LEFT = frozenset(("ar", "arc", "ckb", "dv", "fa", "he", "ks", "ps", "sd", "syr", "ug", "ur", "yi"))


def runs_right_to_left(language: str) -> bool:
    """Return whether a language is written from right to left, as far as its code says so. Source: Unicode CLDR 47."""
    return language.partition("-")[0] in _RIGHT_TO_LEFT


def letters_of(language: str) -> str:
    """Return letters that every text in a language with a script of its own has, "" for any other language."""
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
    """Return the form in which original wordings are compared: line breaks and runs of blanks do not matter."""
    return _BLANKS.sub(" ", text).strip(" ")


class Speech(Struct, frozen=True):
    """The words of one language for one game: `words` of the game itself, behind them those that games share.

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
        return self.direction == "rtl" if self.direction else runs_right_to_left(self.language)

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
        """Return words of the program itself, which are English, in this language."""
        return Speech.t(self, text, values)  # whatever is noted of a game's own words

    def known(self, text: str) -> str | None:
        """Return words in this language without values; None where there are none, which nobody misses then.

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
    """A speech that notes which of the game's own words are asked for and which words are missing, for a check."""

    asked: set[str] = field(default_factory=set)
    missing: dict[str, None] = field(default_factory=dict)

    @classmethod
    def of(cls, speech: Speech) -> RecordingSpeech:
        """Return a speech that says the same, with nothing noted."""
        return cls(*astuple(speech)[: len(Speech.__struct_fields__)])

    def t(
        self, text: str, values: Mapping[str, Any] | None = None, forms: Forms | None = None, most: int = _MOST_LETTERS
    ) -> str:
        """Return fixed words of a game in this language."""
        self._note(text, is_known=self.is_original)
        return super().t(text, values, forms, most)

    def program(self, text: str, values: Mapping[str, Any] | None = None) -> str:
        """Return words of the program in this language."""
        self._note(text, is_known=self.language.partition("-")[0] == PROGRAM)
        return super().program(text, values)

    def _note(self, text: str, *, is_known: bool) -> None:
        """Note that words are asked for; `is_known`: without an entry they stand for themselves."""
        key = phrase_key(text)
        if key in self.words:
            self.asked.add(key)
        elif key not in self.shared and not is_known and len(self.missing) < _MOST_MISSING:
            self.missing[key] = None


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
