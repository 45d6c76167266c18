"""Changes of cards, setup and rules, in the words of a game's language.

Texts have marks on the words that went and that came, which each kind of page writes in its own way. On paper a mark is
no colour: a word that went stands in brackets, one that came is bold.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from duckpress.check import setup_table
from duckpress.core.language import program
from duckpress.core.problems import Problem
from duckpress.files.workspace import Workspace
from duckpress.layout import LaidOut, load_theme
from duckpress.layout.rulebook.furniture import Leaflet, escaped, leaflet_piece
from duckpress.model import Field, FieldKind, Game
from duckpress.press.reading import Loaded, variants_of
from duckpress.press.releases.changes import CardChange, Changes
from duckpress.press.releases.lock import CardKey, Plain
from duckpress.press.request import Step, silent
from duckpress.share.changes_report import apart, cut, listed, plain_words, readable, span
from duckpress.share.revisions import LaidOutFace, OldDecks, faces_of, old_faces
from duckpress.views.shown_game import ShownGame, lay_out_game
from duckpress.views.words import card_words

_LONGEST = 90  # letters of a name or a number
_LONGEST_TEXT = 260  # of a text or a paragraph of which the words are marked that differ
Faces = Mapping[CardKey, LaidOutFace]

# Noncharacters: Unicode keeps them for the inside of programs, so no text of a game has them.
_WENT, _WENT_END, _CAME, _CAME_END = "\ufdd0", "\ufdd1", "\ufdd2", "\ufdd3"
_LETTER = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"  # scripts without spaces: every letter is a word
_WORD = re.compile(f"[{_LETTER}]|[^\\s{_LETTER}]+")


class GameDiff(NamedTuple):
    """The changes between two versions, in a game's language, with the faces that can be shown.

    `titles` are the headings of setup columns in that language, by those in the game's first one.
    """

    game: Game
    changes: Changes
    language: str
    titles: Mapping[str, str]
    new_faces: Faces
    old_faces: Faces

    def say(self, phrase: str, /, **values: object) -> str:
        return self.game.speech.program(phrase, values)

    @property
    def keys(self) -> list[CardKey]:
        """The new and changed cards, in the order of the new version, and then the removed ones."""
        changes = self.changes
        touched = {change.new.key for change in changes.changed} | {card.key for card in changes.added}
        return [key for key in changes.new.cards if key in touched] + [card.key for card in changes.removed]

    def face_before(self, key: CardKey) -> LaidOutFace | None:
        """Return a card's old face, perhaps the current one if it looks the same; None for a new card."""
        old, new = (lock.cards.get(key) for lock in (self.changes.old, self.changes.new))
        if old is None:
            return None
        is_same = new is not None and old.faces.get(self.language) == new.faces.get(self.language)
        return self.old_faces.get(key) or (self.new_faces.get(key) if is_same else None)

    def sides(self, key: CardKey) -> tuple[bool, ...]:
        """Return the changed sides of a card: False for the front, True for the back.

        It is the front where neither does, and of a card that is new or gone.
        """
        cards = [lock.cards.get(key) for lock in (self.changes.old, self.changes.new)]
        sides = [card.faces[self.language] for card in cards if card is not None and self.language in card.faces]
        old, new = sides if len(sides) == 2 else ((), ())
        return tuple(bool(at) for at, (was, now) in enumerate(zip(old, new, strict=True)) if was != now) or (False,)

    def deck_title(self, deck: str) -> str:
        """Return a deck's title in this language; for a removed deck, the old title."""
        if deck in self.game.decks:
            return self.game.decks[deck].title
        return self.changes.old.decks.get(deck) or deck

    def code_of(self, key: CardKey) -> str:
        """Return a card's code, from the new version or else from the old one."""
        for lock in (self.changes.new, self.changes.old):
            card = lock.cards.get(key)
            if card is not None and card.code:
                return card.code
        return ""

    def name_of(self, key: CardKey) -> str:
        """Return the name of a card; for a removed card, the old name."""
        deck = self.game.decks.get(key[0])
        card = next((card for card in deck.cards if card.id == key[1]), None) if deck is not None else None
        if card is None or deck is None:
            return self.name_before(key)
        return card_words(card, deck, deck.title if len(deck.cards) == 1 else "")[0]

    def name_before(self, key: CardKey) -> str:
        """Return the name of a card in the old version: its first text, else its id."""
        card = self.changes.old.cards.get(key)
        deck = self.game.decks.get(key[0])
        fields = (card.said_in(self.language) if card is not None else None) or {}
        known = deck.fields if deck is not None else {}
        for name in (*known, *fields):
            value, field = fields.get(name), known.get(name)
            if isinstance(value, str) and plain_words(value) and (field is None or field.kind is FieldKind.TEXT):
                return cut(plain_words(value), _LONGEST)
        is_alone = sum(deck_id == key[0] for deck_id, _ in self.changes.old.cards) == 1
        return self.deck_title(key[0]) if is_alone else key[1].replace("-", " ").capitalize()

    def words_before(self, key: CardKey) -> str:
        """Return the words instead of an old face that cannot be shown: the card's old name, and its code."""
        card = self.changes.old.cards.get(key)
        code = card.code if card is not None and card.code else self.code_of(key)
        return f"{self.name_before(key)} {code}".rstrip()

    def notes(self, key: CardKey) -> list[str]:
        """Return the changes of a card in words."""
        say, changes = self.say, self.changes
        if key not in changes.old.cards:
            return [say(program.NEW_CARD)]
        if key not in changes.new.cards:
            return [say(program.GONE_CARD)]
        change: CardChange | None = next((changed for changed in changes.changed if changed.new.key == key), None)
        if change is None:
            return []
        notes = []
        for label, old, new in self.fields(change):
            if isinstance(old, str) and isinstance(new, str):
                old, new = apart(old, new, _LONGEST_TEXT)
            was, now = marked(_value(old, _LONGEST_TEXT), _value(new, _LONGEST_TEXT))
            notes.append(say(program.FIELD_CHANGE, name=label, old=was, new=now))
        if self.language in change.looks and not notes:
            notes.append(say(program.LOOKS_DIFFERENT))
        if change.copies:
            notes.append(say(program.NEW_COPIES, new=change.new.copies, old=change.old.copies))
        return notes

    def fields(self, change: CardChange) -> Iterator[tuple[str, Plain, Plain]]:
        """Yield the label of each changed field, and its old and new value, in readable form."""
        is_original = self.language == self.changes.new.languages[0]
        deck = self.game.decks.get(change.new.deck)
        for name, was, now in change.fields if is_original else change.texts.get(self.language, ()):
            field = deck.fields.get(name) if deck is not None else None
            own = field.label if field is not None else ""
            old, new = (self._in_words(field, value) for value in readable(was, now))
            yield own or self.game.speech.fields.get(name) or name.replace("_", " "), old, new

    def _in_words(self, field: Field | None, value: Plain) -> Plain:
        """Return a field's value in readable form: choices by their words, numbers as the language writes them."""
        if isinstance(value, bool):
            return self.say(program.YES if value else program.NO)
        if isinstance(value, float):
            return self.game.speech.number(value)
        if isinstance(value, str) and field is not None and value in field.choices:
            # By the list that has a record for each choice, else by the game's fixed words.
            for records in self.game.lists.values():
                if all(isinstance(records.get(choice), Mapping) for choice in field.choices):
                    title = records[value].get("name")
                    if isinstance(title, str):
                        return title
            return self.game.speech.known(value) or value
        if isinstance(value, list):
            return listed([self._in_words(field, item) for item in value])
        return value

    def parts(self) -> list[tuple[str, list[str]]]:
        """Return the changes other than cards, in lines, each part under its head, a phrase of the program."""
        return [(program.SETUP_CHANGED, self.setup_lines()), (program.RULES_CHANGED, self.rules_lines())]

    def rules_lines(self) -> list[str]:
        """Return the removed and added paragraphs of the rules, in the language of the sheet."""
        say, lines = self.say, []
        for gone, come in self.rules():
            if len(gone) == len(come) == 1 and gone != come:
                gone[0], come[0] = apart(gone[0], come[0], _LONGEST_TEXT)
            gone, come = ([cut(words, _LONGEST_TEXT) for words in part] for part in (gone, come))
            if len(gone) == len(come) == 1:
                gone[0], come[0] = marked(gone[0], come[0])
            lines += [say(program.RULES_BEFORE, words=words) for words in gone]
            lines += [say(program.RULES_NOW, words=words) for words in come]
        return lines

    def rules(self) -> Iterator[tuple[list[str], list[str]]]:
        """Yield the removed and added paragraphs at each place of the rules, in readable form."""
        for change in self.changes.rules:
            if change.language == self.language:
                yield [_as_read(words) for words in change.old], [_as_read(words) for words in change.new]

    def setup_lines(self) -> list[str]:
        """Return a line for each changed number in a column, with all its player counts."""
        groups: dict[tuple[str, str, str, str], list[str]] = {}
        variants = self.game.setup.all_variants if self.game.setup is not None else {}
        for change in self.changes.own_setup:
            key = (change.variant, change.column, _value(change.old), _value(change.new))
            groups.setdefault(key, []).append(change.players)
        lines = []
        for (variant, column, old, new), players in groups.items():
            title = self.titles.get(column, column)
            if variant != "base":
                title = f"{variants[variant].title if variant in variants else variant}, {title}"
            lines.append(self.say(program.SETUP_LINE, column=title, old=old, new=new, players=span(players)))
        return lines


def diff_of(
    loaded: Loaded, game: Game, changes: Changes, language: str, new_faces: Faces | None = None,
    old_faces: Faces | None = None,
) -> GameDiff:  # fmt: skip
    """Return the changes in the language of `game`."""
    titles: dict[str, str] = {}
    if loaded.game is not None and game is not loaded.game:
        for variant in (None, *variants_of(game)):
            pairs = zip(setup_table(loaded.game, variant).columns, setup_table(game, variant).columns, strict=True)
            titles |= {original.title: translated.title for original, translated in pairs}
    return GameDiff(game, changes, language, titles, new_faces or {}, old_faces or {})


class LaidOutDiff(NamedTuple):
    """A laid-out game with the changed pieces, and the old ones if their files can be found.

    `diff` is None where an error stands.
    """

    shown: ShownGame
    old_pieces: tuple[LaidOut, ...]
    diff: GameDiff | None

    def leaflet(self, workspace: Workspace, name: str, ink: str) -> tuple[Leaflet | None, list[Problem]]:
        """Return the maker of pages in the theme of the rules, which show the faces of both versions."""
        game = self.shown.checked.game
        assert game is not None
        piece = leaflet_piece(game, name, game.speech.program(program.SWAP))
        theme, problems = load_theme(workspace, game.id, piece.theme, game.theme_at(piece))
        if theme is None:
            return None, problems
        leaflet = Leaflet(workspace, game, piece, theme, self.shown.fonts, ink)
        for one in (*self.shown.checked.pieces, *self.old_pieces):
            leaflet.keep(one)
        return leaflet, problems


def lay_out_diff(
    workspace: Workspace, loaded: Loaded, changes: Changes, base: OldDecks, pieces: Sequence[str],
    papers: Sequence[str], step: Step = silent,
) -> LaidOutDiff:  # fmt: skip
    """Lay out the current pieces, and the old decks, in the language and the ink of the old ones."""
    step("laying out")
    shown = lay_out_game(workspace, loaded, language=base.language, papers=papers, pieces=pieces, ink=base.ink)
    game = shown.checked.game
    if game is None or shown.checked.has_errors:
        return LaidOutDiff(shown, (), None)
    step("laying out the old cards")
    old = old_faces(workspace, base, shown.fonts, loaded.frames)
    diff = diff_of(loaded, game, changes, base.language, faces_of(shown.checked.pieces), faces_of(old))
    return LaidOutDiff(shown, old, diff)


def marked(old: str, new: str) -> tuple[str, str]:
    """Return both texts, with a mark around each run of words that the other does not have.

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
    return _WENT in words or _CAME in words


def as_markup(words: str) -> str:
    """Return marked words as markup for a page, with all other characters escaped."""
    return _replaced(escaped(words), "[", "]", "**", "**")


def as_markdown(words: str) -> str:
    """Return marked words as Markdown."""
    plain = "".join(f"\\{letter}" if letter in "\\*_`<[#" else letter for letter in words)
    return _replaced(plain, "\\[", "]", "**", "**")


def as_text(words: str) -> str:
    """Return marked words as plain text, without bold."""
    return _replaced(words, "[", "]", "", "")


def _replaced(words: str, *marks: str) -> str:
    return words.translate(dict(zip(map(ord, (_WENT, _WENT_END, _CAME, _CAME_END)), marks, strict=True)))


def _enclosed(text: str, runs: list[tuple[int, int]], before: str, after: str) -> str:
    for start, end in reversed(runs):
        text = f"{text[:start]}{before}{text[start:end]}{after}{text[end:]}"
    return text


def _value(value: Plain, longest: int = _LONGEST) -> str:
    if value is None or value == "":
        return "–"
    return cut(plain_words(value) if isinstance(value, str) else str(value), longest)


def _as_read(words: str) -> str:
    """Return a paragraph of rules without Markdown markup; computed values become `…`."""
    words = re.sub(r"\{\{.*?\}\}", "…", words)
    words = re.sub(r"!\[([^\]]*)\]\([^)]*\)", r"\1", words)
    return plain_words(re.sub(r"^#+ |^> |^- ", "", words)) or words
