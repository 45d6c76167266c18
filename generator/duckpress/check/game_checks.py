"""Checks of a game's cards and amounts, each of one topic; and the number of copies to print.

Markup of other tools in the texts of cards (`<b>`, `[i]`, `&amp;`, `__x__`, `:gold:`) would be printed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from html import unescape
from html.entities import html5
from itertools import product

from duckpress.check.expressions import Spent
from duckpress.check.setup.rule_book import Book
from duckpress.check.setup.runs import Runs
from duckpress.core.problems import Level, Problem, did_you_mean
from duckpress.model import Card, Deck, FieldKind, Game
from duckpress.model.setup import MOST_PLAYERS, Amount, Expectation, OddsRule, Step, Variant

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
_MAY_BE_MARKUP = re.compile(r"[<&_~\\]|\[/|%n|:[a-z]", re.IGNORECASE)  # said of a text in a tenth of the time
_PATH = re.compile(r"""["'(]?(?:[a-z]:|\\\\|\.{1,2}$|\.{1,2}\\)""", re.IGNORECASE)
_LONGEST_PATH = 100
_MENTION = re.compile(r"(?<!\\)\{=([^{}]*+)\}")


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
    """Yield the foreign markup in the texts of a field, the last first."""
    value = card.values.get(field)
    for text in value if isinstance(value, tuple) else (value,):
        matches = list(_MARKUP.finditer(text)) if isinstance(text, str) and _MAY_BE_MARKUP.search(text) else []
        yield from (match for match in reversed(matches) if not _is_plain(match))


def _is_plain(match: re.Match[str]) -> bool:
    """Return whether a match is no markup: an unknown character entity, or a part of a path (`C:\\new`)."""
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


def unknown_fields_in_text(game: Game) -> Iterator[Problem]:
    """Yield an `unknown-field-in-text` for each `{=field}` in a card's text without such a field."""
    for deck in game.decks.values():
        names = [name for name, field in deck.fields.items() if field.kind in (FieldKind.TEXT, FieldKind.LIST)]
        known = {*deck.fields, "id", "copies"}
        for card, name in product(deck.cards, names):
            value = card.values.get(name)
            texts = [text for text in (value if isinstance(value, tuple) else (value,)) if isinstance(text, str)]
            mentions = dict.fromkeys(field.strip() for text in texts for field in _MENTION.findall(text))
            for field in (field for field in mentions if field not in known):
                what = f"{name!r} of card {card.id!r} mentions {{={field}}}, and deck {deck.id!r} has no such field"
                fix = did_you_mean(field, deck.fields, else_say="its fields are")
                yield Problem("unknown-field-in-text", card.at(name), what, fix)


def decks_without_cards(game: Game) -> Iterator[Problem]:
    """Yield an `empty-deck` for each deck whose cards all have no copies; one without cards is found earlier."""
    for deck in game.decks.values():
        if deck.cards and deck.count == 0 and deck.is_whole:
            what = f"every card of deck {deck.id!r} has 0 copies"
            yield Problem("empty-deck", deck.at("cards"), what, "give them copies, or delete the deck")


def extra_counts(book: Book) -> Iterator[Problem]:
    """Yield an `extra-count` for each amount, and each part with `only`, for a player count the game does not have."""
    rounds = [part.rounds for part in book.parts if part.rounds is not None]
    steps = [step for part in (*book.parts, *rounds) for step in part.steps]
    expectations = [expectation for part in book.parts for expectation in part.expectations]
    parts: list[tuple[str, Step | Expectation | OddsRule | Variant]] = [("step", step) for step in steps]
    parts += [("expectation", expectation) for expectation in expectations]
    parts += [("question", question) for question in book.setup.odds]
    parts += [("module" if part.is_module else "variant", part) for part in book.setup.all_variants.values()]
    for kind, part in parts:
        extra = _extra(part.only or (), book.game)
        if extra or (part.only == () and book.setup.is_whole):  # none is left, too, where a count could not be read
            counts = ", ".join(map(str, extra[:3])) + (", ..." if len(extra) > 3 else "")
            counts = f"{counts}, and the game has no such player count" if extra else "no player count"
            fix = f"correct 'only', delete the {kind}, or correct 'players' in game.yaml"
            yield Problem("extra-count", part.source, f"'only' of this {kind} names {counts}", fix, Level.WARNING)
    amounts: list[Amount | None] = [value.amount for value in book.setup.values.values()]
    for step in steps:
        amounts += [*(take.amount for take in step.takes), step.remove, step.slots]
    amounts += [expectation.is_ for expectation in expectations]
    amounts += [one for played in rounds for bound in played.bounds.values() for one in (bound.at_least, bound.at_most)]
    amounts += [one for question in book.setup.odds for one in (question.at_least, question.at_most)]
    for amount in amounts:
        by_players = amount.by_players if amount is not None else {}
        for players in _extra([count for count in by_players if count is not None], book.game):
            counted = f"{players} player{'s' * (players != 1)}"
            what = f"an amount is given for {counted}, and the game is not for {players}"
            fix = "delete it, or correct 'players' in game.yaml"
            yield Problem("extra-count", by_players[players].source, what, fix, Level.WARNING)


def _extra(counts: Sequence[int], game: Game) -> list[int]:
    """Return the player counts that a game does not have; `3+` may go on beyond the game's most."""
    most = max(game.players)
    is_open = MOST_PLAYERS in counts and most in counts
    return [count for count in counts if count not in game.players and not (is_open and count > most)]


def copies_for(game: Game, players: int | None) -> Mapping[tuple[str, str], int]:
    """Return the copies to print of each card, by deck id and card id; None is for all player counts: the maximum.

    A deck per player counts once for each player. For one player count, a card is left out where its deck is in use,
    but no step of the basic game or of any variant can ever take the card at that player count: a random draw may take
    any card of its deck, `where` only those for which it holds. A card that no step takes at any player count, and a
    sheet that is no component, is printed in full: the setup does not tell when it is needed.
    """
    counts = game.players if players is None else (players,)
    used = used_cards(game)
    copies: dict[tuple[str, str], int] = {}
    for deck in game.decks.values():
        for index, card in enumerate(deck.cards):
            at = used.get((deck.id, index)) if deck.is_component else None
            fitting = counts
            if at is not None and not at.issuperset(counts):
                fitting = tuple(count for count in counts if count in at or count not in game.players)
            sets = max(fitting, default=0) if deck.is_per_player else min(1, len(fitting))
            key = (deck.id, card.id)
            copies[key] = max(copies.get(key, 0), card.copies * sets)
    return copies


def used_cards(game: Game) -> Mapping[tuple[str, int], set[int]]:
    """Return at which player counts a step may take a card, by deck and position; empty where nobody knows."""

    def run_all() -> Mapping[tuple[str, int], set[int]]:
        try:
            return (Runs(Book(game, game.setup)).used() if game.setup is not None else None) or {}
        except Spent:
            return {}

    return game.once("used cards", run_all)


def unused_cards(runs: Runs) -> Iterator[Problem]:
    """Yield an `unused-cards` for each deck with cards that no step takes, at any player count and in any variant.

    Nothing is said where a run broke off, and nothing about sheets that are no components.
    """
    used = runs.used()
    for deck in runs.book.game.decks.values() if used is not None else ():
        unused = [card for at, card in enumerate(deck.cards) if (deck.id, at) not in (used or {}) and card.copies]
        if not deck.is_component or not unused:
            continue
        count = sum(card.copies for card in unused)
        if len(unused) == len(deck.cards):
            cards = f"any of the {count} cards" if count > 1 else "the only card"
            what = f"no step takes {cards} of deck {deck.id!r}"
            fix = "take them in setup.yaml, or mark the deck 'component: no' where it is a sheet"
            yield Problem("unused-cards", deck.source, what, fix, Level.WARNING)
            continue
        names = ", ".join(repr(card.id) for card in unused[:3]) + (", ..." if len(unused) > 3 else "")
        what = f"no step takes {count} of the {deck.count} cards of deck {deck.id!r}: {names}"
        fix = "take them in setup.yaml, or leave them out of the deck"
        yield Problem("unused-cards", unused[0].source, what, fix, Level.WARNING)
