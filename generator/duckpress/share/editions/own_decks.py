"""Which decks a copy has faces of its own of: those it draws or fills in, and those whose faces may look at such cards.

Nothing is laid out for it: templates are read as texts, and whatever cannot be told from those counts as a look.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache
from typing import NamedTuple

from duckpress.files.workspace import Refused, Workspace
from duckpress.model import Deck, Game, SheetText

_COMMENT = re.compile(r"\{#.*?#\}", re.DOTALL)
_CODE = re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)
_OTHER_FILE = re.compile(r"\{%[-+]?\s*(?:include|import|extends|from)\s+(?:[\"']([^\"']+)[\"'])?")
_DECKS = re.compile(r"\bdecks\b(?:\.([A-Za-z_]\w*)|\[\s*[\"']([^\"']+)[\"']\s*\])?")
_OF_ALL = ("get", "items", "keys", "values")  # methods of a record: not a deck, but all of them
_FIGURE = re.compile(r"\]\(([^)]*)\)")
_SHOWS, _TOGETHER = "<card", "together"


class OwnDecks(NamedTuple):
    """The decks of which copies have faces of their own; of those in `alone` a card looks the same in any of them."""

    every: frozenset[str]
    alone: frozenset[str]

    def are_in(self, text: SheetText) -> bool:
        """Return whether a text that is read may tell of their cards."""
        shown = " ".join(_FIGURE.findall(text.text))
        return _asks_for(text.text, self.every) or any(map(_words_of(shown).__contains__, self.every))


def own_decks(workspace: Workspace, game: Game, drawn: Collection[str], filled: Collection[str]) -> OwnDecks:
    """Return the decks of which copies have faces of their own, where so many are drawn and filled in."""
    templates = _Templates(workspace, game)
    common = _words_of(repr((game.facts, game.lists)))
    every = {*drawn, *filled}
    looking: set[str] = set()
    is_growing = True
    while is_growing:
        is_growing = False
        for id_, deck in game.decks.items():
            if id_ not in looking and templates.may_show(deck, every, common):
                is_growing = is_growing or id_ not in every
                looking.add(id_)
                every.add(id_)
    alone = {id_ for id_ in {*drawn} - {*filled} - looking if not templates.sets_together(game.decks[id_])}
    return OwnDecks(frozenset(every), frozenset(alone))


class _Templates:
    """The templates of a game as texts, each with all that it includes and imports."""

    def __init__(self, workspace: Workspace, game: Game) -> None:
        self._workspace, self._folder = workspace, game.folder
        self._read = cache(self._text)

    def may_show(self, deck: Deck, decks: Collection[str], common: frozenset[str]) -> bool:
        """Return whether faces of a deck may depend on cards of others; `common` are the words of facts and lists."""
        text = self._of(deck)
        if text is None or _asks_for(text, decks):
            return True
        if _SHOWS not in text:
            return False
        values = _words_of(repr([card.values for card in deck.cards]))
        return any(id_ in words for id_ in decks for words in (_words_of(text), values, common))

    def sets_together(self, deck: Deck) -> bool:
        """Return whether texts of several cards of a deck have their size in common."""
        text = self._of(deck)
        return text is None or _TOGETHER in text

    def _of(self, deck: Deck) -> str | None:
        texts = [self._read(name) for name in (deck.front, deck.back) if name is not None]
        return None if None in texts else "\n".join(map(str, texts))

    def _text(self, name: str, above: tuple[str, ...] = ()) -> str | None:
        """Return a template with all that it takes in; None where it cannot be told what that is."""
        file = f"{name.removesuffix('.xml')}.xml"
        own = f"{self._folder}/layouts/{file}"
        try:
            path = own if self._workspace.has(own) else f"layouts/{file}"
            text = _COMMENT.sub("", self._workspace.read(path, "template-file").decode("utf-8-sig", "replace"))
        except Refused:
            return None
        texts = [text]
        for inner in _OTHER_FILE.findall(text):
            taken = self._text(inner, (*above, name)) if inner and inner not in above else None
            if taken is None:
                return None
            texts.append(taken)
        return "\n".join(texts)


def _asks_for(text: str, decks: Collection[str]) -> bool:
    """Return whether the code in a text looks at cards of some decks, or at decks that it does not name."""
    names = (match[1] or match[2] for code in _CODE.findall(text) for match in _DECKS.finditer(code))
    return any(name is None or name in decks or name in _OF_ALL for name in names)


def _words_of(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[\w-]+", text))
