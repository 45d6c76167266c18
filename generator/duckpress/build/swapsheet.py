"""What changed between two versions -> pages: which cards to take out and put in, numbers and rules in words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from duckpress.build.swaprows import Row, RowSetting, Shown, Small
from duckpress.build.virtual_table import card_words
from duckpress.language import sharing
from duckpress.problems import Source
from duckpress.releases import CardChange, Changes, Lock, Swap, SwapLine
from duckpress.releases.lock import CardKey, Plain
from duckpress.releases.plain import apart, cut, plain_words, readable
from duckpress.rulebook.blocks import Block, Heading, Items, Prose, Table
from duckpress.rulebook.leaflet import escaped
from duckpress.rulebook.pages import PageShape
from duckpress.rulebook.slugs import Section, Slug, kept_together

if TYPE_CHECKING:
    from duckpress.layout import Face
    from duckpress.model import Game
    from duckpress.rulebook.leaflet import Leaflet
    from duckpress.rulebook.setting import BlockSetting

_LONGEST = 90  # letters of a field's value
_LONGEST_RULE = 260
_MANY = 6  # cards of a deck that is swapped as a whole from this number on

Faces = Mapping[CardKey, "Face"]


class Telling(NamedTuple):
    """What a sheet tells: the changes, in a game's language, with the faces that can be shown.

    `titles` are the headings of setup columns in that language, by those in the game's first one.
    """

    game: Game
    changes: Changes
    language: str
    old_faces: Faces
    new_faces: Faces
    titles: Mapping[str, str]

    @property
    def lacks_old_faces(self) -> bool:
        """Whether cards of before have to be shown and not one of them can be."""
        changes = self.changes
        return not self.old_faces and bool(changes.removed or any(one.looks for one in changes.changed))

    def say(self, phrase: str, /, **values: object) -> str:
        """Give words of the program in the game's language."""
        return self.game.speech.program(phrase, values)


class SwapSheet:
    """Composes the pages of a swap sheet; `sheets` says on which sheet of the new cards each is, `file` where."""

    def __init__(
        self, leaflet: Leaflet, telling: Telling, swap: Swap, file: str, sheets: Mapping[CardKey, Sequence[int]]
    ) -> None:
        self._leaflet = leaflet
        self._telling = telling
        self._swap = swap
        self._file = file
        self._sheets = sheets
        self._source = telling.game.source

    def __call__(self, setting: BlockSetting, shape: PageShape) -> list[Section]:
        """Give the sections for a shape of page."""
        say, changes = self._telling.say, self._telling.changes
        out = sum(line.copies for line in self._swap.take_out)
        into = sum(line.copies for line in self._swap.put_in)
        lead = say(sharing.SWAP_LEAD, out=out, into=into, new=changes.new.version)
        steps = [say(sharing.SWAP_PRINT, file=self._file)] if into else []
        steps += [say(sharing.SWAP_DO), say(sharing.SWAP_COUNT)]
        numbered = tuple((Prose(escaped(step), self._source),) for step in steps)
        first: list[Block] = [Prose(escaped(lead), self._source, is_lead=True), Items(1, numbered, self._source)]
        sections = [Section(1, tuple(setting.blocks(first, shape.text_mm)))]
        rows = RowSetting(self._leaflet, setting, self._source, has_ticks=True)
        width_mm = shape.column_mm(shape.columns)
        slugs = list_slugs(self.rows(), rows, setting, width_mm, self._source)
        sections.append(Section(shape.columns, tuple(slugs)))
        sections.append(Section(1, tuple(self._counts(setting, shape.text_mm))))
        return sections + words_sections(self._telling, setting, shape)

    def rows(self) -> dict[str, list[Row]]:
        """Give the rows by the title of their deck, in the order of the new version."""
        telling = self._telling
        out = {line.card.key: line for line in self._swap.take_out}
        into = {line.card.key: line for line in self._swap.put_in}
        keys = [key for key in telling.changes.new.cards if key in out or key in into]
        keys += [key for key in out if key not in keys]
        found: dict[str, list[Row]] = {}
        whole = self._whole_decks(out, into)
        for key in keys:
            title = deck_title(telling, key[0])
            if key[0] in whole:
                if title not in found:
                    found[title] = [self._deck_row(key[0], out, into)]
                continue
            found.setdefault(title, []).append(self._row(key, out.get(key), into.get(key)))
        return found

    def _row(self, key: CardKey, out: SwapLine | None, into: SwapLine | None) -> Row:
        telling = self._telling
        say = telling.say
        card = into.card if into is not None else out.card if out is not None else telling.changes.new.cards[key]
        code = card.code or code_of(telling, key)
        old = new = None
        if out is not None:
            old = half(face_before(telling, key), words_before(telling, key), say(sharing.TAKE_OUT, n=out.copies))
        if into is not None:
            new = half(telling.new_faces.get(key), name_of(telling, key), say(sharing.PUT_IN, n=into.copies))
        notes = card_notes(telling, key)
        kept = card.copies - (into.copies if into is not None else 0)
        if into is not None and kept and out is None:
            notes.append(say(sharing.KEEP, n=kept))
        if into is not None and key in self._sheets:
            numbers = ", ".join(map(str, self._sheets[key]))
            notes.append(say(sharing.ON_SHEET, number=numbers))
        return Row(old, new, name_of(telling, key), code, tuple(notes))

    def _whole_decks(self, out: Mapping[CardKey, SwapLine], into: Mapping[CardKey, SwapLine]) -> set[str]:
        """Give the decks that are swapped altogether: nobody has to sort them card by card."""
        found = set()
        for deck in {key[0] for key in into}:
            before = _cards(self._telling.changes.old, deck, self._telling.language)
            now = _cards(self._telling.changes.new, deck, self._telling.language)
            gone = {key: line.copies for key, line in out.items() if key[0] == deck}
            come = {key: line.copies for key, line in into.items() if key[0] == deck}
            if len(now) >= _MANY and gone == before and come == now:
                found.add(deck)
        return found

    def _deck_row(self, deck: str, out: Mapping[CardKey, SwapLine], into: Mapping[CardKey, SwapLine]) -> Row:
        telling = self._telling
        say = telling.say
        gone = [line for key, line in out.items() if key[0] == deck]
        come = [line for key, line in into.items() if key[0] == deck]
        old = None
        if gone:
            count = sum(line.copies for line in gone)
            face = telling.old_faces.get(gone[0].card.key)
            old = half(face, words_before(telling, gone[0].card.key), say(sharing.TAKE_OUT, n=count))
        count = sum(line.copies for line in come)
        new = half(telling.new_faces.get(come[0].card.key), deck, say(sharing.PUT_IN, n=count))
        numbers = sorted({number for line in come for number in self._sheets.get(line.card.key, ())})
        notes = [deck_title(telling, deck)]
        notes += [say(sharing.ON_SHEET, number=_span(numbers))] if numbers else []
        return Row(old, new, say(sharing.WHOLE_DECK), f"{come[0].card.code}–{come[-1].card.code}", tuple(notes))

    def _counts(self, setting: BlockSetting, width_mm: float) -> list[Slug]:
        telling = self._telling
        say, source = telling.say, self._source
        rows = []
        touched = {line.card.deck for line in (*self._swap.take_out, *self._swap.put_in)}
        for deck in telling.game.decks:
            now = sum(_cards(telling.changes.new, deck, telling.language).values())
            before = sum(_cards(telling.changes.old, deck, telling.language).values())
            if deck in touched:
                rows.append((escaped(deck_title(telling, deck)), str(before), str(now)))
        heads = (say(sharing.DECK_HEAD), say(sharing.WAS_HEAD), say(sharing.NOW_HEAD))
        table = Table(heads, ("left", "right", "right"), tuple(rows), source)
        head = Heading(1, say(sharing.DECKS_NOW), source)
        return kept_together(setting.blocks([head, table], width_mm)) if rows else []


class ChangeSheet:
    """Composes a page of all changes: every card that differs before and now, numbers and rules in words."""

    def __init__(self, leaflet: Leaflet, telling: Telling) -> None:
        self._leaflet = leaflet
        self._telling = telling
        self._source = telling.game.source

    def __call__(self, setting: BlockSetting, shape: PageShape) -> list[Section]:
        """Give the sections for a shape of page."""
        telling = self._telling
        rows = RowSetting(self._leaflet, setting, self._source, has_ticks=False)
        width_mm = shape.column_mm(shape.columns)
        sections: list[Section] = []
        if telling.lacks_old_faces:
            words = escaped(telling.say(sharing.NO_OLD_FACES, old=telling.changes.old.version))
            sections.append(Section(1, tuple(setting.blocks([Prose(words, self._source)], shape.text_mm))))
        slugs = list_slugs(self._rows(), rows, setting, width_mm, self._source)
        if slugs:
            sections.append(Section(shape.columns, tuple(slugs)))
        sections += words_sections(telling, setting, shape)
        if not sections:
            said = [Prose(telling.say(sharing.NOTHING_CHANGED), self._source, is_lead=True)]
            sections.append(Section(1, tuple(setting.blocks(said, shape.text_mm))))
        return sections

    def _rows(self) -> dict[str, list[Row]]:
        telling, changes = self._telling, self._telling.changes
        changed = {one.new.key for one in changes.changed} | {card.key for card in changes.added}
        keys = [key for key in changes.new.cards if key in changed] + [card.key for card in changes.removed]
        found: dict[str, list[Row]] = {}
        for key in keys:
            old = new = None
            if key in changes.old.cards:
                caption = telling.say(sharing.WAS_HEAD)
                old = half(face_before(telling, key), words_before(telling, key), caption)
            if key in changes.new.cards:
                caption = telling.say(sharing.NOW_HEAD)
                new = half(telling.new_faces.get(key), name_of(telling, key), caption)
            row = Row(old, new, name_of(telling, key), code_of(telling, key), tuple(card_notes(telling, key)))
            found.setdefault(deck_title(telling, key[0]), []).append(row)
        return found


def list_slugs(
    found: Mapping[str, Sequence[Row]], rows: RowSetting, setting: BlockSetting, width_mm: float, source: Source
) -> list[Slug]:
    """Give the rows of decks under the decks' titles."""
    slugs: list[Slug] = []
    for deck, own in found.items():
        slugs += setting.blocks([Heading(2, escaped(deck), source)], width_mm)
        slugs += rows.rows(own, width_mm)
    return slugs


def half(face: Face | None, words: str, caption: str) -> Shown:
    """Give one half of a row: the face, or words in its place."""
    return Shown(Small(face.front, face.format) if face is not None else None, words, caption)


def face_before(telling: Telling, key: CardKey) -> Face | None:
    """Give a card's face as it was: also the one of now, where it looks the same."""
    old, new = (lock.cards.get(key) for lock in (telling.changes.old, telling.changes.new))
    is_same = old is not None and new is not None and old.faces.get(telling.language) == new.faces.get(telling.language)
    return telling.old_faces.get(key) or (telling.new_faces.get(key) if is_same else None)


def deck_title(telling: Telling, deck: str) -> str:
    """Give a deck's title in the language of the sheet, or the one it had."""
    if deck in telling.game.decks:
        return telling.game.decks[deck].title
    return telling.changes.old.decks.get(deck) or deck


def code_of(telling: Telling, key: CardKey) -> str:
    """Give a card's code, as the new version has it or the old one had."""
    for lock in (telling.changes.new, telling.changes.old):
        card = lock.cards.get(key)
        if card is not None and card.code:
            return card.code
    return ""


def name_of(telling: Telling, key: CardKey) -> str:
    """Give what a card is called now; what it was called where it is gone."""
    deck = telling.game.decks.get(key[0])
    card = next((card for card in deck.cards if card.id == key[1]), None) if deck is not None else None
    return card_words(card, deck)[0] if card is not None and deck is not None else name_before(telling, key)


def name_before(telling: Telling, key: CardKey) -> str:
    """Give what a card of the old version was called: its first text, else its id."""
    card = telling.changes.old.cards.get(key)
    deck = telling.game.decks.get(key[0])
    fields = card.fields if card is not None and card.fields is not None else {}
    order = [*deck.fields, *fields] if deck is not None else list(fields)
    for name in order:
        value = fields.get(name)
        if isinstance(value, str) and plain_words(value) and (deck is None or _is_text(deck.fields.get(name))):
            return cut(plain_words(value), _LONGEST)
    return key[1].replace("-", " ").capitalize()


def words_before(telling: Telling, key: CardKey) -> str:
    """Give what stands in the place of an old face that cannot be shown: what the card was called, and its code."""
    card = telling.changes.old.cards.get(key)
    code = card.code if card is not None and card.code else code_of(telling, key)
    return f"{name_before(telling, key)} {code}".rstrip()


def card_notes(telling: Telling, key: CardKey) -> list[str]:
    """Give in words how a card differs from the one before."""
    say, changes = telling.say, telling.changes
    if key not in changes.old.cards:
        return [say(sharing.NEW_CARD)]
    if key not in changes.new.cards:
        return [say(sharing.GONE_CARD)]
    change: CardChange | None = next((one for one in changes.changed if one.new.key == key), None)
    if change is None:
        return []
    notes = []
    is_original = telling.language == telling.game.languages[0].code
    for field in change.fields if is_original else change.texts.get(telling.language, ()):
        old, new = readable(field.old, field.new)
        if isinstance(old, str) and isinstance(new, str):
            old, new = apart(old, new, _LONGEST)
        notes.append(say(sharing.FIELD_CHANGE, name=field.name, old=_value(old), new=_value(new)))
    if telling.language in change.looks and not notes:
        notes.append(say(sharing.LOOKS_DIFFERENT))
    if change.copies:
        notes.append(say(sharing.NEW_COPIES, new=change.new.copies, old=change.old.copies))
    return notes


def words_sections(telling: Telling, setting: BlockSetting, shape: PageShape) -> list[Section]:
    """Give what changed in the setup and in the rules, in words."""
    say, source = telling.say, telling.game.source
    sections: list[Section] = []
    blocks: list[Block]
    lines = setup_lines(telling)
    if lines:
        blocks = [
            Heading(1, say(sharing.SETUP_CHANGED), source),
            Items(None, tuple((Prose(escaped(line), source),) for line in lines), source),
        ]
        sections.append(Section(1, tuple(setting.blocks(blocks, shape.text_mm))))
    said = rules_lines(telling)
    if said:
        blocks = [
            Heading(1, say(sharing.RULES_CHANGED), source),
            Items(None, tuple((Prose(escaped(words), source),) for words in said), source),
        ]
        sections.append(Section(1, tuple(setting.blocks(blocks, shape.text_mm))))
    return sections


def rules_lines(telling: Telling) -> list[str]:
    """Give the paragraphs of the rules that went and that came, in the language of the sheet."""
    say, said = telling.say, []
    for one in (one for one in telling.changes.rules if one.language == telling.language):
        gone, come = [_as_read(words) for words in one.old], [_as_read(words) for words in one.new]
        if len(gone) == len(come) == 1 and gone != come:
            gone[0], come[0] = apart(gone[0], come[0], _LONGEST_RULE)
        said += [say(sharing.RULES_BEFORE, words=cut(words, _LONGEST_RULE)) for words in gone]
        said += [say(sharing.RULES_NOW, words=cut(words, _LONGEST_RULE)) for words in come]
    return said


def setup_lines(telling: Telling) -> list[str]:
    """Give a line for each column and each pair of numbers, with all the player counts that they hold for."""
    groups: dict[tuple[str, str, str, str], list[str]] = {}
    variants = telling.game.setup.variants if telling.game.setup is not None else {}
    plain = {one[1:] for one in telling.changes.setup if one.variant == "base"}
    for one in telling.changes.setup:
        if one.variant != "base" and one[1:] in plain:
            continue  # the same as without the variant
        key = (one.variant, one.column, _value(one.old), _value(one.new))
        groups.setdefault(key, []).append(one.players)
    lines = []
    for (variant, column, old, new), players in groups.items():
        title = telling.titles.get(column, column)
        if variant != "base":
            title = f"{variants[variant].title if variant in variants else variant}, {title}"
        counts = _span([int(one) for one in players]) if all(map(str.isdigit, players)) else ", ".join(players)
        lines.append(telling.say(sharing.SETUP_LINE, column=title, old=old, new=new, players=counts))
    return lines


def _cards(lock: Lock, deck: str, language: str) -> dict[CardKey, int]:
    found: dict[CardKey, int] = {}
    for key, card in lock.cards.items():
        if key[0] == deck and card.copies and language in card.faces:
            found[key] = card.copies
    return found


def _is_text(field: object) -> bool:
    return field is None or getattr(field, "kind", None) == "text"


def _span(numbers: Sequence[int]) -> str:
    if len(numbers) > 2 and list(numbers) == list(range(numbers[0], numbers[-1] + 1)):
        return f"{numbers[0]}–{numbers[-1]}"
    return ", ".join(map(str, numbers))


def _value(value: Plain) -> str:
    if value is None or value == "":
        return "–"
    if isinstance(value, list):
        return cut(", ".join(map(_value, value)), _LONGEST)
    return cut(plain_words(value) if isinstance(value, str) else str(value), _LONGEST)


def _as_read(words: str) -> str:
    """Give a paragraph of a rules sheet without the marks of its Markdown; what it works out stays open."""
    words = re.sub(r"\{\{.*?\}\}", "…", words)
    words = re.sub(r"!\[([^\]]*)\]\([^)]*\)", r"\1", words)
    return plain_words(re.sub(r"^#+ |^> |^- ", "", words)) or words
