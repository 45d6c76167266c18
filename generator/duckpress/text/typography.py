"""French spaces and quotes, set where they are printed, so that content is written plainly.

A narrow no-break space (U+202F) stands before ! ? ; and : and inside « », whether a space was typed there or not;
apostrophes are curved; "words" become « words », and within those “words”. Figures hold together with what belongs to
them (12 000, 100 %). Ratios and times (3:1, 12:30), addresses (https://) and signs without a word before them stay.

Sources: Imprimerie nationale, Lexique des règles typographiques, "Ponctuation"; for Canada, where only the colon and
the guillemets are spaced: Office québécois de la langue française, "Espacement avant et après les signes".
"""

from __future__ import annotations

import re

NARROW = "\u202f"
NO_BREAK = "\u00a0"
_SPACES = " \u00a0\u202f\u2009"
_SPACED = "!?;:"
_UNITS = "%€°"
_OPENING = "([{«“‘‹¿¡/"
_CLOSERS_OF_QUOTES = " \n)]}.,;:!?…»”%" + NO_BREAK + NARROW
_SIGNS = re.compile("[!?;:»«\"'%€°]|(?<=[0-9])[ \u00a0](?=[0-9]{3}(?![0-9]))")

Token = tuple[int, str]
"""A kind and a text, as `markup` gives them."""


def spaced(text: str, language: str) -> str:
    """Return a plain text with the spaces and quotes of its language; only French has any of its own here."""
    return respaced([(0, text)], language, most_kind=0)[0][1] if is_french(language) else text


def is_french(language: str) -> bool:
    """Return whether a language is a kind of French."""
    return language[:2] == "fr" and language[2:3] in ("", "-", "_")


def respaced(tokens: list[Token], language: str, most_kind: int = 3) -> list[Token]:
    """Return the tokens of one paragraph with French spaces and quotes; tokens of a kind above `most_kind` stay.

    What stands before a sign may be in another token: bold words, or an icon.
    """
    if not any(kind <= most_kind and _SIGNS.search(text) for kind, text in tokens):
        return tokens
    return _Setter(tokens, spared="!?;" if language[2:] in ("-CA", "_CA") else "", most_kind=most_kind).set()


class _Setter:
    """Goes through a paragraph's tokens letter by letter; `out` are the letters written of each."""

    def __init__(self, tokens: list[Token], spared: str, most_kind: int) -> None:
        self._tokens = tokens
        self._spared = spared
        self._most_kind = most_kind
        self._out: list[list[str]] = [[] for _ in tokens]
        self._depth = 0  # of quotes that are open
        self._straight: list[str] = []  # the closing sign of every straight quote that is open
        self._owed = False  # a narrow space is to stand before the next letter

    def set(self) -> list[Token]:
        for index, (kind, text) in enumerate(self._tokens):
            if kind > self._most_kind:
                self._pay(index)
                continue
            for place, letter in enumerate(text):
                self._letter(index, place, letter)
        return [
            (kind, "".join(out)) if kind <= self._most_kind else (kind, text)
            for (kind, text), out in zip(self._tokens, self._out, strict=True)
        ]

    def _letter(self, index: int, place: int, letter: str) -> None:
        out = self._out[index]
        if self._owed:
            if letter in _SPACES:
                return
            self._pay(index)
        before = self._before(index)
        if letter == "'" and not (before.isdigit() and not self._after(index, place).isalpha()):
            out.append("’")
        elif letter == '"':
            self._quote(index, place, before)
        elif letter == "«":
            self._open(index, "«")
        elif letter == "»":
            self._depth = max(0, self._depth - 1)
            self._space_before(index)
            out.append(letter)
        elif self._is_spaced(letter, index, place, before):
            self._space_before(index)
            out.append(letter)
        elif letter in (" ", NO_BREAK) and before.isdigit() and self._is_group(index, place):
            out.append(NARROW)
        else:
            out.append(letter)

    def _is_spaced(self, sign: str, index: int, place: int, before: str) -> bool:
        """Return whether a narrow space belongs before a sign: punctuation after a word, units after a typed space."""
        if sign in _UNITS:
            return bool(before) and before in _SPACES and self._word_before(index).isdigit()
        if sign not in _SPACED or sign in self._spared:
            return False
        word = self._word_before(index)
        if not word or word in _OPENING or word in "!?;:":
            return False
        after = self._after(index, place)
        if sign == ":" and before not in _SPACES and after and (after.isalnum() or after in "/\\"):
            return False
        return not (before not in _SPACES and after.isalnum())

    def _quote(self, index: int, place: int, before: str) -> None:
        after = self._after(index, place)
        if self._straight and (not after or after in _CLOSERS_OF_QUOTES or before not in _SPACES):
            closing = self._straight.pop()
            self._depth -= 1
            if closing == "»":
                self._space_before(index)
            self._out[index].append(closing)
        elif after and after not in _SPACES and not before.isdigit():
            opening, closing = ("«", "»") if not self._depth else ("“", "”")
            self._straight.append(closing)
            self._open(index, opening)
        else:
            self._out[index].append('"')

    def _open(self, index: int, sign: str) -> None:
        self._depth += 1
        self._out[index].append(sign)
        self._owed = sign == "«"

    def _pay(self, index: int) -> None:
        if self._owed:
            self._owed = False
            # Before an icon the space stands with the text that opened the quote.
            target = index if self._tokens[index][0] <= self._most_kind else self._last_text(index)
            self._out[target].append(NARROW)

    def _space_before(self, index: int) -> None:
        """Put one narrow space where any spaces stand, or where there are none."""
        at = self._last_written(index)
        while at is not None and self._out[at] and self._out[at][-1] in _SPACES:
            self._out[at].pop()
            at = self._last_written(index)
        self._out[index].append(NARROW)

    def _last_written(self, index: int) -> int | None:
        """Return the token that holds the last letter before, None after an icon, a break or at the start."""
        for at in range(index, -1, -1):
            if self._tokens[at][0] > self._most_kind:
                return None
            if self._out[at]:
                return at
        return None

    def _last_text(self, index: int) -> int:
        return next(at for at in range(index, -1, -1) if self._tokens[at][0] <= self._most_kind)

    def _before(self, index: int) -> str:
        at = self._last_written(index)
        return self._out[at][-1] if at is not None else ""

    def _word_before(self, index: int) -> str:
        """Return the last letter before that is no space; an icon counts as a word, a forced break as nothing."""
        for at in range(index, -1, -1):
            if self._tokens[at][0] > self._most_kind:
                return "x" if self._tokens[at][1] else ""
            for letter in reversed(self._out[at]):
                if letter not in _SPACES:
                    return letter
        return ""

    def _after(self, index: int, place: int) -> str:
        text = self._tokens[index][1]
        if place + 1 < len(text):
            return text[place + 1]
        following = next((token for token in self._tokens[index + 1 :] if token[1] or token[0] > self._most_kind), None)
        if following is None:
            return ""
        return following[1][0] if following[0] <= self._most_kind else " " if not following[1] else "x"

    def _is_group(self, index: int, place: int) -> bool:
        """Return whether a space parts the thousands of a number: one to three digits before it, three after it."""
        text = self._tokens[index][1]
        before = re.search(r"[0-9]+$", "".join(self._out[index][-4:]))
        is_short = before is not None and len(before[0]) <= 3
        return is_short and re.match(r"[0-9]{3}(?![0-9])", text[place + 1 :]) is not None
