"""What changed, in the words of a game's language: of cards, setup and rules.

Texts have marks on the words that went and that came, which each kind of page writes in its own way. On paper a mark is
no colour: a word that went stands in brackets, one that came is bold.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from duckpress.check import setup_table
from duckpress.language import program
from duckpress.layout import Face
from duckpress.model import FieldKind, Game
from duckpress.press.reading import Loaded, variants_of
from duckpress.press.releases.changes import CardChange, Changes
from duckpress.press.releases.lock import CardKey, Plain
from duckpress.rulebook.furniture import escaped
from duckpress.share.changes_report import apart, cut, listed, plain_words, readable, span
from duckpress.views.card_words import card_words

# Noncharacters: Unicode keeps them for the inside of programs, so no text of a game has them.
_WENT, _WENT_END, _CAME, _CAME_END = "\ufdd0", "\ufdd1", "\ufdd2", "\ufdd3"
_LETTER = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"  # scripts without spaces: every letter is a word
_WORD = re.compile(f"[{_LETTER}]|[^\\s{_LETTER}]+")


def marked(old: str, new: str) -> tuple[str, str]:
    """Return both texts, with a mark around each run of words of the one that the other has not.

    Where they have no word in common, nothing is marked: all of the one stands for all of the other.
    """
    was, now = list(_WORD.finditer(old)), list(_WORD.finditer(new))
    matcher = difflib.SequenceMatcher(None, [word[0] for word in was], [word[0] for word in now], autojunk=False)
    went, came = [], []
    for tag, first, end, first_now, end_now in matcher.get_opcodes():
        if tag != "equal":
            went += [(was[first].start(), was[end - 1].end())] if first < end else []
            came += [(now[first_now].start(), now[end_now - 1].end())] if first_now < end_now else []
    if not matcher.ratio():
        return old, new
    return _enclosed(old, went, _WENT, _WENT_END), _enclosed(new, came, _CAME, _CAME_END)


def has_marks(words: str) -> bool:
    """Return whether a word of a text is marked."""
    return _WENT in words or _CAME in words


def as_markup(words: str) -> str:
    """Return marked words as markup of a page; everything else in them as it is."""
    return _replaced(escaped(words), "[", "]", "**", "**")


def as_markdown(words: str) -> str:
    """Return marked words as Markdown."""
    plain = "".join(f"\\{letter}" if letter in "\\*_`<[#" else letter for letter in words)
    return _replaced(plain, "\\[", "]", "**", "**")


def as_text(words: str) -> str:
    """Return marked words as plain text, which has no bold."""
    return _replaced(words, "[", "]", "", "")


def _replaced(words: str, *marks: str) -> str:
    return words.translate(dict(zip(map(ord, (_WENT, _WENT_END, _CAME, _CAME_END)), marks, strict=True)))


def _enclosed(text: str, runs: list[tuple[int, int]], before: str, after: str) -> str:
    for start, end in reversed(runs):
        text = f"{text[:start]}{before}{text[start:end]}{after}{text[end:]}"
    return text


_LONGEST = 90  # letters of a name or a number
_LONGEST_TEXT = 260  # of a text or a paragraph of which the words are marked that differ
Faces = Mapping[CardKey, Face]


class Telling(NamedTuple):
    """What a sheet tells: the changes, in a game's language, with the faces that can be shown.

    `titles` are the headings of setup columns in that language, by those in the game's first one.
    """

    game: Game
    changes: Changes
    language: str
    titles: Mapping[str, str]
    new_faces: Faces
    old_faces: Faces

    def say(self, phrase: str, /, **values: object) -> str:
        """Return words of the program in the game's language."""
        return self.game.speech.program(phrase, values)


def telling_of(
    loaded: Loaded, game: Game, changes: Changes, language: str, new_faces: Faces, old_faces: Faces
) -> Telling:
    """Return what a sheet of changes tells, in the language of `game`."""
    titles: dict[str, str] = {}
    if loaded.game is not None and game is not loaded.game:
        for variant in (None, *variants_of(game)):
            pairs = zip(setup_table(loaded.game, variant).columns, setup_table(game, variant).columns, strict=True)
            titles |= {original.title: translated.title for original, translated in pairs}
    return Telling(game, changes, language, titles, new_faces, old_faces)


def keys_that_differ(changes: Changes) -> list[CardKey]:
    """Return the cards that are new or changed, in the order of the new version, and then those that are gone."""
    touched = {change.new.key for change in changes.changed} | {card.key for card in changes.added}
    return [key for key in changes.new.cards if key in touched] + [card.key for card in changes.removed]


def face_before(telling: Telling, key: CardKey) -> Face | None:
    """Return a card's face as it was: also the one of now, where it looks the same."""
    old, new = (lock.cards.get(key) for lock in (telling.changes.old, telling.changes.new))
    is_same = old is not None and new is not None and old.faces.get(telling.language) == new.faces.get(telling.language)
    return telling.old_faces.get(key) or (telling.new_faces.get(key) if is_same else None)


def sides_that_differ(telling: Telling, key: CardKey) -> tuple[bool, ...]:
    """Return the sides of a card to show, False for the front and True for the back: those that look otherwise now.

    It is the front where neither does, and of a card that is new or gone.
    """
    cards = [lock.cards.get(key) for lock in (telling.changes.old, telling.changes.new)]
    sides = [card.faces[telling.language] for card in cards if card is not None and telling.language in card.faces]
    old, new = sides if len(sides) == 2 else ((), ())
    return tuple(bool(at) for at, (was, now) in enumerate(zip(old, new, strict=True)) if was != now) or (False,)


def deck_title(telling: Telling, deck: str) -> str:
    """Return a deck's title in the language of the sheet, or the one it had."""
    if deck in telling.game.decks:
        return telling.game.decks[deck].title
    return telling.changes.old.decks.get(deck) or deck


def code_of(telling: Telling, key: CardKey) -> str:
    """Return a card's code, as the new version has it or the old one had."""
    for lock in (telling.changes.new, telling.changes.old):
        card = lock.cards.get(key)
        if card is not None and card.code:
            return card.code
    return ""


def name_of(telling: Telling, key: CardKey) -> str:
    """Return what a card is called now; what it was called where it is gone."""
    deck = telling.game.decks.get(key[0])
    card = next((card for card in deck.cards if card.id == key[1]), None) if deck is not None else None
    if card is None or deck is None:
        return name_before(telling, key)
    return card_words(card, deck, deck.title if len(deck.cards) == 1 else "")[0]


def name_before(telling: Telling, key: CardKey) -> str:
    """Return what a card of the old version was called: its first text, else its id."""
    card = telling.changes.old.cards.get(key)
    deck = telling.game.decks.get(key[0])
    fields = (card.said_in(telling.language) if card is not None else None) or {}
    order = [*deck.fields, *fields] if deck is not None else list(fields)
    for name in order:
        value = fields.get(name)
        field = deck.fields.get(name) if deck is not None else None
        if isinstance(value, str) and plain_words(value) and (field is None or field.kind is FieldKind.TEXT):
            return cut(plain_words(value), _LONGEST)
    is_alone = sum(deck_id == key[0] for deck_id, _ in telling.changes.old.cards) == 1
    return deck_title(telling, key[0]) if is_alone else key[1].replace("-", " ").capitalize()


def words_before(telling: Telling, key: CardKey) -> str:
    """Return what stands in the place of an old face that cannot be shown: what the card was called, and its code."""
    card = telling.changes.old.cards.get(key)
    code = card.code if card is not None and card.code else code_of(telling, key)
    return f"{name_before(telling, key)} {code}".rstrip()


def card_notes(telling: Telling, key: CardKey) -> list[str]:
    """Return in words how a card differs from the one before."""
    say, changes = telling.say, telling.changes
    if key not in changes.old.cards:
        return [say(program.NEW_CARD)]
    if key not in changes.new.cards:
        return [say(program.GONE_CARD)]
    change: CardChange | None = next((changed for changed in changes.changed if changed.new.key == key), None)
    if change is None:
        return []
    notes = []
    for label, old, new in fields_in_words(telling, change):
        if isinstance(old, str) and isinstance(new, str):
            old, new = apart(old, new, _LONGEST_TEXT)
        was, now = marked(_value(old, _LONGEST_TEXT), _value(new, _LONGEST_TEXT))
        notes.append(say(program.FIELD_CHANGE, name=label, old=was, new=now))
    if telling.language in change.looks and not notes:
        notes.append(say(program.LOOKS_DIFFERENT))
    if change.copies:
        notes.append(say(program.NEW_COPIES, new=change.new.copies, old=change.old.copies))
    return notes


def fields_in_words(telling: Telling, change: CardChange) -> Iterator[tuple[str, Plain, Plain]]:
    """Yield what each field that changed is called, and its value before and now, as these are read."""
    is_original = telling.language == telling.changes.new.languages[0]
    deck = change.new.deck
    for field in change.fields if is_original else change.texts.get(telling.language, ()):
        old, new = (_in_words(telling, deck, field.name, value) for value in readable(field.old, field.new))
        yield _label(telling, deck, field.name), old, new


def _label(telling: Telling, deck: str, name: str) -> str:
    """Return what a field is called: in its deck or its translation, else by a word that games share, else its id."""
    field = telling.game.decks[deck].fields.get(name) if deck in telling.game.decks else None
    if field is not None and field.label:
        return field.label
    return telling.game.speech.fields.get(name) or name.replace("_", " ")


def _in_words(telling: Telling, deck: str, name: str, value: Plain) -> Plain:
    """Return a field's value as it is read: choices by their words, numbers as the language writes them."""
    field = telling.game.decks[deck].fields.get(name) if deck in telling.game.decks else None
    if isinstance(value, bool):
        return telling.say(program.YES if value else program.NO)
    if isinstance(value, float):
        return telling.game.speech.number(value)
    if isinstance(value, str) and field is not None and value in field.choices:
        # By the list that has a record for each choice, else by the game's fixed words.
        for records in telling.game.lists.values():
            if all(isinstance(records.get(choice), Mapping) for choice in field.choices):
                title = records[value].get("name")
                if isinstance(title, str):
                    return title
        return telling.game.speech.known(value) or value
    if isinstance(value, list):
        return listed([_in_words(telling, deck, name, item) for item in value])
    return value


def rules_lines(telling: Telling) -> list[str]:
    """Return the paragraphs of the rules that went and that came, in the language of the sheet."""
    say, lines = telling.say, []
    for gone, come in rules_in_words(telling):
        if len(gone) == len(come) == 1 and gone != come:
            gone[0], come[0] = apart(gone[0], come[0], _LONGEST_TEXT)
        gone, come = ([cut(words, _LONGEST_TEXT) for words in part] for part in (gone, come))
        if len(gone) == len(come) == 1:
            gone[0], come[0] = marked(gone[0], come[0])
        lines += [say(program.RULES_BEFORE, words=words) for words in gone]
        lines += [say(program.RULES_NOW, words=words) for words in come]
    return lines


def rules_in_words(telling: Telling) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the paragraphs that went and that came at each place of the rules, as they are read."""
    for change in telling.changes.rules:
        if change.language == telling.language:
            yield [_as_read(words) for words in change.old], [_as_read(words) for words in change.new]


def setup_lines(telling: Telling) -> list[str]:
    """Return a line for each column and each pair of numbers, with all the player counts that they hold for."""
    groups: dict[tuple[str, str, str, str], list[str]] = {}
    variants = telling.game.setup.all_variants if telling.game.setup is not None else {}
    plain = {change[1:] for change in telling.changes.setup if change.variant == "base"}
    for change in telling.changes.setup:
        if change.variant != "base" and change[1:] in plain:
            continue  # the same as without the variant
        key = (change.variant, change.column, _value(change.old), _value(change.new))
        groups.setdefault(key, []).append(change.players)
    lines = []
    for (variant, column, old, new), players in groups.items():
        title = telling.titles.get(column, column)
        if variant != "base":
            title = f"{variants[variant].title if variant in variants else variant}, {title}"
        lines.append(telling.say(program.SETUP_LINE, column=title, old=old, new=new, players=span(players)))
    return lines


def _value(value: Plain, longest: int = _LONGEST) -> str:
    if value is None or value == "":
        return "–"
    return cut(plain_words(value) if isinstance(value, str) else str(value), longest)


def _as_read(words: str) -> str:
    """Return a paragraph of a rules sheet without the marks of its Markdown; what it works out stays open."""
    words = re.sub(r"\{\{.*?\}\}", "…", words)
    words = re.sub(r"!\[([^\]]*)\]\([^)]*\)", r"\1", words)
    return plain_words(re.sub(r"^#+ |^> |^- ", "", words)) or words
