"""Two locks -> the changes: cards, fields, looks, copies, setup numbers, rules; and the swap in a printed deck."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from msgspec import Struct

from duckpress.press.releases.lock import CardKey, Lock, LockedCard, Plain

Printed = tuple[CardKey, tuple[str, str | None]]  # a printed card: which it is, and what it looks like


class FieldChange(NamedTuple):
    """A field's value before and after; None if the card had no such field."""

    name: str
    old: Plain
    new: Plain


class CardChange(Struct, frozen=True):
    """A card of both versions that has changed.

    `looks` are the languages in which its faces look otherwise, `texts` the fields that changed in the languages
    besides the first. A card whose fields are the same and looks different was touched by its layout, theme, art or
    fonts.
    """

    old: LockedCard
    new: LockedCard
    fields: tuple[FieldChange, ...]
    looks: tuple[str, ...]
    texts: Mapping[str, tuple[FieldChange, ...]] = MappingProxyType({})

    @property
    def copies(self) -> int:
        """The number of additional copies (negative for fewer)."""
        return self.new.copies - self.old.copies


class SetupChange(NamedTuple):
    """A cell of a setup table before and after; None if there was none."""

    variant: str
    players: str
    column: str
    old: Plain
    new: Plain


class RulesChange(Struct, frozen=True):
    """Removed and added paragraphs of a rules sheet, at one place."""

    language: str
    old: tuple[str, ...]
    new: tuple[str, ...]


class Changes(NamedTuple):
    """All differences between two versions."""

    old: Lock
    new: Lock
    added: tuple[LockedCard, ...]
    removed: tuple[LockedCard, ...]
    changed: tuple[CardChange, ...]
    setup: tuple[SetupChange, ...]
    rules: tuple[RulesChange, ...]
    languages_added: tuple[str, ...]
    languages_removed: tuple[str, ...]

    @property
    def is_empty(self) -> bool:
        """Whether nothing changed except perhaps the version."""
        return not any(self[2:])

    @property
    def own_setup(self) -> list[SetupChange]:
        """The changed cells of setup tables; of variants, only those that did not change so in the base game."""
        base = {change[1:] for change in self.setup if change.variant == "base"}
        return [change for change in self.setup if change.variant == "base" or change[1:] not in base]


def compare(old: Lock, new: Lock) -> Changes:
    """Return the changes; data missing in one version (a manifest has no fields, setup or rules) count as unchanged."""
    # Of a lock that knows no translation there is nothing to be said in other languages.
    knows_texts = all(any(card.texts for card in lock.cards.values()) for lock in (old, new))
    languages = new.languages[1:] if knows_texts else ()
    added = tuple(card for key, card in new.cards.items() if key not in old.cards)
    removed = tuple(card for key, card in old.cards.items() if key not in new.cards)
    pairs = ((old.cards[key], card) for key, card in new.cards.items() if key in old.cards)
    changed = tuple(change for pair in pairs if (change := _card_change(*pair, languages)) is not None)
    # What somebody printed has the languages that they wanted, not all there were.
    is_printed = old.printed_in is not None
    languages_added = () if is_printed else tuple(code for code in new.languages if code not in old.languages)
    languages_removed = tuple(code for code in old.languages if code not in new.languages)
    setup, rules = _setup_changes(old, new), _rules_changes(old, new)
    return Changes(old, new, added, removed, changed, setup, rules, languages_added, languages_removed)


def field_changes(old: Mapping[str, Plain] | None, new: Mapping[str, Plain] | None) -> tuple[FieldChange, ...]:
    """Return the changed fields of a card; none if one version does not record them."""
    if old is None or new is None:
        return ()
    names = dict.fromkeys((*old, *new))
    return tuple(FieldChange(name, old.get(name), new.get(name)) for name in names if old.get(name) != new.get(name))


def _card_change(old: LockedCard, new: LockedCard, languages: Sequence[str]) -> CardChange | None:
    fields = field_changes(old.fields, new.fields)
    said = {one: field_changes(old.said_in(one), new.said_in(one)) for one in languages if one in old.faces}
    texts = {language: found for language, found in said.items() if found}
    looks = tuple(
        language for language in new.faces if new.faces[language] != old.faces.get(language, new.faces[language])
    )
    change = CardChange(old, new, fields, looks, texts)
    return change if fields or looks or texts or change.copies else None


def _setup_changes(old: Lock, new: Lock) -> tuple[SetupChange, ...]:
    if old.setup is None or new.setup is None:
        return ()
    changes = []
    for variant in dict.fromkeys((*old.setup, *new.setup)):
        rows, other = old.setup.get(variant, {}), new.setup.get(variant, {})
        for players in dict.fromkeys((*rows, *other)):
            cells, now = rows.get(players, {}), other.get(players, {})
            changed = field_changes(cells, now)
            changes += [SetupChange(variant, players, one.name, one.old, one.new) for one in changed]
    return tuple(changes)


def _rules_changes(old: Lock, new: Lock) -> tuple[RulesChange, ...]:
    if old.rules is None or new.rules is None:
        return ()
    changes = []
    for language in dict.fromkeys((*old.rules, *new.rules)):
        before, now = old.rules.get(language, ()), new.rules.get(language, ())
        for kind, i1, i2, j1, j2 in difflib.SequenceMatcher(None, before, now, autojunk=False).get_opcodes():
            if kind != "equal":
                changes.append(RulesChange(language, before[i1:i2], now[j1:j2]))
    return tuple(changes)


class SwapLine(Struct, frozen=True):
    """A number of copies of one card to take out or to put in."""

    card: LockedCard
    copies: int


class Swap(Struct, frozen=True):
    """The swap in the printed cards of one language."""

    language: str
    take_out: tuple[SwapLine, ...]
    put_in: tuple[SwapLine, ...]


def deck_of(lock: Lock, language: str) -> Counter[Printed]:
    """Return the printed cards of a version in a language."""
    deck: Counter[Printed] = Counter()
    for key, card in lock.cards.items():
        face = card.faces.get(language)
        if face is not None and card.copies:
            deck[key, face] = card.copies
    return deck


def swap_of(changes: Changes, language: str) -> Swap:
    """Return the swap: copies that only the old deck has go out, copies that only the new one has come in."""
    old, new = deck_of(changes.old, language), deck_of(changes.new, language)
    out, into = old - new, new - old
    return Swap(
        language,
        tuple(SwapLine(changes.old.cards[key], count) for (key, _), count in out.items()),
        tuple(SwapLine(changes.new.cards[key], count) for (key, _), count in into.items()),
    )


def apply_swap(deck: Counter[Printed], swap: Swap) -> Counter[Printed]:
    """Return the deck after the swap. Raises ValueError if it takes out missing cards."""
    after = Counter(deck)
    for line in swap.take_out:
        printed = line.card.key, line.card.faces[swap.language]
        if after[printed] < line.copies:
            raise ValueError(f"there are only {after[printed]} of {line.card.key} to take out, not {line.copies}")
        after[printed] -= line.copies
    for line in swap.put_in:
        after[line.card.key, line.card.faces[swap.language]] += line.copies
    return +after
