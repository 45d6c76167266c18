"""Light markup -> blocks of tokens: `**bold**`, `*italic*`, `{icon}`, `{=field}`, `- ` items, breaks and escapes.

A blank line starts a paragraph, a single newline is a space, a backslash before a newline (or `<br/>`) breaks the
line, a backslash before punctuation shows it. What does not pair up is shown as it is written; nothing is an error
but fields that do not exist, which are gathered.

French spaces and quotes are set in tokens, where they are printed, so that content is written plainly. A narrow
no-break space (U+202F) stands before ! ? ; and : and inside « », whether a space was typed there or not; apostrophes
are curved; "words" become « words », and within those “words”. Figures hold together with what belongs to them
(12 000, 100 %). Ratios and times (3:1, 12:30), addresses (https://) and signs without a word before them stay.
Sources: Imprimerie nationale, Lexique des règles typographiques, "Ponctuation"; for Canada, where only the colon and
the guillemets are spaced: Office québécois de la langue française, "Espacement avant et après les signes".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from duckpress.text.letters import EMOJI, MAY_BE_EMOJI, emoji_name

BOLD = 1
ITALIC = 2
ICON = 4
BREAK = 5
LEVEL = 8
"""So many times this is added to what a token is where its level is not 0 (`bidi`); `% LEVEL` is what it is."""
_STARS = 6  # only while reading: a run of stars that may yet begin or end an emphasis

_CHANGES = {1: ITALIC, 2: BOLD, 3: BOLD | ITALIC}  # of so many stars

# What a token is (BOLD and ITALIC added up, 0 for plain text; ICON; BREAK), and its text or the icon's name.
Token = tuple[int, str]

_BLANK_LINES = re.compile(r"\n[ \t]*\n\s*")
_SPECIAL = re.compile(
    r"\\(?P<escaped>[\n!-/:-@\[-`{-~])"
    r"|(?P<stars>\*+)"
    r"|\{(?P<name>[^={}\n\\*\s][^{}\n\\*]{0,80})\}"
    r"|\{=(?P<field>[^{}\n\\*]{1,80})\}"
    r"|(?P<br><br ?/?>)"
)
_SIGN = re.compile(
    rf"\\.|\{{[^{{}}\n]*\}}|(?P<sign>{EMOJI.pattern})", re.ASCII
)  # no more where it is escaped, or in braces
_ODD_SPACES = re.compile(r"[\t\r\f\v\x1c-\x1f\x85\u2028\u2029]")


class MarkupBlock(NamedTuple):
    """A paragraph or a list item; `is_first` is false for an item that follows another one."""

    tokens: list[Token]
    is_item: bool
    is_first: bool


def parse_markup(source: str, values: Mapping[str, str], unknown_fields: list[str]) -> list[MarkupBlock]:
    """Return the blocks of a text; values replace `{=field}` tokens (their emphasis ends with them)."""
    text = _ODD_SPACES.sub(" ", source.replace("\r\n", "\n"))
    if "\n" not in text and not text.lstrip(" ").startswith("- "):
        return [MarkupBlock(_parse_line(text, values, unknown_fields), False, True)]
    blocks: list[MarkupBlock] = []
    for paragraph in _BLANK_LINES.split(text.strip("\n")):
        is_first = True
        for is_item, words in _items(paragraph):
            blocks.append(MarkupBlock(_parse_line(words, values, unknown_fields), is_item, is_first or not is_item))
            is_first = False
    return blocks


def named_emoji(text: str, is_icon: Callable[[str], bool]) -> str:
    """Return a text with every emoji that names an icon replaced by that icon: in braces."""

    def written(match: re.Match[str]) -> str:
        name = emoji_name(match["sign"] or "")
        return f"{{{name}}}" if name and is_icon(name) else match[0]

    return _SIGN.sub(written, text) if MAY_BE_EMOJI.search(text) else text


def with_named_emoji(
    source: str, values: Mapping[str, str], is_icon: Callable[[str], bool]
) -> tuple[str, Mapping[str, str]]:
    """Return a text and the values of its fields with their emoji named, as `named_emoji` does."""
    named = {name: named_emoji(value, is_icon) for name, value in values.items() if MAY_BE_EMOJI.search(value)}
    return named_emoji(source, is_icon), {**values, **named} if named else values


def _items(paragraph: str) -> list[tuple[bool, str]]:
    """Return the items of a paragraph's lines, and before them any introductory text."""
    items: list[tuple[bool, list[str]]] = []
    for line in paragraph.split("\n"):
        stripped = line.strip(" ")
        if stripped.startswith("- "):
            items.append((True, [stripped[2:]]))
        elif items:
            items[-1][1].append(stripped)
        else:
            items.append((False, [stripped]))
    return [(is_item, _fold(lines)) for is_item, lines in items]


def _fold(lines: list[str]) -> str:
    folded = [lines[0]]
    for line in lines[1:]:
        breaks = (len(folded[-1]) - len(folded[-1].rstrip("\\"))) % 2 == 1
        folded += ("\n" if breaks else " ", line)
    return "".join(folded)


def _parse_line(text: str, values: Mapping[str, str], unknown_fields: list[str]) -> list[Token]:
    if "*" not in text and "{" not in text and "\\" not in text and "<" not in text:
        return [(0, text)] if text else []
    raw: list[Token] = []
    sides: dict[int, tuple[bool, bool]] = {}
    end = 0
    for match in _SPECIAL.finditer(text):
        start = match.start()
        if start > end:
            raw.append((0, text[end:start]))
        end = match.end()
        what = match.lastgroup
        if what == "stars":
            after, before = text[end : end + 1], text[start - 1 : start] if start else ""
            sides[len(raw)] = (bool(after) and not after.isspace(), bool(before) and not before.isspace())
            raw.append((_STARS, match[0]))
        elif what == "name":
            raw.append((ICON, match[0][1:-1].strip()))
        elif what == "field":
            raw += _value(match[0], values, unknown_fields)
        elif what == "br" or match[0] == "\\\n":
            raw.append((BREAK, ""))
        else:
            raw.append((0, match[0][1:]))
    if end < len(text):
        raw.append((0, text[end:]))
    return _merged(_emphasised(raw, sides) if sides else raw)


def _value(written: str, values: Mapping[str, str], unknown: list[str]) -> list[Token]:
    name = written[2:-1].strip()
    if name not in values:
        unknown.append(name)
        return [(0, written)]
    # A value is markup of its own, but names no further fields: they could name one another for ever.
    return _parse_line(_fold(values[name].split("\n")), {}, unknown)


def _emphasised(raw: list[Token], sides: dict[int, tuple[bool, bool]]) -> list[Token]:
    """Return tokens with runs of stars turned into emphasis; `sides` say which runs can open or close it.

    One that begins an emphasis must touch what follows, one that ends it what comes before.
    """
    changes = dict.fromkeys(sides, 0)  # what runs change, by their indexes
    shown = {index: len(raw[index][1]) for index in sides}  # how many of their stars are left over
    opened: list[tuple[int, int]] = []
    waiting = [0, 0, 0, 0]  # how many of the opened ones have so many stars
    for index, (can_open, can_close) in sides.items():
        count = left = len(raw[index][1])
        if count > 3:
            continue
        while can_close and left and opened:
            if waiting[left]:
                # What is passed over on the way down is closed with it: each opening is looked at once.
                while opened[-1][1] != left:
                    waiting[opened.pop()[1]] -= 1
            start, open_count = opened.pop()
            waiting[open_count] -= 1
            size = min(left, open_count)
            if open_count > size:
                opened.append((start, open_count - size))
                waiting[open_count - size] += 1
            for place in (start, index):
                changes[place] ^= _CHANGES[size]
                shown[place] -= size
            left -= size
        if left == count and can_open:
            opened.append((index, count))
            waiting[count] += 1
    tokens: list[Token] = []
    state = 0
    for index, (kind, text) in enumerate(raw):
        if kind == _STARS:
            state ^= changes[index]
            tokens += [(state, text[: shown[index]])] if shown[index] else []
        else:
            tokens.append((kind | state if kind < ICON else kind, text))
    return tokens


def _merged(tokens: list[Token]) -> list[Token]:
    """Join neighbouring texts of one kind, so that words are shaped whole."""
    merged: list[Token] = []
    for kind, group in groupby(tokens, itemgetter(0)):
        same = list(group)
        merged += [(kind, "".join(text for _, text in same))] if kind < ICON else same
    return merged


NARROW = "\u202f"
NO_BREAK = "\u00a0"
_SPACES = " \u00a0\u202f\u2009"
_SPACED = "!?;:"
_UNITS = "%€°"
_BEFORE_WORDS = "([{«“‘‹¿¡/"
_CLOSERS_OF_QUOTES = " \n)]}.,;:!?…»”%" + NO_BREAK + NARROW
_SIGNS = re.compile("[!?;:»«\"'%€°]|(?<=[0-9])[ \u00a0](?=[0-9]{3}(?![0-9]))")


def spaced(text: str, language: str) -> str:
    """Return a plain text with its language's spaces and quotes; only French has its own here."""
    return respaced([(0, text)], language, most_kind=0)[0][1] if is_french(language) else text


def is_french(language: str) -> bool:
    return language[:2] == "fr" and language[2:3] in ("", "-", "_")


def respaced(tokens: list[Token], language: str, most_kind: int = 3) -> list[Token]:
    """Return the tokens of a paragraph with French spaces and quotes, except tokens above `most_kind`.

    What stands before a sign may be in another token: bold words, or an icon.
    """
    if not any(kind <= most_kind and _SIGNS.search(text) for kind, text in tokens):
        return tokens
    return _Setter(tokens, spared="!?;" if language[2:] in ("-CA", "_CA") else "", most_kind=most_kind).set()


class _Setter:
    """Rewrites a paragraph letter by letter; letters are kept with the index of their token.

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
        """Return the tokens with their French spaces and quotes."""
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
        """Return whether a sign takes a narrow space before it: punctuation after a word, units after a space."""
        if sign in _UNITS:
            return bool(before) and before in _SPACES and self._word_before().isdigit()
        if sign not in _SPACED or sign in self._spared:
            return False
        word = self._word_before()
        if not word or word in _BEFORE_WORDS or word in "!?;:":
            return False
        after = self._after(place)
        if sign == ":" and before not in _SPACES and after and (after.isalnum() or after in "/\\"):
            return False
        return not (before not in _SPACES and after.isalnum())

    def _quote(self, index: int, place: int, before: str) -> str:
        """Return the replacement of a straight quote."""
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
        """Replace any spaces before a letter by one narrow space."""
        while self._out and self._out[-1][1] and self._out[-1][1] in _SPACES:
            self._out.pop()
        self._out.append((index, NARROW))

    def _word_before(self) -> str:
        """Return the last letter before, without spaces; an icon counts as a word, a forced break as nothing."""
        for index, letter in reversed(self._out):
            if not letter:
                return "x" if self._tokens[index][1] else ""
            if letter not in _SPACES:
                return letter
        return ""

    def _after(self, place: int) -> str:
        """Return the next letter; a word for an icon, a space for a forced break, empty at the end."""
        index, letter = self._letters[place + 1] if place + 1 < len(self._letters) else (0, None)
        return letter if letter else "" if letter is None else "x" if self._tokens[index][1] else " "

    def _is_group(self, index: int, place: int) -> bool:
        """Return whether a space separates thousands: one to three digits before it, three after it."""
        before = "".join(letter for token, letter in self._out[-4:] if token == index)
        after = "".join(letter for token, letter in self._letters[place + 1 : place + 5] if token == index)
        digits = re.search(r"[0-9]+$", before)
        is_short = digits is not None and len(digits[0]) <= 3
        return is_short and re.match(r"[0-9]{3}(?![0-9])", after) is not None
