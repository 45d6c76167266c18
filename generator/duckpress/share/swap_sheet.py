"""Pages of changes between two versions: cards before and now, side by side; numbers and rules in words.

A swap sheet says which cards to take out and put in; a page of changes shows every card that differs.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from duckpress.core.frame import Frame, Item, Outline, Paint
from duckpress.core.geometry import Rect
from duckpress.core.language import program
from duckpress.core.paths import polyline, rectangle
from duckpress.core.problems import Source
from duckpress.core.sizes import Format
from duckpress.layout.rulebook.block_setting import BlockSetting
from duckpress.layout.rulebook.blocks import Block, Heading, Items, Prose, TableBlock
from duckpress.layout.rulebook.columns import Section, Slug, kept_together, shifted
from duckpress.layout.rulebook.furniture import Leaflet, escaped
from duckpress.layout.rulebook.pages import PageShape
from duckpress.press.releases.changes import Swap, SwapLine
from duckpress.press.releases.lock import CardKey, Lock
from duckpress.share.changes_report import span
from duckpress.share.diff import GameDiff, as_markup, has_marks
from duckpress.share.revisions import LaidOutFace

_TICK_MM = 3.0
_TICK_ROOM_MM = 5.5
_THUMB_MM = (20.0, 28.0)
_ARROW_MM = 6.5
_WORDS_GAP_MM = 3.0
_CAPTION_GAP_MM = 0.8
_PAIR_GAP_MM = 1.6
_PAD_MM = 1.8
_LINE_MM = 0.25
_HAIR_MM = 0.2


class ShownHalf(NamedTuple):
    """A side of a card before or now: its frame, or words if the frame is unknown; a caption."""

    frame: Frame | None
    format: Format | None
    words: str
    caption: str


Pair = tuple[ShownHalf | None, ShownHalf | None]
"""A side of a card before and now; None where there is nothing to show on that half."""


class SwapRow(NamedTuple):
    """A card before and now, one pair for each shown side."""

    pairs: tuple[Pair, ...]
    name: str
    code: str
    notes: tuple[str, ...]


def rows_section(
    leaflet: Leaflet, by_deck: Mapping[str, Sequence[SwapRow]], setting: BlockSetting, shape: PageShape, source: Source,
    *, has_ticks: bool,
) -> Section:  # fmt: skip
    """Return the rows of decks in columns, under the decks' titles; on a checklist each row begins with a box."""
    width_mm = shape.column_mm(shape.columns)
    slugs: list[Slug] = []
    for deck, rows in by_deck.items():
        slugs += setting.blocks([Heading(2, escaped(deck), source)], width_mm)
        slugs += [_row_slug(leaflet, row, setting, width_mm, source, has_ticks=has_ticks) for row in rows]
    return Section(shape.columns, tuple(slugs))


def _row_slug(
    leaflet: Leaflet, row: SwapRow, setting: BlockSetting, width_mm: float, source: Source, *, has_ticks: bool
) -> Slug:
    """Return the sides of a card, before and now with an arrow between, and the words beside them."""
    thumb_mm, high_mm = _THUMB_MM
    items: list[Item] = []
    x_mm = 0.0
    if has_ticks:
        paint = Paint(stroke=setting.colour("rules-ink"), stroke_mm=_LINE_MM)
        top_mm = _PAD_MM + high_mm / 2 - _TICK_MM / 2
        items.append(Outline(rectangle(_LINE_MM / 2, top_mm, _TICK_MM, _TICK_MM, 0.4), paint))
        x_mm = _TICK_ROOM_MM
    shown_mm = 0.0
    for pair in row.pairs:
        at_mm, below_mm = shown_mm + _PAIR_GAP_MM if shown_mm else 0.0, 0.0
        for half, half_mm in zip(pair, (x_mm, x_mm + thumb_mm + _ARROW_MM), strict=True):
            if half is not None:
                drawn, used_mm = _half(leaflet, half, half_mm, setting, source)
                items += shifted(tuple(drawn), 0.0, at_mm)
                below_mm = max(below_mm, used_mm)
        if None not in pair:
            x, y = round(x_mm + thumb_mm + _ARROW_MM / 2, 3), round(_PAD_MM + high_mm / 2, 3)
            arrow = polyline(((x - 1.3, y - 1.9), (x + 1.5, y), (x - 1.3, y + 1.9)), is_closed=True, is_mark=True)
            items += shifted((Outline(arrow, Paint(fill=setting.colour("rules-accent"))),), 0.0, at_mm)
        shown_mm = at_mm + high_mm + below_mm
    x_mm += 2 * thumb_mm + _ARROW_MM + _WORDS_GAP_MM
    words, words_mm = _words(row, setting, width_mm - x_mm, source)
    items += shifted(tuple(words), x_mm, _PAD_MM)
    height_mm = max(shown_mm, words_mm) + 2 * _PAD_MM
    items.append(setting.bar(0.0, height_mm, width_mm, _HAIR_MM, "rules-line"))
    return Slug(round(height_mm + _HAIR_MM, 3), tuple(items))


def _half(
    leaflet: Leaflet, half: ShownHalf, x_mm: float, setting: BlockSetting, source: Source
) -> tuple[list[Item], float]:
    """Return a face (or the words in its place) with its caption, and how much the caption takes below it."""
    thumb_mm, high_mm = _THUMB_MM
    items: list[Item] = []
    if half.frame is not None and half.format is not None:
        room = Rect(x_mm, _PAD_MM, thumb_mm, high_mm)
        items += leaflet.small(half.frame, half.format, room)
    else:
        paint = Paint(stroke=setting.colour("rules-muted"), stroke_mm=_LINE_MM, dash_mm=(1.0, 0.8))
        items.append(Outline(rectangle(x_mm, _PAD_MM, thumb_mm, high_mm, 1.5), paint))
        style = setting.style("rules-caption")._replace(align="center")
        lines, used_mm = setting.stack([(escaped(half.words), style)], thumb_mm - 2.0, source)
        items += shifted(tuple(lines), x_mm + 1.0, _PAD_MM + max(0.0, (high_mm - used_mm) / 2))
    style = setting.style("rules-caption")
    style = style._replace(align="center", weight="bold", colour=setting.colour("rules-ink"))
    lines, used_mm = setting.stack([(escaped(half.caption), style)], thumb_mm + _ARROW_MM - 0.5, source)
    at_mm = x_mm - (_ARROW_MM - 0.5) / 2
    items += shifted(tuple(lines), at_mm, _PAD_MM + high_mm + _CAPTION_GAP_MM)
    return items, used_mm + _CAPTION_GAP_MM if lines else 0.0


def _words(row: SwapRow, setting: BlockSetting, width_mm: float, source: Source) -> tuple[list[Item], float]:
    style = setting.style("rules-small")
    items: list[Item] = []
    y_mm = 0.0
    head = f"**{escaped(row.name)}**" + (f"  {escaped(row.code)}" if row.code else "")
    for number, words in enumerate((head, *map(as_markup, row.notes))):
        own = style if number else setting.style("rules-text")
        lines, used_mm = setting.stack([(words, own)], width_mm, source)
        items += shifted(tuple(lines), 0.0, y_mm)
        y_mm += used_mm + 0.7
    return items, y_mm


_MANY = 6  # cards of a deck that is swapped as a whole from this number on


Lines = Mapping[CardKey, SwapLine]
Sheets = Mapping[CardKey, Sequence[int]]
"""The numbers of the sheets of new cards that each card lies on."""


def swap_sections(
    leaflet: Leaflet, diff: GameDiff, swap: Swap, files: tuple[str, str], sheets: Sheets,
    setting: BlockSetting, shape: PageShape,
) -> list[Section]:  # fmt: skip
    """Return a swap sheet for a shape of page; the files of new cards and rules are empty if there are none."""
    say, changes, source = diff.say, diff.changes, diff.game.source
    out, into = ({line.card.key: line for line in lines} for lines in (swap.take_out, swap.put_in))
    counts = [sum(line.copies for line in lines.values()) for lines in (out, into)]
    lead = say(program.SWAP_LEAD, out=counts[0], into=counts[1], new=changes.new.version)
    steps = [say(program.SWAP_PRINT, file=files[0])] if counts[1] else []
    steps += [say(program.SWAP_DO), say(program.SWAP_COUNT)]
    numbered = tuple((Prose(escaped(step), source),) for step in steps)
    first: list[Block] = [Prose(escaped(lead), source, is_lead=True), Items(1, numbered, source)]
    by_deck = _swap_rows(diff, out, into, sheets)
    top = [*setting.blocks(first, shape.text_mm), *_legend(diff, by_deck, setting, shape.text_mm)]
    return [
        Section(1, tuple(top)),
        rows_section(leaflet, by_deck, setting, shape, source, has_ticks=True),
        Section(1, tuple(_counts(diff, {key[0] for key in (*out, *into)}, setting, shape.text_mm))),
        *words_sections(diff, setting, shape, files[1]),
    ]


def _swap_rows(diff: GameDiff, out: Lines, into: Lines, sheets: Sheets) -> dict[str, list[SwapRow]]:
    """Return the rows by the title of their deck, in the order of the new version."""
    keys = [key for key in diff.changes.new.cards if key in out or key in into]
    keys += [key for key in out if key not in keys]
    by_deck: dict[str, list[SwapRow]] = {}
    for deck in dict.fromkeys(key[0] for key in keys):
        rows = by_deck.setdefault(diff.deck_title(deck), [])
        gone, come = ([line for key, line in lines.items() if key[0] == deck] for lines in (out, into))
        if not _is_whole(diff, deck, gone, come):
            own = (key for key in keys if key[0] == deck)
            rows += [_swap_row(diff, key, out.get(key), into.get(key), sheets) for key in own]
        elif not rows:
            rows.append(_deck_row(diff, deck, gone, come, sheets))
    return by_deck


def _swap_row(diff: GameDiff, key: CardKey, out: SwapLine | None, into: SwapLine | None, sheets: Sheets) -> SwapRow:
    say = diff.say
    card = into.card if into is not None else out.card if out is not None else diff.changes.new.cards[key]
    pairs = _pairs(
        diff, key,
        None if out is None else say(program.TAKE_OUT, n=out.copies),
        None if into is None else say(program.PUT_IN, n=into.copies),
    )  # fmt: skip
    notes = diff.notes(key)
    if into is not None and out is None and card.copies > into.copies:
        notes.append(say(program.KEEP, n=card.copies - into.copies))
    if into is not None and key in sheets:
        notes.append(_on_sheets(diff, sheets[key]))
    return SwapRow(pairs, diff.name_of(key), card.code or diff.code_of(key), tuple(notes))


def _on_sheets(diff: GameDiff, numbers: Sequence[int]) -> str:
    return diff.say(program.ON_SHEET, number=span([str(one) for one in numbers]))


def _is_whole(diff: GameDiff, deck: str, gone: Sequence[SwapLine], come: Sequence[SwapLine]) -> bool:
    """Return whether a deck is replaced completely, so that no sorting is needed."""
    before, now = (_cards(lock, deck, diff.language) for lock in (diff.changes.old, diff.changes.new))
    out, into = ({line.card.key: line.copies for line in lines} for lines in (gone, come))
    return len(now) >= _MANY and out == before and into == now


def _deck_row(diff: GameDiff, deck: str, gone: Sequence[SwapLine], come: Sequence[SwapLine], sheets: Sheets) -> SwapRow:
    say = diff.say
    pairs = _pairs(
        diff, come[0].card.key,
        say(program.TAKE_OUT, n=sum(line.copies for line in gone)) if gone else None,
        say(program.PUT_IN, n=sum(line.copies for line in come)),
    )  # fmt: skip
    numbers = sorted({number for line in come for number in sheets.get(line.card.key, ())})
    notes = (diff.deck_title(deck), *([_on_sheets(diff, numbers)] if numbers else []))
    return SwapRow(pairs, say(program.WHOLE_DECK), f"{come[0].card.code}–{come[-1].card.code}", notes)


def _counts(diff: GameDiff, touched: Collection[str], setting: BlockSetting, width_mm: float) -> list[Slug]:
    """Return a table with the old and the new number of cards in each affected deck."""
    say, source = diff.say, diff.game.source
    rows = []
    for deck in diff.game.decks:
        if deck in touched:
            was, now = (
                sum(_cards(lock, deck, diff.language).values()) for lock in (diff.changes.old, diff.changes.new)
            )
            rows.append((escaped(diff.deck_title(deck)), str(was), str(now)))
    heads = (say(program.DECK_HEAD), say(program.WAS_HEAD), say(program.NOW_HEAD))
    table = TableBlock(heads, ("left", "right", "right"), tuple(rows), source)
    return kept_together(setting.blocks([Heading(1, say(program.DECKS_NOW), source), table], width_mm)) if rows else []


def change_sections(leaflet: Leaflet, diff: GameDiff, setting: BlockSetting, shape: PageShape) -> list[Section]:
    """Return a page of all changes: every changed card before and now, numbers and rules in words."""
    say, changes, source = diff.say, diff.changes, diff.game.source
    by_deck: dict[str, list[SwapRow]] = {}
    for key in diff.keys:
        was = say(program.WAS_HEAD) if key in changes.old.cards else None
        now = say(program.NOW_HEAD) if key in changes.new.cards else None
        pairs, notes = _pairs(diff, key, was, now), tuple(diff.notes(key))
        row = SwapRow(pairs, diff.name_of(key), diff.code_of(key), notes)
        by_deck.setdefault(diff.deck_title(key[0]), []).append(row)
    sections = [Section(1, tuple(_legend(diff, by_deck, setting, shape.text_mm)))]
    if not diff.old_faces and (changes.removed or any(change.looks for change in changes.changed)):
        words = escaped(say(program.NO_OLD_FACES, old=changes.old.version))
        sections.append(Section(1, tuple(setting.blocks([Prose(words, source)], shape.text_mm))))
    if by_deck:
        sections.append(rows_section(leaflet, by_deck, setting, shape, source, has_ticks=False))
    sections += words_sections(diff, setting, shape)
    nothing = [Prose(say(program.NOTHING_CHANGED), source, is_lead=True)]
    filled = [section for section in sections if section.slugs]
    return filled or [Section(1, tuple(setting.blocks(nothing, shape.text_mm)))]


def _pairs(diff: GameDiff, key: CardKey, was: str | None, now: str | None) -> tuple[Pair, ...]:
    """Return the changed sides of a card, under captions; None instead of a half that cannot be shown.

    Nor is a side that the card, where its face is known, does not have.
    """
    sides = diff.sides(key)

    def half(face: LaidOutFace | None, words: str, caption: str | None, *, is_back: bool) -> ShownHalf | None:
        if caption is None:
            return None
        if is_back:
            back = diff.say(program.BACK)
            caption = f"{caption}, {back}" if sides == (True,) else back
        if face is None:
            return ShownHalf(None, None, words, caption)
        frame = face[1].back if is_back else face[1].front
        return None if frame is None else ShownHalf(frame, face[1].format, words, caption)

    old, new = (diff.face_before(key), diff.words_before(key), was), (diff.new_faces.get(key), diff.name_of(key), now)
    return tuple((half(*old, is_back=is_back), half(*new, is_back=is_back)) for is_back in sides)


def _legend(
    diff: GameDiff, by_deck: Mapping[str, Sequence[SwapRow]], setting: BlockSetting, width_mm: float
) -> list[Slug]:
    """Return the legend of the marks in texts, if there are any marks."""
    said = [note for rows in by_deck.values() for row in rows for note in row.notes] + diff.rules_lines()
    words = Prose(escaped(diff.say(program.MARKED_WORDS)), diff.game.source)
    return setting.blocks([words], width_mm) if any(map(has_marks, said)) else []


def words_sections(diff: GameDiff, setting: BlockSetting, shape: PageShape, rules: str = "") -> list[Section]:
    """Return the changes of the setup and of the rules, in words; `rules` names a file with all of the rules."""
    say, source = diff.say, diff.game.source
    sections: list[Section] = []
    for head, lines in diff.parts():
        if lines:
            file = rules if head == program.RULES_CHANGED else ""
            blocks: list[Block] = [
                Heading(1, say(head), source),
                Items(None, tuple((Prose(as_markup(line), source),) for line in lines), source),
                *([Prose(escaped(say(program.RULES_FILE, file=file)), source)] if file else []),
            ]
            sections.append(Section(1, tuple(setting.blocks(blocks, shape.text_mm))))
    return sections


def _cards(lock: Lock, deck: str, language: str) -> dict[CardKey, int]:
    return {
        key: card.copies
        for key, card in lock.cards.items()
        if key[0] == deck and card.copies and language in card.faces
    }
