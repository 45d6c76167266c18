"""What a template may look at: plain data only (dict, list, str, int, float, bool, None), made once per piece.

And what it says in the language that is printed: `t()` for fixed words, `number` for figures. Which words it asks for
is also found without filling it (`fixed_words`), so that words on a branch that no card takes are not held for unused.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jinja2 import Environment, nodes
from jinja2.exceptions import FilterArgumentError, TemplateSyntaxError
from jinja2.runtime import Undefined
from markupsafe import Markup

from duckpress.core.limits import limit
from duckpress.core.sizes import Format
from duckpress.core.tuckbox import NET_MARGINS
from duckpress.expressions.budget import Budget
from duckpress.expressions.parsing import parse_template
from duckpress.expressions.sandbox import LazyValue
from duckpress.language import CATEGORIES, OTHER, Speech, phrase_key
from duckpress.model import Card, Deck, Game, Piece


def plain(value: Any) -> Any:
    """Return a value of the model as plain data: tuples as lists, mappings as dicts."""
    if isinstance(value, str | int | float | bool) or value is None:
        return value
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    return [plain(item) for item in value]


def card_values(card: Card, deck: Deck) -> dict[str, Any]:
    """Return a card's fields with its id and copies; a declared field that the card leaves out has its default."""
    values: dict[str, Any] = {name: plain(field.default) for name, field in deck.fields.items()}
    for name, value in card.values.items():
        values[name] = value if type(value) in (str, int) else plain(value)
    values["id"] = card.id
    values["copies"] = card.copies
    return values


def piece_values(game: Game, piece: Piece, tables: object, language: str) -> dict[str, Any]:
    """Return the variables that are the same for every face of a piece."""
    credits_ = [{"role": credit.role, "name": credit.name} for credit in game.credits]
    notes = [{"subject": note.subject, "choice": note.choice, "reason": note.reason} for note in game.notes]

    def every_deck() -> dict[str, Any]:
        decks = {}
        for deck in game.decks.values():
            cards = [card_values(card, deck) for card in deck.cards]
            decks[deck.id] = {"title": deck.title, "count": deck.count, "cards": cards}
        return decks

    return {
        "game": {
            "id": game.id,
            "title": game.title,
            "version": game.version,
            "finish": game.finish,
            "designer": game.designer,
            "players": list(game.players),
            "languages": [item.code for item in game.languages],
            "facts": plain(game.facts),
            "lists": plain(game.lists),
            "credits": credits_,
            "notes": notes,
            "about": game.about,
            "licence": game.licence,
        },
        "piece": {"id": piece.id, "title": piece.title},
        "decks": LazyValue(every_deck),
        "setup": tables,
        "language": language,
    }


def deck_values(deck: Deck, format_: Format) -> dict[str, Any]:
    """Return the variables that are the same for every face of a deck."""
    values: dict[str, Any] = {
        "deck": {"id": deck.id, "title": deck.title, "count": deck.count},
        "trim": {"width": format_.trim.width_mm, "height": format_.trim.height_mm},
        "bleed": format_.bleed_mm,
        "safe": format_.safe_mm,
        "corner": format_.corner_mm,
    }
    if (box := deck.box) is not None:
        values["box"] = {
            "count": box.cards, "width": box.width_mm, "height": box.height_mm, "depth": box.depth_mm,
            "left": NET_MARGINS.width_mm, "top": NET_MARGINS.height_mm,
            "holds": [{"deck": id_, "cards": count} for id_, count in box.holds],
        }  # fmt: skip
    return values


MAX_DECIMALS = 10


class FixedWords:
    """The functions of one language for templates; what they return is escaped like any other value."""

    def __init__(self, speech: Speech, budget: Budget) -> None:
        """Take the language, and the budget that every word is counted against."""
        self._speech = speech
        self._budget = budget

    def t(self, text: Any, **values: Any) -> str:
        """Return fixed words in the language printed; values named like plural categories are forms of the original."""
        words = self._plain(text)
        if not isinstance(words, str):
            raise FilterArgumentError(f"t() translates texts, and this is {type(words).__name__}")
        self._budget.spend(1)
        if not values:
            return self._speech.t(words)
        forms = {name: str(self._said(values.pop(name))) for name in CATEGORIES if name in values and name != OTHER}
        said = {name: self._said(value) for name, value in values.items()}
        filled = self._speech.t(words, said, forms, most=limit("template-text"))
        return str(self._budget.measured(filled))

    def number(self, value: Any, decimals: Any = None) -> str:
        """Return a number as the language writes it, with so many decimals or with those it has; nothing for none."""
        if isinstance(value, Undefined):
            str(value)  # raises, with the name that is unknown
        if value is None:
            return ""
        if isinstance(value, bool) or not isinstance(value, int | float):
            shown = repr(value[:40]) if isinstance(value, str) else f"a {type(value).__name__}"
            raise FilterArgumentError(f"number writes numbers, and this is {shown}")
        places = None if decimals is None else max(0, min(MAX_DECIMALS, int(self._budget.read(decimals))))
        return self._speech.number(value, places)

    def _plain(self, value: Any) -> Any:
        # What a macro or a block wrote is escaped already; it is looked up and filled in as it reads.
        if isinstance(value, Undefined):
            str(value)  # raises, with the name that is unknown
        self._budget.read(value)
        return str(value.unescape()) if isinstance(value, Markup) else value

    def _said(self, value: Any) -> Any:
        plain = self._plain(value)
        if isinstance(plain, str | int | float | None):
            return "" if plain is None else plain
        raise FilterArgumentError(f"t() fills in texts and numbers, and this is a {type(plain).__name__}")


def fixed_words(source: str) -> set[str]:
    """Return the keys of the fixed words that a template's source asks for; none where it cannot be read."""
    try:
        tree = parse_template(Environment(), source)  # it is read, never filled
    except TemplateSyntaxError:
        return set()
    calls = [call.args[0] for call in tree.find_all(nodes.Call) if _is_t(call.node) and call.args]
    filters = [use.node for use in tree.find_all(nodes.Filter) if use.name == "t"]
    texts = (node.value for node in (*calls, *filters) if isinstance(node, nodes.Const))
    return {phrase_key(text) for text in texts if isinstance(text, str)}


def _is_t(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Name) and node.name == "t"
