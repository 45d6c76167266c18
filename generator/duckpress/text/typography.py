"""French spaces and quotes, set where they are printed, so that content is written plainly.

A narrow no-break space (U+202F) stands before ! ? ; and : and inside « », whether a space was typed there or not;
apostrophes are curved; "words" become « words », and within those “words”. Figures hold together with what belongs to
them (12 000, 100 %). Ratios and times (3:1, 12:30), addresses (https://) and signs without a word before them stay.

Sources: Imprimerie nationale, Lexique des règles typographiques, "Ponctuation"; for Canada, where only the colon and
the guillemets are spaced: Office québécois de la langue française, "Espacement avant et après les signes".
"""

from __future__ import annotations

import re

from duckpress.text.markup import Token

NARROW = "\u202f"
NO_BREAK = "\u00a0"
_SPACES = " \u00a0\u202f\u2009"
_SPACED = "!?;:"
_UNITS = "%€°"
_OPENING = "([{«“‘‹¿¡/"
_CLOSERS_OF_QUOTES = " \n)]}.,;:!?…»”%" + NO_BREAK + NARROW
_SIGNS = re.compile("[!?;:»«\"'%€°]|(?<=[0-9])[ \u00a0](?=[0-9]{3}(?![0-9]))")


def spaced(text: str, language: str) -> str:
    """Return a plain text with the spaces and quotes of its language; only French has any of its own here."""
    return respaced([(0, text)], language, most_kind=0)[0][1] if is_french(language) else text


def is_french(language: str) -> bool:
    return language[:2] == "fr" and language[2:3] in ("", "-", "_")


def respaced(tokens: list[Token], language: str, most_kind: int = 3) -> list[Token]:
    """Return the tokens of one paragraph with French spaces and quotes; tokens of a kind above `most_kind` stay.

    What stands before a sign may be in another token: bold words, or an icon.
    """
    if not any(kind <= most_kind and _SIGNS.search(text) for kind, text in tokens):
        return tokens
    return _Setter(tokens, spared="!?;" if language[2:] in ("-CA", "_CA") else "", most_kind=most_kind).set()


class _Setter:
    """Goes through a paragraph letter by letter; letters are kept with the index of their token.

    What is no text (an icon, or a forced break, whose token is empty) stands there as an empty letter.
    """

    def __init__(self, tokens: list[Token], spared: str, most_kind: int) -> None:
        self._tokens = tokens
        self._spared = spared
        self._most_kind = most_kind
        texts = ((index, text if kind <= most_kind else ("",)) for index, (kind, text) in enumerate(tokens))
        self._letters = [(index, letter) for index, text in texts for letter in text]
        self._out: list[tuple[int, str]] = []
        self._depth = 0  # of quotes that are open
        self._straight: list[str] = []  # the closing sign of every straight quote that is open
        self._owed = False  # a narrow space is to stand before the next letter

    def set(self) -> list[Token]:
        """Return the tokens as they are to be set."""
        for place, (index, letter) in enumerate(self._letters):
            if self._owed and (not letter or letter not in _SPACES):
                self._owed = False
                # Before an icon the space stands with the text that opened the quote.
                self._out.append((index if letter else self._letters[place - 1][0], NARROW))
            if not letter:
                self._out.append((index, letter))
            elif not self._owed:
                self._write(index, place, letter)
        texts = ["" if kind <= self._most_kind else text for kind, text in self._tokens]
        for index, letter in self._out:
            texts[index] += letter
        return [(kind, text) for (kind, _), text in zip(self._tokens, texts, strict=True)]

    def _write(self, index: int, place: int, letter: str) -> None:
        before = self._out[-1][1] if self._out else ""
        if letter == "'" and not (before.isdigit() and not self._after(place).isalpha()):
            letter = "’"
        elif letter == '"':
            letter = self._quote(index, place, before)
        elif letter == "«":
            self._depth += 1
        elif letter == "»":
            self._depth = max(0, self._depth - 1)
            self._space_before(index)
        elif self._is_spaced(letter, place, before):
            self._space_before(index)
        elif letter in (" ", NO_BREAK) and before.isdigit() and self._is_group(index, place):
            letter = NARROW
        self._out.append((index, letter))
        self._owed = letter == "«"

    def _is_spaced(self, sign: str, place: int, before: str) -> bool:
        """Return whether a narrow space belongs before a sign: punctuation after a word, units after a typed space."""
        if sign in _UNITS:
            return bool(before) and before in _SPACES and self._word_before().isdigit()
        if sign not in _SPACED or sign in self._spared:
            return False
        word = self._word_before()
        if not word or word in _OPENING or word in "!?;:":
            return False
        after = self._after(place)
        if sign == ":" and before not in _SPACES and after and (after.isalnum() or after in "/\\"):
            return False
        return not (before not in _SPACES and after.isalnum())

    def _quote(self, index: int, place: int, before: str) -> str:
        """Return what a straight quote becomes."""
        after = self._after(place)
        if self._straight and (not after or after in _CLOSERS_OF_QUOTES or before not in _SPACES):
            self._depth -= 1
            closing = self._straight.pop()
            if closing == "»":
                self._space_before(index)
            return closing
        if not after or after in _SPACES or before.isdigit():
            return '"'
        opening, closing = ("«", "»") if not self._depth else ("“", "”")
        self._straight.append(closing)
        self._depth += 1
        return opening

    def _space_before(self, index: int) -> None:
        """Put one narrow space where any spaces stand, or where there are none."""
        while self._out and self._out[-1][1] and self._out[-1][1] in _SPACES:
            self._out.pop()
        self._out.append((index, NARROW))

    def _word_before(self) -> str:
        """Return the last letter before that is no space; an icon counts as a word, a forced break as nothing."""
        for index, letter in reversed(self._out):
            if not letter:
                return "x" if self._tokens[index][1] else ""
            if letter not in _SPACES:
                return letter
        return ""

    def _after(self, place: int) -> str:
        """Return the next letter; a word for an icon, a space for a forced break, nothing at the end."""
        index, letter = self._letters[place + 1] if place + 1 < len(self._letters) else (0, None)
        return letter if letter else "" if letter is None else "x" if self._tokens[index][1] else " "

    def _is_group(self, index: int, place: int) -> bool:
        """Return whether a space parts the thousands of a number: one to three digits before it, three after it."""
        before = "".join(letter for token, letter in self._out[-4:] if token == index)
        after = "".join(letter for token, letter in self._letters[place + 1 : place + 5] if token == index)
        digits = re.search(r"[0-9]+$", before)
        is_short = digits is not None and len(digits[0]) <= 3
        return is_short and re.match(r"[0-9]{3}(?![0-9])", after) is not None
