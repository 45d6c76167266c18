"""Pieces of a game -> finished faces: workers lay out the cards, and their results are put in order.

A card that another one shows is the one that is printed: as the first piece that prints its deck lays it out, in that
piece's theme. A deck that no piece prints has the theme of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, islice
from typing import NamedTuple

from msgspec.structs import replace

from duckpress import pool
from duckpress.art.values import rounded
from duckpress.core.frame import Drawing, Frame, Group, Item, Picture, PlacedDrawing, digest_of, every_item
from duckpress.core.geometry import Rect, scaling
from duckpress.core.language import RecordingSpeech
from duckpress.core.limits import how_to_raise, limit, written
from duckpress.core.problems import Level, Problem, Source
from duckpress.core.sizes import Format
from duckpress.files.memo import Pack
from duckpress.layout.elements.images import stood_for, trim_path
from duckpress.layout.faces.face_maker import BACK, COMMON_BACK, laying_out
from duckpress.layout.faces.kept_pieces import KeptPieces
from duckpress.layout.faces.results import Batch, LayoutAnswer, LayoutTask, PieceGathered, Wanted, back_of_all
from duckpress.layout.laid_out import Face, LaidOut
from duckpress.layout.templates import Templates
from duckpress.layout.theme import load_theme
from duckpress.model import Piece
from duckpress.pool import Done, Lost, ProcessPool, Work, jobs
from duckpress.pool.process_pool import can_fork

LayOut = Callable[[Batch], Sequence[tuple[LaidOut, list[Problem]]]]
ShownSide = tuple[str, str, bool]
"""A deck, a card of it, and whether its back is meant."""
_StandIns = dict[str, ShownSide]  # by the keys of drawings


def face_drawing(frame: Frame, format_: Format) -> Drawing:
    """Return a face cut along its edge, to be placed at any size."""
    whole = Rect(0.0, 0.0, *frame.trim)
    return Drawing(whole, (Group(frame.items, clip=trim_path(format_, whole)),))


def with_shown_cards(
    batch: Batch, laid_out: Sequence[LaidOut], at_hand: Sequence[LaidOut], lay_out: LayOut
) -> tuple[list[LaidOut], list[Problem]]:
    """Return pieces of a batch with each shown card's face in its place.

    Those faces are taken from the pieces themselves and from those `at_hand`; others are laid out by `lay_out`.
    Problems: those of what had to be laid out besides, and `card-in-itself`.
    """
    if not any(map(_stand_ins, laid_out)):
        return list(laid_out), []
    placer = _Placer(batch, [*laid_out, *at_hand], lay_out)
    return [placer.placed(one) for one in laid_out], list(dict.fromkeys(placer.problems))


def _stand_ins(one: LaidOut) -> _StandIns:
    named = ((key, stood_for(drawing)) for key, drawing in one.drawings.items())
    return {key: shown for key, shown in named if shown is not None}


class _PlacedSide(NamedTuple):
    """A side of a card, the piece with the art that it needs, and its drawing, once that is placed."""

    frame: Frame
    format: Format
    piece: LaidOut
    drawing: Drawing | None = None


class _Placer:
    """Finds the faces of shown cards, at any depth, and puts them in their places."""

    def __init__(self, batch: Batch, laid_out: Sequence[LaidOut], lay_out: LayOut) -> None:
        self.problems: list[Problem] = []
        self._batch = batch
        self._lay_out = lay_out
        self._printed = {deck: piece for piece in reversed(batch.game.pieces) for deck in piece.decks}
        self._sides: dict[ShownSide, _PlacedSide] = {}
        self._done: dict[ShownSide, _PlacedSide] = {}  # with all that they show
        self._open: set[ShownSide] = set()  # whose cards are being placed
        self._tried: set[str] = set()
        for one in laid_out:
            self._add(one)

    def _add(self, one: LaidOut) -> None:
        for face in one.faces:
            if self._printed.get(face.deck, one.piece).id == one.piece.id:  # not another look of it
                for is_back, frame in enumerate((face.front, face.back)):
                    if frame is not None:
                        side = _PlacedSide(frame, face.format, one)
                        self._sides.setdefault((face.deck, face.card, bool(is_back)), side)

    def placed(self, one: LaidOut) -> LaidOut:
        """Return a piece with all shown cards in its faces."""
        stand_ins = _stand_ins(one)
        if not stand_ins:
            return one
        drawings = {key: drawing for key, drawing in one.drawings.items() if key not in stand_ins}
        kept = one._replace(drawings=drawings, pictures=dict(one.pictures), depends_on_cards=True)
        return kept._replace(faces=tuple(self._face(face, kept, stand_ins) for face in one.faces))

    def _face(self, face: Face, kept: LaidOut, stand_ins: _StandIns) -> Face:
        front, back = self._frame(face.front, kept, stand_ins), face.back and self._frame(face.back, kept, stand_ins)
        if front is not face.front and face.bare_front is not None:
            face = face._replace(bare_front=digest_of(face.bare_front, front.hash))
        if back is not None and back is not face.back and face.bare_behind is not None:
            face = face._replace(bare_behind=digest_of(face.bare_behind, back.hash))
        return face._replace(front=front, back=back)

    def _frame(self, frame: Frame, kept: LaidOut, stand_ins: _StandIns) -> Frame:
        placed = (item for item in every_item(frame.items) if isinstance(item, PlacedDrawing))
        if not any(item.key in stand_ins for item in placed):
            return frame
        return Frame(frame.trim, frame.bleed_mm, tuple(self._items(frame.items, kept, stand_ins)))

    def _items(self, items: Iterable[Item], kept: LaidOut, stand_ins: _StandIns) -> Iterator[Item]:
        """Yield items with faces instead of placeholders; the art of these faces goes to the piece `kept`."""
        for item in items:
            if isinstance(item, Group):
                yield replace(item, items=tuple(self._items(item.items, kept, stand_ins)))
            elif not isinstance(item, PlacedDrawing) or item.key not in stand_ins:
                yield item
            elif (side := self._side(stand_ins[item.key])) is not None and (drawing := side.drawing) is not None:
                kept.drawings[drawing.key] = drawing
                for inner in every_item(drawing.items, side.piece.drawings):
                    if isinstance(inner, PlacedDrawing):
                        kept.drawings[inner.key] = side.piece.drawings[inner.key]
                    elif isinstance(inner, Picture):
                        kept.pictures[inner.key] = side.piece.pictures[inner.key]
                own_mm = self._batch.game.decks[stand_ins[item.key][0]].size.trim.width_mm
                fit = scaling(own_mm / side.frame.trim.width_mm)  # a piece may print its cards larger
                yield PlacedDrawing(drawing.key, rounded(item.matrix.after(fit)))

    def _side(self, shown: ShownSide) -> _PlacedSide | None:
        """Return a side with all its shown cards; None if it shows itself, or if its layout failed (reported there)."""
        deck, card, _ = shown
        if shown in self._open:
            what = f"card {card!r} of deck {deck!r} shows itself, or a card that shows it"
            source = self._batch.game.decks[deck].at("front")
            self.problems.append(Problem("card-in-itself", source, what, "show another card there"))
            return None
        if shown not in self._sides and deck not in self._tried:
            self._tried.add(deck)
            self._lay_out_besides(deck)
        side = self._sides.get(shown)
        if side is not None and shown not in self._done:
            self._open.add(shown)
            kept = side.piece._replace(drawings=dict(side.piece.drawings), pictures=dict(side.piece.pictures))
            frame = self._frame(side.frame, kept, _stand_ins(kept))
            self._open.remove(shown)
            self._done[shown] = _PlacedSide(frame, side.format, kept, face_drawing(frame, side.format))
        return self._done.get(shown)

    def _lay_out_besides(self, deck: str) -> None:
        game, batch = self._batch.game, self._batch
        if game.decks[deck].is_dealt:
            return
        holding = self._printed.get(deck)
        piece = Piece(deck, game.decks[deck].title, (deck,), game.theme, game.source)
        piece = piece if holding is None else holding._replace(decks=(deck,))
        theme, _ = load_theme(batch.workspace, game.id, piece.theme)
        if theme is not None:
            ((one, problems),) = self._lay_out(batch._replace(pieces=[Wanted(piece, theme, {})]))
            self._add(one)
            is_told = holding is not None  # its warnings are told where it is printed
            self.problems += [problem for problem in problems if problem.level is Level.ERROR or not is_told]


_Pool = ProcessPool[LayoutTask, LayoutAnswer]

_WORTH_A_WORKER = 150
"""Cards: a further worker for fewer of them saves less than it takes to read fonts, art and words once more.

That was as much CPU as 260 plain cards take; with two cores for 200 cards both come to the same time.
"""

_MOST_AT_ONCE = 48
_SMALL_ONES = 4
_ROUNDS = 6  # so often at least every worker is given cards, so that none is left with much while others have nothing


def lay_out_pieces(batch: Batch, at_hand: Sequence[LaidOut] = ()) -> list[tuple[LaidOut, list[Problem]]]:
    """Return the faces of each piece, deck by deck in the order of their cards, and all that is wrong with them.

    `at_hand` are pieces laid out before, whose cards may be shown. A face that could not be made for an error is left
    out. Faces that are known and still the same are not laid out again. Workers lay out, as many as `pool.jobs` says
    where there are cards enough. The cards of a template that takes too long or too much memory are left out, and told
    as one problem: `layout-too-long`, `layout-too-large`, `layout-crashed`. Raises `MachineError` where no worker can
    be had.
    """
    laid_out = iter(_laid_out(batch))
    results: list[tuple[LaidOut, list[Problem]]] = []
    for _, group in groupby(batch.pieces, lambda wanted: id(wanted.game)):  # a copy shows its own cards
        wanted = list(group)
        made = list(islice(laid_out, len(wanted)))
        pieces, problems = with_shown_cards(batch.of(wanted[0]), [one for one, _ in made], at_hand, _laid_out)
        results += [(one, [*found, *problems]) for one, (_, found) in zip(pieces, made, strict=True)]
    return results


def _laid_out(batch: Batch) -> list[tuple[LaidOut, list[Problem]]]:
    """Return the same without the faces of shown cards."""
    fonts = batch.fonts
    assert fonts is not None
    layout = _Layout(batch)
    layout.run()
    fonts.load_paths(layout.fonts)
    results = []
    for wanted, (laid_out, problems) in zip(batch.pieces, layout.finished(), strict=True):
        unknown = filter(None, (fonts.unknown_family(*family) for family in wanted.theme.families.values()))
        results.append((laid_out, [*problems, *unknown, *fonts.problems]))
    return results


class _Layout:
    """A batch being laid out: its open tasks, and the results of the others."""

    def __init__(self, batch: Batch) -> None:
        self._batch = batch
        self._gathered = [PieceGathered(batch.of(wanted).game, wanted, batch.language) for wanted in batch.pieces]
        self._kept = None if batch.memo is None else KeptPieces(batch, batch.memo)
        self._open: dict[tuple[int, str], int] = {}  # how many tasks of a deck are not done
        self.fonts: set[str] = set()  # the font files that were read
        self._spoiled: set[str] = set()  # the files of templates that went over a limit
        self._is_over = False

    def run(self) -> None:
        """Take what is known from earlier runs, and do the tasks for the rest."""
        left: list[tuple[int, str, list[int]]] = []
        in_part: dict[int, list[LayoutAnswer]] = {}
        for number, piece in enumerate(self._gathered):
            known = None if self._kept is None else self._kept.recall(number, piece)
            if known is None:
                left += self._all_of(number)
                continue
            for answer in known.answers:
                self._tell(answer)
            in_part |= {number: known.before} if known.left else {}
            left += [(number, deck, numbers) for deck, numbers in known.left.items()]
        self._lay_out(left)
        # What there is to tell may depend on all cards: they have to be laid out together then.
        unsure = [
            number for number, old in in_part.items() if self._lacks_words(old) or self._gathered[number].finished()[1]
        ]
        self._lay_out([one for number in unsure for one in self._all_of(number)])

    def finished(self) -> list[tuple[LaidOut, list[Problem]]]:
        """Return the pieces, and all findings of their layout; later runs may take them."""
        results = [piece.finished() for piece in self._gathered]
        for number, (_, problems) in enumerate(results):
            if self._kept is not None:
                self._kept.keep(number, self._gathered[number], problems)
        return results

    def _all_of(self, number: int) -> list[tuple[int, str, list[int]]]:
        """Begin a piece anew, but for what is given up; return the cards of its other decks."""
        wanted, old = self._batch.pieces[number], self._gathered[number]
        piece = self._gathered[number] = PieceGathered(self._batch.of(wanted).game, wanted, self._batch.language)
        piece.problems = old.problems
        for name, deck in piece.decks.items():
            deck.is_given_up = old.decks[name].is_given_up
        if self._kept is not None:
            self._kept.forget(number)
        return [(number, name, [*range(len(deck.cards))]) for name, deck in piece.decks.items() if not deck.is_given_up]

    def _lay_out(self, decks: Sequence[tuple[int, str, list[int]]]) -> None:
        """Do the tasks for cards of decks, by the number of their piece."""
        if not decks:
            return
        total = sum(len(cards) for _, _, cards in decks)
        count = min(jobs(), -(-total // _WORTH_A_WORKER) or 1)
        self._at_once = max(1, min(_MOST_AT_ONCE, -(-total // (max(count, 1) * _ROUNDS))))
        if can_fork():
            opened = [self._gathered[number].decks[name].deck for number, name, _ in decks]
            names = dict.fromkeys(name for deck in opened for name in (deck.front, deck.back) if name)
            Templates(self._batch.workspace, self._batch.game.folder).compile_ahead(names, self._batch.codes or Pack())
        with ProcessPool(Work(laying_out, self._batch, LayoutTask, LayoutAnswer), count) as workers:
            for number, deck, cards in decks:
                workers.add(self._tasks(number, deck, cards, {}))
            workers.start()
            for event in workers.events():
                if isinstance(event, Done):
                    self._take(workers, event)
                else:
                    self._give_up(workers, event)

    def _tasks(
        self, piece: int, deck: str, numbers: list[int], forced_pt: dict[str, float], forget: Sequence[str] = ()
    ) -> list[LayoutTask]:
        """Return the tasks for cards of a deck; one even without cards, to check the templates."""
        parts = _cut(numbers, self._at_once)
        self._open[piece, deck] = self._open.get((piece, deck), 0) + len(parts)
        return [LayoutTask(piece, deck, forced_pt, part, list(forget)) for part in parts]

    def _take(self, workers: _Pool, done: Done[LayoutTask, LayoutAnswer]) -> None:
        task, answer = done.task, done.result
        deck = self._gathered[task.piece].decks[task.deck]
        if deck.is_given_up:
            return
        try:
            bad = self._gathered[task.piece].take(task, answer)
        except (ValueError, RecursionError):
            self._give_up(workers, workers.refuse(done))
            return
        self._tell(answer)
        if self._kept is not None:
            self._kept.add(task, answer)
        if self._batch.looks is not None:
            for digest, look in answer.looks.items():
                self._batch.looks.put(digest, look)
        self._batch.workspace.add(answer.files)
        if bad:
            numbers = sorted({number for number, _ in bad if number >= 0})
            forget = sorted({key for _, key in bad})
            workers.add(self._tasks(task.piece, task.deck, numbers, task.forced_pt, forget))
        self._open[task.piece, task.deck] -= 1
        if not self._open[task.piece, task.deck] and not task.forced_pt:
            again = deck.to_be_set_together()
            if again:
                workers.add(self._tasks(task.piece, task.deck, again, deck.forced_pt))

    def _tell(self, answer: LayoutAnswer) -> None:
        if isinstance(speech := self._batch.game.speech, RecordingSpeech):
            for _, asked, missing in answer.words:
                speech.asked.update(asked)
                speech.missing.update(dict.fromkeys(missing))
        self.fonts.update(answer.fonts)

    def _lacks_words(self, answers: Sequence[LayoutAnswer]) -> bool:
        """Return whether nothing asks now for words of earlier answers: an import asks for its words only once."""
        speech, words = self._batch.game.speech, [one for answer in answers for one in answer.words]
        return isinstance(speech, RecordingSpeech) and not all(
            speech.asked.issuperset(asked) and speech.missing.keys() >= {*missing} for _, asked, missing in words
        )

    def _give_up(self, workers: _Pool, lost: Lost[LayoutTask]) -> None:
        """Leave out the faces of a template that exceeds a worker's limits, and report it once."""
        lost_piece = self._gathered[lost.task.piece]
        lost_deck = lost_piece.decks[lost.task.deck]
        deck, cards = lost_deck.deck, lost_deck.cards
        side, number = (lost.number & 3, lost.number >> 2) if lost.number >= 0 else (0, -1)
        name = deck.back if side in (BACK, COMMON_BACK) and deck.back is not None else deck.front
        path = self._path(name)
        is_new = path not in self._spoiled and not self._is_over
        self._spoiled.add(path)
        self._is_over = self._is_over or lost.why == pool.ALL_TOO_LONG
        for at, piece in enumerate(self._gathered):
            for gathered in piece.decks.values():
                used = {self._path(used) for used in (gathered.deck.front, gathered.deck.back) if used is not None}
                is_open = self._open.get((at, gathered.deck.id), 0) > 0
                gathered.is_given_up |= bool(used & self._spoiled) or (self._is_over and is_open)
        workers.drop(lambda task: self._gathered[task.piece].decks[task.deck].is_given_up)
        if is_new:
            subject = f"deck {deck.id!r}"
            if side == COMMON_BACK:
                subject = back_of_all(deck)
            elif 0 <= number < len(cards):
                subject = cards[number].subject
            lost_piece.problems.append(_problem(lost, subject, Source(path)))

    def _path(self, name: str) -> str:
        file = f"{name.removesuffix('.xml')}.xml"
        own = f"{self._batch.game.folder}/layouts/{file}"
        return own if self._batch.workspace.has(own) else f"layouts/{file}"


def _cut(numbers: list[int], step: int) -> list[list[int]]:
    """Cut cards into batches, smaller towards the end, so that all workers finish at about the same time."""
    parts: list[list[int]] = []
    start = 0
    while start < len(numbers):
        size = step if len(numbers) - start > _SMALL_ONES * step else max(1, step // _SMALL_ONES)
        parts.append(numbers[start : start + size])
        start += size
    return parts or [[]]


def _problem(lost: Lost[LayoutTask], subject: str, source: Source) -> Problem:
    code, fix, limited_by = "layout-crashed", "make the template and the art it shows simpler", ""
    if lost.why == pool.TOO_LONG:
        code, limited_by, fix = "layout-too-long", pool.SECONDS, "make the template simpler"
        what = f"laying it out took longer than {limit(limited_by)} seconds and was stopped"
    elif lost.why == pool.ALL_TOO_LONG:
        code, limited_by, fix = "layout-too-long", pool.ALL_SECONDS, "make the templates simpler"
        what = f"laying out all cards took longer than {limit(limited_by)} seconds and was stopped at this one"
    elif lost.why == pool.TOO_LARGE:
        code, limited_by = "layout-too-large", pool.MEMORY
        what = f"laying it out takes more than {written(limit(limited_by))} bytes of memory and was stopped"
    elif lost.why == pool.NONSENSE:
        what = "the process that laid it out answered with what is no face, and was stopped"
    else:
        what = f"the process that laid it out broke down ({lost.words or 'it is gone'})"
        fix = f"{fix}; where it was memory that lacked: {how_to_raise(pool.MEMORY)}"
    fix = f"{fix}; {how_to_raise(limited_by)}" if limited_by else fix
    return Problem(code, source, f"{subject}: {what}", fix)
