"""A frozen version of a game: plain data, made from the game, its faces and the previous version.

Two things are kept from lock to lock, as they are printed on cards that lie on somebody's table. A card's **code**
(`A17`) is given once and never again to another card, also when its own is gone. The version in which a card last
**changed** stays as it is while its faces, in every language, stay as they are; a new version by itself changes no
card.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from duckpress.model import Card, Game, Value

CardKey = tuple[str, str]  # a card's deck and id
Plain = str | int | float | bool | None | list["Plain"] | dict[str, "Plain"]


class SeenFace(Struct, frozen=True):
    """A laid-out face for comparison: its card, language, and the hashes of its sides without version marks."""

    deck: str
    card: str
    language: str
    front: str
    back: str | None
    copies: int


class LockedCard(Struct, frozen=True):
    """A card of a version. `faces` are the hashes of front and back by language.

    Where a source does not know them, `fields` are None and the code is empty. `texts` are the fields that say
    something else in another language than the first. `changed` is the version in which it last changed in any
    language; `changes` holds that of single languages where it is another one.
    """

    deck: str
    card: str
    code: str
    changed: str
    copies: int
    fields: Mapping[str, Plain] | None
    faces: Mapping[str, tuple[str, str | None]]
    changes: Mapping[str, str] = field(default_factory=dict)
    texts: Mapping[str, Mapping[str, Plain]] = field(default_factory=dict)

    @property
    def key(self) -> CardKey:
        return self.deck, self.card

    def said_in(self, language: str) -> Mapping[str, Plain] | None:
        """Return the fields in a language; None if they are not known."""
        return None if self.fields is None else {**self.fields, **self.texts.get(language, {})}


class Lock(Struct, frozen=True):
    """A version of a game. `setup` holds the cells of the setup tables: variant -> players -> column -> value.

    `rules` are the paragraphs of the rules sheets by language. What a source does not know (a manifest knows neither
    fields nor setup) is None. `printed_in` is the ink of what was printed, of a manifest: its faces are those in that
    ink. Everything else tells cards by their faces in colour. `retired` are the codes of cards that are gone.
    """

    game: str
    title: str
    version: str
    languages: tuple[str, ...]
    decks: Mapping[str, str]
    cards: Mapping[CardKey, LockedCard]
    setup: Mapping[str, Mapping[str, Mapping[str, Plain]]] | None
    rules: Mapping[str, tuple[str, ...]] | None
    printed_in: str | None = None
    retired: Mapping[CardKey, str] = field(default_factory=dict)

    @property
    def codes(self) -> Mapping[CardKey, str]:
        """All codes ever given, those of removed cards first."""
        return {**self.retired, **{key: card.code for key, card in self.cards.items() if card.code}}


def lock_of(
    game: Game,
    faces: Sequence[SeenFace],
    tables: Mapping[str, Mapping[str, Mapping[str, Plain]]],
    before: Lock | None,
    translated: Sequence[Game] = (),
) -> Lock:
    """Return the lock of a game as it is now. `before` is the newest release, whose codes and versions continue.

    `translated` is the game in its other languages. A card that is printed in several pieces counts once, with the
    faces of the first.
    """
    seen: dict[CardKey, dict[str, SeenFace]] = {}
    for face in faces:
        seen.setdefault((face.deck, face.card), {}).setdefault(face.language, face)
    fields = _fields(game)
    others = {one.language: _fields(one) for one in translated}
    codes = give_codes(list(seen), before)
    cards = {}
    for key, by_language in seen.items():
        sides = {language: (face.front, face.back) for language, face in sorted(by_language.items())}
        old = before.cards.get(key) if before is not None else None
        shared = () if old is None else old.faces.keys() & sides.keys()  # what it looks the same in, to be unchanged
        is_same = bool(shared) and old is not None and all(old.faces[one] == sides[one] for one in shared)
        changed = old.changed if old is not None and is_same else game.version
        versions = {language: changed_in(old, language, hashes, game.version) for language, hashes in sides.items()}
        changes = {language: version for language, version in versions.items() if version != changed}
        own = fields.get(key, {})
        texts: dict[str, dict[str, Plain]] = {}
        for language, one in sorted(others.items()):
            said = {name: value for name, value in one.get(key, {}).items() if value != own.get(name)}
            texts |= {language: said} if said else {}
        copies = next(iter(by_language.values())).copies
        cards[key] = LockedCard(*key, codes[key], changed, copies, own, sides, changes, texts)
    rules = {code: paragraphs_of(sheet.text) for code, sheet in sorted(game.rules.items())}
    titles = {deck.id: deck.title for deck in game.decks.values()}
    languages = tuple(language.code for language in game.languages)
    retired = {key: code for key, code in (before.codes if before is not None else {}).items() if key not in cards}
    return Lock(game.id, game.title, game.version, languages, titles, cards, tables, rules, retired=retired)


def spoken_in(lock: Lock, language: str) -> Lock:
    """Return a version in one language only; cards without that language are left out."""
    cards = {
        key: replace(card, fields=card.said_in(language), faces={language: card.faces[language]}, changes={}, texts={})
        for key, card in lock.cards.items()
        if language in card.faces
    }
    rules = None if lock.rules is None else {code: text for code, text in lock.rules.items() if code == language}
    return replace(lock, languages=(language,), cards=cards, rules=rules)


def _fields(game: Game) -> dict[CardKey, dict[str, Plain]]:
    return {(deck.id, card.id): fields_of(card) for deck in game.decks.values() for card in deck.cards}


def fields_of(card: Card) -> dict[str, Plain]:
    return {name: _plain(value) for name, value in sorted(card.values.items())}


def changed_in(old: LockedCard | None, language: str, sides: tuple[str, str | None], version: str) -> str:
    """Return the version in which a card last changed in a language; `version` is the new one.

    `old` is the card in the newest release, `sides` are its faces as they are now. This is what is printed on it.
    """
    if old is None or old.faces.get(language) != sides:
        return version
    return old.changes.get(language, old.changed)


def give_codes(keys: Sequence[CardKey], before: Lock | None) -> dict[CardKey, str]:
    """Return a code for every card: letters for its deck, and an increasing number that is never reused.

    Codes given before are kept, also those of cards that are gone: a card that comes back has its old one again.
    """
    codes = {} if before is None else before.codes
    letters: dict[str, str] = {}
    highest: dict[str, int] = {}
    for (deck, _), code in codes.items():
        head = code.rstrip("0123456789")
        letters[deck] = head
        highest[head] = max(highest.get(head, 0), int(code[len(head) :] or 0))
    given = {}
    for deck, card in keys:
        if (deck, card) in codes:
            given[deck, card] = codes[deck, card]
            continue
        if deck not in letters:
            letters[deck] = _letters_for(deck, set(letters.values()))
        head = letters[deck]
        highest[head] = highest.get(head, 0) + 1
        given[deck, card] = f"{head}{highest[head]}"
    return given


def _letters_for(deck: str, taken: set[str]) -> str:
    """Return the letters of a deck: its first, else the first of its words, else as many as needed."""
    plain = "".join(letter for letter in deck.upper() if letter.isalpha()) or "X"
    words = "".join(word[:1] for word in deck.upper().split("-") if word[:1].isalpha())
    choices = [plain[:1], words[:2], *(plain[:size] for size in range(2, len(plain) + 1))]
    choices += [plain[0] + other for other in "ABCDEFGHJKLMNPQRSTUVWXYZ"]
    return next((choice for choice in choices if choice and choice not in taken), f"X{len(taken)}X")


def paragraphs_of(text: str) -> tuple[str, ...]:
    """Return the paragraphs of a rules sheet, each on one line: line breaks alone are no change."""
    blocks = text.replace("\r\n", "\n").split("\n\n")
    return tuple(words for block in blocks if (words := " ".join(block.split())))


def _plain(value: Value) -> Plain:
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def recognised(printed: Lock, released: Lock) -> Lock:
    """Return a printed version, completed from the release of that version where faces, in the same ink, are equal."""
    if (printed.game, printed.version) != (released.game, released.version):
        return printed
    cards = {}
    for key, card in printed.cards.items():
        known = released.cards.get(key)
        if known is not None and all(known.faces.get(language) == sides for language, sides in card.faces.items()):
            card = replace(card, fields=known.fields, texts=known.texts, code=card.code or known.code)
        cards[key] = card
    lock = replace(printed, cards=cards, decks=released.decks)
    if not cards or any(card.fields is None for card in cards.values()):
        return lock  # printed between two releases: its rules may have been others
    return replace(lock, setup=released.setup, rules=released.rules)
