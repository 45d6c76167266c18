"""Pages of a rules sheet held against its filled Markdown: nothing lost, doubled or in a heap.

The letters, list numbers and pictures that it asks for are read line by line; what parts mention, from the records.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, pairwise, zip_longest
from typing import Any, NamedTuple

from duckpress.core.frame import Drawing, Frame, Group, Item, Outline, PlacedDrawing, Text
from duckpress.core.geometry import MM_PER_PT
from duckpress.layout import Look
from duckpress.layout.rulebook.blocks import Block, Directive, Entries, Heading, Items, Prose, TableBlock, Tables
from duckpress.layout.rulebook.pages import PageShape
from duckpress.model import Game
from oracle.frame_check.asked_values import WrongFrame
from oracle.frame_check.text_check import asked_words, folded, letters_differ

CAPS = "upper"  # letters are compared without capitals: a style may have them all large
PICTURE = "{}"  # stands for an icon or a picture among letters
_QUOTE = re.compile(r" {0,3}> ?")
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*?)[ \t#]*$")
_MARKER = re.compile(r"( *)(?:[-*+]|([0-9]{1,3})[.)])[ \t]+(?=\S)")
_LINE = re.compile(r" {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,})$")
_DIRECTIVE = re.compile(r" {0,3}\[[A-Za-z][^\]]*\][ \t]*$")
_OWN_WORDS = re.compile(r"[ \t]+[A-Za-z0-9-]+:")
_TABLE = re.compile(r"[ \t|:-]*-[ \t|:-]*$")
_PICTURE = re.compile(r"!\[((?:\\.|[^\]\\])*)\]\(([^()\s]*)[^()]*\)")
_BORDER = re.compile(r"(?<!\\)\|")
_BEGINNING = re.compile(r"[ \t]*(?:[#>|]|[-*+] |!?\[|$)")


class Asked(NamedTuple):
    """Letters that stand together, folded, and the style that they are set in; empty where it is none of the usual.

    `shows` has the targets of pictures and None for each icon. `is_head`: heads of a table, which may stand again.
    """

    letters: str
    style: str = ""
    shows: tuple[str | None, ...] = ()
    is_head: bool = False


def asked_of_words(text: str, style: str = "", *, is_head: bool = False) -> Asked:
    """Return what light markup asks for."""
    words = asked_words(text, {}, CAPS)
    return Asked(words.letters, style, (None,) * len(words.icons), is_head)


def asked_of_lines(lines: Sequence[str], generated: Iterator[Sequence[Block]]) -> Iterator[Asked]:
    """Yield what the lines of a sheet ask for; `generated` are the blocks that each directive stands for."""
    reader = _LineReader()
    for line, after in zip_longest(lines, lines[1:], fillvalue=""):
        if reader.passes(line):
            continue
        quote = _QUOTE.match(line)
        text = line[quote.end() :] if quote else line
        if _DIRECTIVE.match(text) and not reader.is_in_list(text):
            reader.begin_directive()
            if not quote and not text.strip(" ]\t").endswith(" break"):
                yield from (one for block in next(generated) for one in asked_of_block(block))
        else:
            yield from reader.read(line, after)


class _LineReader:
    """Reads lines one by one, and knows what is open: lists, a table, the words under a directive."""

    def __init__(self) -> None:
        self.lists: dict[int, int | None] = {}  # by their indents: the last number of a numbered one
        self._is_apart = True  # the line before ended what it was in
        self._is_table = self._is_directive = False

    def passes(self, line: str) -> bool:
        """Return whether a line has nothing to show: a blank one, one of the words under a directive."""
        self._is_directive = self._is_directive and _OWN_WORDS.match(line) is not None
        is_blank = not _QUOTE.sub("", line).strip()
        if is_blank:
            self._is_apart, self._is_table = True, False
        return is_blank or self._is_directive

    def is_in_list(self, text: str) -> bool:
        return any(len(text) - len(text.lstrip(" ")) > indent for indent in self.lists)

    def begin_directive(self) -> None:
        """Pass over the words under a directive."""
        self.lists = {}
        self._is_apart = self._is_directive = True

    def read(self, line: str, after: str) -> Iterator[Asked]:
        """Yield what a line asks for."""
        quote = _QUOTE.match(line)
        text, style = (line[quote.end() :], "rules-callout") if quote else (line, "rules-text")
        after = _QUOTE.sub("", after) if quote else after
        heading, is_line = _HEADING.match(text), _LINE.match(text) is not None
        if heading or is_line:
            self.lists, self._is_apart, self._is_table = {}, True, False
            if heading:
                yield asked_of_words(heading[2], f"rules-h{len(heading[1])}")
            return
        rest, labels = self._labels(text)
        yield from labels
        is_head = "|" in rest and "|" in after and _TABLE.match(after) is not None
        is_picture = rest.lstrip().startswith("![") and bool(self._is_apart or labels) and _BEGINNING.match(after)
        if is_head or (self._is_table and "|" in rest):
            if is_head or not _TABLE.match(rest):
                yield asked_of_words(_BORDER.sub(" ", rest), is_head=is_head)
            is_head = True
        elif is_picture:
            for caption, target in _PICTURE.findall(rest):
                yield Asked(PICTURE, shows=(target,))
                yield asked_of_words(caption, "rules-caption")
        else:
            yield asked_of_words(rest, style)
        self._is_apart, self._is_table = bool(is_picture) or is_head, is_head

    def _labels(self, text: str) -> tuple[str, list[Asked]]:
        """Return a line without the marks of lists, and the numbers that they stand for."""
        indent, labels = len(text) - len(text.lstrip(" ")), list[Asked]()
        marker = _MARKER.match(text)
        if marker is not None and marker[2] and not self._is_apart and all(indent > one for one in self.lists):
            marker = None  # a number that a line of a paragraph happens to begin with
        if marker is None and self._is_apart:
            self.lists = {one: number for one, number in self.lists.items() if one < indent}
        while marker is not None:
            self.lists = {one: number for one, number in self.lists.items() if one <= indent}
            before = self.lists.get(indent)
            number = None if marker[2] is None else int(marker[2]) if before is None else before + 1
            self.lists[indent] = number
            labels.append(Asked("" if number is None else f"{number}."))
            text = text[marker.end() :]
            indent += marker.end()
            marker = None if _LINE.match(text) else _MARKER.match(text)
        return text, labels


def asked_of_block(block: Block, style: str = "rules-text") -> Iterator[Asked]:
    """Yield what a block asks for that the program has written itself."""
    if isinstance(block, Heading):
        yield asked_of_words(block.text, f"rules-h{block.level}")
    elif isinstance(block, Prose):
        yield asked_of_words(block.text, "rules-lead" if block.is_lead else "rules-small" if block.is_small else style)
    elif isinstance(block, Items):
        for number, blocks in enumerate(block.items, block.first or 0):
            yield Asked("" if block.first is None else f"{number}.")
            for inner in blocks:
                yield from asked_of_block(inner, "rules-small" if block.is_small else style)
    elif isinstance(block, Entries):
        for count, words in block.entries:
            yield Asked(folded(count, CAPS))
            yield asked_of_words(words, style)
    elif isinstance(block, TableBlock):
        for row in (block.heads, *block.rows):
            yield asked_of_words(" ".join(row), is_head=row is block.heads)


def joined(asked: Iterable[Asked]) -> str:
    return "".join(one.letters for one in asked)


def check_part(
    directive: Directive, blocks: Sequence[Block], game: Game, tables: Tables, copies: Mapping[tuple[str, str], int]
) -> None:
    """Raise `WrongFrame` where a generated part leaves out, exchanges or miscounts what it has to mention."""
    said, at = joined(one for block in blocks for one in asked_of_block(block)), 0
    for words in _mentioned(directive, game, tables, copies):
        wanted = asked_of_words(words).letters
        found = said.find(wanted, at)
        if found < 0:
            raise WrongFrame(f"[{directive.name}] does not say {words[:60]!r} in its place")
        at = found + len(wanted)


def _mentioned(
    directive: Directive, game: Game, tables: Tables, copies: Mapping[tuple[str, str], int]
) -> Iterator[str]:
    table = tables.get(directive.argument or None, {})
    if directive.name in ("about", "licence"):
        yield game.about if directive.name == "about" else game.licence
    elif directive.name == "components":
        yield from _components(directive, game, copies)
    elif directive.name == "setup steps":
        yield from (f"{number}. {note}" for number, note in enumerate(table.get("notes", ()), 1))
    elif directive.name == "setup table":
        yield from _table(game, table)
    elif directive.name == "variants":
        variants = game.setup.all_variants if game.setup is not None else {}
        named = [(variant, directive.words.get(name, "")) for name, variant in variants.items()]
        yield from (words for variant, own in named if own != "-" for words in (variant.title, variant.about, own))
    elif directive.name == "credits":
        yield from (f"{credit.role}: {credit.name}" for credit in game.credits)
        yield game.version
    else:
        for note in game.notes:
            if directive.name == "notes" or bool(note.question) == (directive.name == "questions"):
                yield from (note.subject, note.choice, note.reason, note.question or "")


def _table(game: Game, table: Mapping[str, Any]) -> Iterator[str]:
    columns = table.get("columns") or ()
    yield from (column["short"] for column in columns)
    for row in table.get("rows", ()) if columns else ():
        cells = [row["cells"].get(column["key"]) for column in columns]
        yield from (str(row["players"]), *(game.speech.number(cell) for cell in cells if type(cell) in (int, float)))


def _components(directive: Directive, game: Game, copies: Mapping[tuple[str, str], int]) -> Iterator[str]:
    pieces = [piece for piece in game.chosen_pieces() if piece.instead_of is None]
    decks = [game.decks[deck] for deck in dict.fromkeys(deck for piece in pieces for deck in piece.decks)]
    kept = [deck for deck in decks if not deck.is_dealt and deck.id not in game.packaging]
    shown = [deck for deck in kept if directive.words.get(deck.id) != "-"]
    for deck in shown:
        if deck.is_component:
            count = sum(copies.get((deck.id, card.id), card.copies) for card in deck.cards)
            yield from (f"{game.speech.number(count)} {deck.title}", directive.words.get(deck.id, ""))
    yield from (deck.title for deck in shown if not deck.is_component)
    yield from game.bring


_FOOT_MM = 4.0  # above the lower edge of a page: what stands lower is the footer
_SLIP_MM = 0.02
_SMALLEST, _LARGEST = 0.92, 1.17  # of the usual size
_HEIGHT = 0.5  # of letters, in type sizes: lines that are nearer lie over each other


class PagesAsked(NamedTuple):
    """What pages have to show: letters, the title block of the first; `frames` are cards by the targets of pictures."""

    asked: Sequence[Asked]
    head: Sequence[Item]
    look: Look
    drawings: Mapping[str, Drawing]
    frames: Mapping[str, Frame | None]
    is_mirrored: bool = False  # the language is written from right to left


def check_pages(pages: Sequence[Frame], shape: PageShape, wanted: PagesAsked) -> None:
    """Raise `WrongFrame` where pages do not show what a sheet asks for, or in a heap."""
    asked, head = wanted.asked, wanted.head
    shown = [item for number, page in enumerate(pages) for item in _columns_of(page, () if number else head)]
    kept = _without_repeated_heads(shown, asked)
    _check_styles(kept, asked, shape, wanted.look)
    pictures = [item for item in kept if not isinstance(item, Text)]
    for item, target in zip_longest(pictures, [target for one in asked for target in one.shows]):
        frame = wanted.frames.get(target or "")
        if frame is not None and not (isinstance(item, PlacedDrawing) and _shows(wanted.drawings[item.key], frame)):
            raise WrongFrame(f"another picture stands in the place of {target!r}")
    for number, page in enumerate(pages, 1):
        try:
            _check_places(_columns_of(page, () if number > 1 else head), shape, is_mirrored=wanted.is_mirrored)
        except WrongFrame as wrong:
            raise WrongFrame(f"page {number}: {wrong}") from None


def with_notes(asked: Sequence[Asked], pages: Sequence[Frame], notes: str) -> list[Asked]:
    """Return what is asked for, with the words of pages at the end that are only there to be written on."""
    wanted, count = folded(notes, CAPS), 0
    while wanted and "".join(map(_letters, _columns_of(pages[-1 - count], ()))) == wanted:
        count += 1
    return [*asked, *[Asked(wanted)] * count]


def check_footers(pages: Sequence[Frame], shape: PageShape, version: str, *, is_mirrored: bool) -> None:
    """Raise `WrongFrame` where a page does not say which it is, on its outer side, nor what the sheet is of."""
    for number, page in enumerate(pages, 1):
        foot = [item for item in page.items if isinstance(item, Text) and _is_foot(item, page)]
        text, figures = folded("".join(item.text for item in foot)), folded(f"{number}/{len(pages)}")
        ends = [
            (item.x_mm, item.x_mm + item.width_mm)
            for item in foot
            if item.text.strip() and figures.endswith(folded(item.text))
        ]
        if not text.startswith(folded(version)) or not text.endswith(figures) or not ends:
            raise WrongFrame(f"page {number} of {len(pages)} says {text[:60]!r} at its foot")
        outer_mm = (
            ends[0][0] - shape.inset_mm
            if (number % 2 == 0) != is_mirrored
            else page.trim.width_mm - shape.inset_mm - ends[-1][1]
        )
        if abs(outer_mm) > _SLIP_MM:
            raise WrongFrame(f"the number of page {number} stands {abs(outer_mm):.2f} mm off its place")


def _columns_of(page: Frame, head: Sequence[Item]) -> list[Item]:
    """Return what stands in the columns of a page: texts, and whatever shows a picture."""
    above = {id(item) for item in head}
    inner = [item for item in page.items if id(item) not in above and not isinstance(item, Outline)]
    return [item for item in inner if not (isinstance(item, Text) and _is_foot(item, page))]


def _is_foot(item: Text, page: Frame) -> bool:
    return item.y_mm > page.trim.height_mm - _FOOT_MM


def _letters(item: Item) -> str:
    return folded(item.text, CAPS) if isinstance(item, Text) else PICTURE


def _without_repeated_heads(shown: Sequence[Item], asked: Sequence[Asked]) -> list[Item]:
    """Return what is shown, where it is all that is asked for, but for heads of tables that stand again."""
    wanted, kept = "".join(one.letters for one in asked), list(shown)
    heads = [one.letters for one in asked if one.is_head and one.letters]
    while True:
        parts = list(map(_letters, kept))
        said = "".join(parts)
        if said == wanted:
            return kept
        at = next((at for at, both in enumerate(zip(said, wanted, strict=False)) if both[0] != both[1]), len(wanted))
        starts = [0, *accumulate(map(len, parts))]
        spans = (
            (first, bisect(starts, starts[first] + len(head)) - 1)
            for first in range(bisect(starts, at) - 1, -1, -1)
            for head in heads
            if said.startswith(head, starts[first]) and starts[first] + len(head) > at
        )
        first, end = next(spans, (0, 0))
        if not end:
            raise WrongFrame(f"the words {letters_differ(wanted, said)}")
        del kept[first:end]


def _check_styles(kept: Sequence[Item], asked: Sequence[Asked], shape: PageShape, look: Look) -> None:
    """Hold colours and sizes of runs against the styles that are asked for; all are set at one scale."""
    ends = list(accumulate(len(one.letters) for one in asked))
    at, scales = 0, dict[str, float]()
    for item in kept:
        style_name = asked[min(bisect(ends, at), len(asked) - 1)].style
        style = look.styles.get(style_name)
        at += len(_letters(item))
        if style is None or style.caps == "small" or not isinstance(item, Text) or not _letters(item):
            continue
        if style.colour != "none" and item.fill != style.colour:
            raise WrongFrame(f"{item.text[:40]!r} is {item.fill}, not {style.colour}")
        if shape.columns > 1 and style_name != "rules-caption":
            column_mm = shape.column_mm(shape.columns)
            beside_mm = (item.x_mm - shape.inset_mm + _SLIP_MM) % (column_mm + shape.gap_mm)
            if beside_mm + item.width_mm > column_mm + 2 * _SLIP_MM:
                raise WrongFrame(f"{item.text[:40]!r} does not stand in a column")
        scales[item.text] = item.size_mm / (style.size_pt * MM_PER_PT)
    usual = sorted(scales.values())[len(scales) // 2] if scales else shape.scale
    odd = next((text for text, scale in scales.items() if abs(scale - usual) > 0.002), None)
    if odd is not None or not shape.scale * _SMALLEST < usual < shape.scale * _LARGEST:
        raise WrongFrame(f"{odd or 'the text'!r} is set {scales.get(odd or '', usual):.2f} times as large as its style")


def _check_places(items: Sequence[Item], shape: PageShape, *, is_mirrored: bool) -> None:
    """Hold runs against the margins, against the way that reading goes, and against each other."""
    runs = [item for item in items if isinstance(item, Text)]
    left_mm, right_mm = shape.inset_mm - _SLIP_MM, shape.trim.width_mm - shape.inset_mm + _SLIP_MM
    for run in runs:
        if run.x_mm < left_mm or run.x_mm + run.width_mm > right_mm or not 0 < run.y_mm < shape.trim.height_mm:
            raise WrongFrame(f"{run.text[:40]!r} stands beside the columns")
    for run, after in pairwise(runs):
        is_back = after.x_mm + after.width_mm > run.x_mm + run.width_mm if is_mirrored else after.x_mm < run.x_mm
        if after.y_mm < run.y_mm - (_HEIGHT * run.size_mm if is_mirrored else _SLIP_MM) and is_back:
            raise WrongFrame(f"{after.text[:40]!r} stands above {run.text[:40]!r}, which is read before it")
    for run, other in _near(runs):
        share_mm = min(run.x_mm + run.width_mm, other.x_mm + other.width_mm) - max(run.x_mm, other.x_mm)
        if share_mm > _SLIP_MM and run.text.strip() and other.text.strip():
            raise WrongFrame(f"{other.text[:40]!r} lies over {run.text[:40]!r}")


def _near(runs: Sequence[Text]) -> Iterator[tuple[Text, Text]]:
    """Yield the pairs of runs whose lines are nearer than letters are high."""
    in_order = sorted(runs, key=lambda run: run.y_mm)
    for at, run in enumerate(in_order):
        for other in in_order[at + 1 :]:
            if other.y_mm - run.y_mm > _HEIGHT * min(run.size_mm, other.size_mm):
                break
            yield run, other


def _shows(drawing: Drawing, frame: Frame) -> bool:
    inner = drawing.items[0]
    return isinstance(inner, Group) and inner.items == frame.items
