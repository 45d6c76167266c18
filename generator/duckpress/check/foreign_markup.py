"""Markup of other tools in the texts of cards: `<b>`, `[i]`, `&amp;`, `__x__`, `:gold:`. Here it would be printed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from html.entities import html5

from duckpress.core.problems import Level, Problem
from duckpress.model import Card, Deck, Game

_BOLD, _ITALIC = "write '**words**'", "write '*words*'"
_BREAK = "write <br>"
_FIXES = {
    **dict.fromkeys(("b", "strong", "h1", "h2", "h3", "h4", "h5", "h6"), _BOLD),
    **dict.fromkeys(("i", "em"), _ITALIC),
    "u": f"{_ITALIC} or '**words**': nothing is underlined",
    "br": _BREAK,
    **dict.fromkeys(("p", "div"), "leave an empty line between paragraphs"),
    **dict.fromkeys(("ul", "ol", "li", "list"), "write each entry on a line of its own that begins with '- '"),
    **dict.fromkeys(("sub", "sup"), "write the sign itself, such as ² or ₂"),
    **dict.fromkeys(("img", "icon"), "write the icon's name in braces, such as {gold}"),
    **dict.fromkeys(("s", "strike", "del"), "delete it: nothing is struck through"),
    **dict.fromkeys(
        ("body", "center", "code", "color", "font", "hr", "html", "ins", "size", "small", "big", "span", "table", "td",
         "th", "tr", "tt", "url"),
        "delete it: the layout says how a text looks",
    ),
}  # fmt: skip
_NAMES = "|".join(_FIXES)
_MARKUP = re.compile(
    rf"(?<!\\)(?:<(?!(?-i:br ?/?>))/?(?P<tag>{_NAMES}|a(?=\s))(?:\s(?:[^<>=]{{0,200}}=[^<>]{{0,200}})?)?/?>"
    rf"|\[/(?P<bracket>{_NAMES})\]"
    r"|&(?P<entity>#[0-9]{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,30});"
    r"|(?P<typed>(?:\\r)?\\n)"
    r"|(?<![0-9%])(?P<percent>%n)(?-i:(?![a-z]))"
    r"|(?<!\w)__(?=[^\s_])(?P<underlined>[^_\n]{1,200})(?<=\S)__(?!\w)"
    r"|(?<![\w/])_(?=[^\s_])(?P<slanted>[^_\n]{1,200})(?<=\S)_(?!\w)"
    r"|~~(?=[^\s~])(?P<struck>[^~\n]{1,200})(?<=\S)~~(?!~)"
    r"|(?<![\w:/]):(?P<name>[a-z][a-z0-9_+-]{1,40}):(?![\w:/]))",
    re.IGNORECASE,
)
_PATH = re.compile(r"""["'(]?(?:[a-z]:|\\\\|\.{1,2}$|\.{1,2}\\)""", re.IGNORECASE)
_LONGEST_PATH = 100


def looks_like_markup(game: Game) -> Iterator[Problem]:
    """Yield a `looks-like-markup` for each field of a deck and each kind of foreign markup in it, at the first card."""
    for deck in game.decks.values():
        for field in deck.fields:
            cards: dict[str, list[tuple[Card, re.Match[str]]]] = {}
            for card in deck.cards:
                kinds = {_kind(match): match for match in _matches(card, field)}
                for kind, match in kinds.items():
                    cards.setdefault(kind, []).append((card, match))
            for found in cards.values():
                yield _problem(deck, field, found)


def _matches(card: Card, field: str) -> Iterator[re.Match[str]]:
    """Yield what in the texts of a field is markup elsewhere, the last first."""
    value = card.values.get(field)
    for text in value if isinstance(value, tuple) else (value,):
        matches = list(_MARKUP.finditer(text)) if isinstance(text, str) else []
        yield from (match for match in reversed(matches) if not _is_plain(match))


def _is_plain(match: re.Match[str]) -> bool:
    """Return whether something is no markup: no name of a character, or a part of a path (`C:\\new`)."""
    if match["entity"]:
        return not match["entity"].startswith("#") and f"{match['entity']};" not in html5
    if match["typed"] is None:
        return False
    before = match.string[max(0, match.start() - _LONGEST_PATH) : match.start()]
    word = "" if before[-1:].isspace() else before.split()[-1:]
    return bool(word) and _PATH.match(word[0]) is not None


def _kind(match: re.Match[str]) -> str:
    name = match["tag"] or match["bracket"] or match["entity"]
    return f"{match.lastgroup} {name.lower()}" if name else str(match.lastgroup)


def _problem(deck: Deck, field: str, found: list[tuple[Card, re.Match[str]]]) -> Problem:
    card, match = found[0]
    shown = match[0] if len(match[0]) <= 30 else f"{match[0][:27]}..."
    what = f"{field!r} of card {card.id!r} has {shown!r}, markup of another tool, which is printed as it stands"
    if others := len(found) - 1:
        cards = "1 other card has" if others == 1 else f"{others} other cards have"
        what = f"{what}; {cards} it in deck {deck.id!r}, too"
    fix = f"{_fix(match)}; if it is meant so, write '\\{shown}'"
    return Problem("looks-like-markup", card.at(field), what, fix, Level.WARNING)


def _fix(match: re.Match[str]) -> str:
    """Return what to write instead of markup."""
    if name := match["tag"] or match["bracket"]:
        return _FIXES.get(name.lower(), "delete it")
    if match["entity"]:
        character = unescape(match[0])
        return f"write {character!r}" if character.isprintable() and not character.isspace() else "write a blank"
    words = match["underlined"] or match["slanted"] or match["struck"] or ""
    if match["underlined"]:
        return f"write '**{words}**'"
    if match["slanted"]:
        return f"write '*{words}*'"
    if match["struck"]:
        return "delete the ~~: nothing is struck through"
    return f"write {{{match['name']}}}, the icon of that name" if match["name"] else _BREAK
