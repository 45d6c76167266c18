"""Bidirectional text: the levels of a paragraph, and the order in which the parts of a line are drawn.

An even level is written from left to right, an odd one from right to left; one stands within another. Source: Unicode
15, annex 9 (the bidirectional algorithm), whose rules are named here: P2 to L2. Characters have the classes of Python's
own tables, of which each is a letter here: rules are patterns over a paragraph's classes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from unicodedata import bidirectional, normalize

RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufefe\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
"""What a text has to have, not to be written from left to right throughout: a letter, a figure or a control."""

CLASSES = {
    "L": "L", "R": "R", "AL": "A", "EN": "E", "AN": "N", "ES": "+", "CS": ",", "ET": "#", "NSM": "m", "BN": "b",
    "B": "p", "S": "s", "WS": "w", "ON": "o", "LRI": "<", "RLI": ">", "FSI": "?", "PDI": "!",
    "LRE": "(", "RLE": ")", "LRO": "[", "RLO": "]", "PDF": "^",
}  # fmt: skip
"""The letter of each class."""

_DEEPEST = 125
_MOST_BRACKETS = 63
_ISOLATES = "<>?"
_OVERRIDES = {"(": "", ")": "", "[": "L", "]": "R"}
_DROPPED = "()[]^b"  # X9
_FIRST = re.compile("[LRA<>?]")
_MIXED = re.compile("[^RAmbswo,+#]")  # letters to the right, figures and controls
_EXPLICIT = re.compile(r"[<>?!()\[\]^p]")

_MARKS = re.compile("(.)(m+)")
_FROM_ARABIC = re.compile("A[^LRA]*")
_BETWEEN_FIGURES = re.compile("(?<=E)[+,](?=E)")
_BETWEEN_ARABIC = re.compile("(?<=N),(?=N)")
_BESIDE_FIGURES = re.compile("#+(?=E)|(?<=E)#+")
_LEFT_OVER = re.compile("[+,#]")
_FROM_LATIN = re.compile("L[^LR]*")
_WITHIN_LATIN = re.compile("(?<=L)[pswo<>?!]+(?=L)")
_WITHIN_OTHERS = re.compile("(?<=[REN])[pswo<>?!]+(?=[REN])")
_NEUTRAL = re.compile("[pswo<>?!]")
_STRONG = re.compile("[LREN]")
_IS_RIGHT = re.compile("[REN]")
_BLANKS = re.compile(r"(?<![w<>?!()\[\]^b])[w<>?!()\[\]^b]*(?:[ps]|\Z)")

# Source: BidiBrackets.txt.
_OPENING = "([{༺༼᚛⁅⁽₍⌈⌊〈❨❪❬❮❰❲❴⟅⟦⟨⟪⟬⟮⦃⦅⦇⦉⦋⦍⦏⦑⦓⦕⦗⧘⧚⧼⸢⸤⸦⸨⹕⹗⹙⹛〈《「『【〔〖〘〚﹙﹛﹝（［｛｟｢"
_CLOSING = ")]}༻༽᚜⁆⁾₎⌉⌋〉❩❫❭❯❱❳❵⟆⟧⟩⟫⟭⟯⦄⦆⦈⦊⦌⦐⦎⦒⦔⦖⦘⧙⧛⧽⸣⸥⸧⸩⹖⹘⹚⹜〉》」』】〕〗〙〛﹚﹜﹞）］｝｠｣"
_CLOSED_BY = {
    normalize("NFD", opening): normalize("NFD", closing) for opening, closing in zip(_OPENING, _CLOSING, strict=True)
}
_CLOSERS = frozenset(_CLOSED_BY.values())
_BRACKETS = re.compile(f"[\u2329\u232a{re.escape(_OPENING + _CLOSING)}]")


class _ClassOf(dict[int, str]):
    def __missing__(self, code: int) -> str:
        self[code] = CLASSES[bidirectional(chr(code)) or "L"]
        return self[code]


_CLASS_OF = _ClassOf()


def classes_of(text: str) -> str:
    return text.translate(_CLASS_OF)


def is_right_to_left(text: str) -> bool:
    """Return whether the first letter of a paragraph, outside of isolates, is written from right to left (P2, P3)."""
    classes = classes_of(text)
    first = _FIRST.search(classes)
    if first is None or first[0] in "LRA":
        return first is not None and first[0] != "L"
    return _first_strong(classes, _matches(classes), 0, len(classes)) == 1


def levels_of(classes: str, base: int, text: str = "") -> bytes:
    """Return the bidi level of each character of a paragraph, from their classes and the base level.

    Brackets are paired by the letters of its text.
    """
    if base == 1 and not _MIXED.search(classes):
        return b"\1" * len(classes)
    if not _EXPLICIT.search(classes) and "b" not in classes:
        return _with_base_level(classes, _resolved(classes, classes, text, base, base, base), base)
    matches = _matches(classes)
    levels, types = _explicit(classes, matches, base)
    kept = [at for at, one in enumerate(classes) if one not in _DROPPED]
    sequences = _sequences(classes, matches, levels, kept, base)
    settled = bytearray(levels)
    for places, start, end in sequences:
        own, given = ("".join([of[at] for at in places]) for of in (types, classes))
        letters = "".join([text[at] for at in places]) if text else ""
        resolved = _resolved(own, given, letters, levels[places[0]], start, end)
        for at, level in zip(places, resolved, strict=True):
            settled[at] = level
    return _with_base_level(classes, bytes(settled), base)


def drawing_order(levels: Sequence[int]) -> list[int]:
    """Return the order from left to right of the parts of a line (L2), from the level of each part."""
    order = list(range(len(levels)))
    for level in range(max(levels, default=0), 0, -1):
        turned: list[int] = []
        for is_turned, group in groupby(order, [one >= level for one in levels].__getitem__):
            run = list(group)
            turned += run[::-1] if is_turned else run
        order = turned
    return order


def _resolved(types: str, given: str, text: str, level: int, start: int, end: int) -> bytes:
    """Return the level of each character of a run sequence, from the levels around it (W1 to I2)."""
    own, first, last = ("LR"[one & 1] for one in (level, max(level, start), max(level, end)))
    types = _weak(types, first)
    brackets = [found for found in _BRACKETS.finditer(text) if types[found.start()] == given[found.start()] == "o"]
    if brackets:
        types = _with_brackets(types, given, brackets, own, first)
    framed = f"{first}{types}{last}"  # N1, N2
    framed = _WITHIN_LATIN.sub(lambda span: "L" * len(span[0]), framed)
    framed = _WITHIN_OTHERS.sub(lambda span: "R" * len(span[0]), framed)
    types = _NEUTRAL.sub(own, framed)[1:-1]
    right, figures = (0, 1) if level & 1 else (1, 2)
    left = 1 if level & 1 else 0
    raised = {"L": left, "R": right, "E": figures, "N": figures}
    return types.translate({ord(one): chr(level + by) for one, by in raised.items()}).encode("latin-1")


def _weak(types: str, start: str) -> str:
    """Return classes with weak types resolved: figures and their signs (W1 to W7)."""
    framed = start + types
    if "m" in framed:
        framed = _MARKS.sub(lambda span: span[1] + ("o" if span[1] in "<>?!" else span[1]) * len(span[2]), framed)
    if "A" in framed:
        framed = _FROM_ARABIC.sub(lambda span: span[0].replace("E", "N"), framed).replace("A", "R")
    if "E" in framed:
        framed = _BETWEEN_FIGURES.sub("E", framed)
        framed = _BESIDE_FIGURES.sub(lambda span: "E" * len(span[0]), framed)
    if "N" in framed:
        framed = _BETWEEN_ARABIC.sub("N", framed)
    framed = _LEFT_OVER.sub("o", framed)
    if "E" in framed:
        framed = _FROM_LATIN.sub(lambda span: span[0].replace("E", "L"), framed)
    return framed[1:]


def _with_brackets(types: str, given: str, brackets: Sequence[re.Match[str]], own: str, start: str) -> str:
    """Return classes in which pairs of brackets take the direction of their content (N0)."""
    opened: list[tuple[str, int]] = []
    pairs: list[tuple[int, int]] = []
    for bracket in brackets:
        at, letter = bracket.start(), normalize("NFD", bracket[0])
        if letter in _CLOSED_BY:
            if len(opened) == _MOST_BRACKETS:
                break
            opened.append((_CLOSED_BY[letter], at))
        elif letter in _CLOSERS:
            depth = next((depth for depth in reversed(range(len(opened))) if opened[depth][0] == letter), None)
            if depth is not None:
                pairs.append((opened[depth][1], at))
                del opened[depth:]
    for pair in sorted(pairs):
        inside = types[pair[0] + 1 : pair[1]]
        has = {"L": "L" in inside, "R": _IS_RIGHT.search(inside) is not None}
        if not any(has.values()):
            continue
        context = own
        if not has[context]:
            before = _STRONG.findall(types, 0, pair[0])
            context = start if not before else "L" if before[-1] == "L" else "R"
        for at in pair:
            end = at + 1
            while end < len(types) and given[end] == "m":
                end += 1
            types = types[:at] + context * (end - at) + types[end:]
    return types


def _matches(classes: str) -> dict[int, int]:
    """Return the end of each isolate by its start, and its start by its end (BD9)."""
    matches: dict[int, int] = {}
    opened: list[int] = []
    for at, one in enumerate(classes):
        if one in _ISOLATES:
            opened.append(at)
        elif one == "!" and opened:
            start = opened.pop()
            matches[start], matches[at] = at, start
        elif one == "p":
            opened = []
    return matches


def _first_strong(classes: str, matches: dict[int, int], start: int, end: int) -> int | None:
    at = start
    while at < end:
        if classes[at] in "LRA":
            return 0 if classes[at] == "L" else 1
        if classes[at] in _ISOLATES:
            at = matches.get(at, end)
        at += 1
    return None


def _explicit(  # noqa: C901 - a rule for each control
    classes: str, matches: dict[int, int], base: int
) -> tuple[bytes, str]:
    """Return the levels set by control characters, and the overridden classes (X1 to X8)."""
    levels, types = bytearray([base]) * len(classes), list(classes)
    stack = [(base, "", False)]  # level, override, whether it is an isolate
    lost_isolates = lost_embeddings = isolates = 0
    for at, one in enumerate(classes):
        if one == "p":
            stack, lost_isolates, lost_embeddings, isolates = stack[:1], 0, 0, 0
        elif one == "!" and lost_isolates:
            lost_isolates -= 1
        elif one == "!" and isolates:
            lost_embeddings, isolates = 0, isolates - 1
            while not stack.pop()[2]:
                pass
        level, override, is_isolate = stack[-1]
        levels[at] = level
        if override and one not in _DROPPED and one != "p":
            types[at] = override
        if one in _OVERRIDES or one in _ISOLATES:
            is_right = one in ")]>"
            if one == "?":
                is_right = _first_strong(classes, matches, at + 1, matches.get(at, len(classes))) == 1
            inner = (level + 1) | 1 if is_right else (level + 2) & ~1
            is_lost = inner > _DEEPEST or lost_isolates + lost_embeddings > 0
            if not is_lost:
                stack.append((inner, _OVERRIDES.get(one, ""), one in _ISOLATES))
            isolates += one in _ISOLATES and not is_lost
            lost_isolates += one in _ISOLATES and is_lost
            lost_embeddings += one in _OVERRIDES and is_lost and not lost_isolates
        elif one == "^" and not lost_isolates:
            if lost_embeddings:
                lost_embeddings -= 1
            elif not is_isolate and len(stack) > 1:
                stack.pop()
    return bytes(levels), "".join(types)


def _sequences(
    classes: str, matches: dict[int, int], levels: bytes, kept: Sequence[int], base: int
) -> list[tuple[list[int], int, int]]:
    """Return the isolating run sequences (X10), each with the levels before and after it."""
    runs = [list(group) for _, group in groupby(kept, levels.__getitem__)]
    begun = {run[0]: run for run in runs}
    number_of = {at: number for number, at in enumerate(kept)}
    sequences: list[tuple[list[int], int, int]] = []
    for run in runs:
        if classes[run[0]] == "!" and run[0] in matches:
            continue
        places = list(run)
        while classes[places[-1]] in _ISOLATES and places[-1] in matches:
            places += begun[matches[places[-1]]]
        first, last = number_of[places[0]], number_of[places[-1]]
        is_open = classes[places[-1]] in _ISOLATES or last + 1 == len(kept)
        before = levels[kept[first - 1]] if first else base
        sequences.append((places, before, base if is_open else levels[kept[last + 1]]))
    return sequences


def _with_base_level(classes: str, levels: bytes, base: int) -> bytes:
    """Return levels with separators, and blanks before them and at the end, reset to the base level (L1).

    What rules do not count has that of what is before it. At the ends of lines no blank is drawn.
    """
    laid = bytearray(levels)
    for blanks in _BLANKS.finditer(classes):
        laid[blanks.start() : blanks.end()] = bytes([base]) * len(blanks[0])
    for at, one in enumerate(classes) if _EXPLICIT.search(classes) or "b" in classes else ():
        if one in _DROPPED:
            laid[at] = laid[at - 1] if at else base
    return bytes(laid)
