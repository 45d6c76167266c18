"""Pieces of a game -> finished faces: cards are handed out to workers, and what they make is put in order again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from duckpress.core.limits import how_to_raise, limit, written
from duckpress.core.problems import Problem, Source
from duckpress.files.workspace import Workspace
from duckpress.fonts import FontLibrary
from duckpress.language import RecordingSpeech
from duckpress.layout.face import LaidOut
from duckpress.layout.faces import answers
from duckpress.layout.faces.face_cache import KnownFaces
from duckpress.layout.faces.face_maker import BACK, COMMON_BACK
from duckpress.layout.faces.layout_task import Batch, PieceJob, laying_out
from duckpress.layout.faces.results import PieceGathered
from duckpress.layout.theme.theme import Theme
from duckpress.model import Game, Piece
from duckpress.pool import (
    ALL_SECONDS,
    ALL_TOO_LONG,
    MEMORY,
    NONSENSE,
    SECONDS,
    TOO_LARGE,
    TOO_LONG,
    Crew,
    Done,
    Lost,
    jobs,
)

_WORTH_A_WORKER = 40
"""Cards: a further worker for fewer of them takes more time to start than it saves."""

_MOST_AT_ONCE = 48
_SMALL_ONES = 4
_ROUNDS = 6  # so often at least every worker is given cards, so that none is left with much while others have nothing


class Wanted(NamedTuple):
    """A piece to be laid out, its theme, how many of each (deck, card) are wanted, and the faces known of it.

    In `copies` none means that the card is left out; no entry, and the deck's own number holds.
    """

    piece: Piece
    theme: Theme
    copies: Mapping[tuple[str, str], int]
    known: KnownFaces | None = None


def lay_out_piece(
    workspace: Workspace,
    game: Game,
    piece: Piece,
    theme: Theme,
    fonts: FontLibrary,
    tables: object,
    language: str,
    ink: str,
    copies: Mapping[tuple[str, str], int],
    known: KnownFaces | None = None,
) -> tuple[LaidOut, list[Problem]]:
    """Return one piece, and what is wrong with it; see `lay_out_pieces`."""
    wanted = Wanted(piece, theme, copies, known)
    (result,) = lay_out_pieces(workspace, game, [wanted], fonts, tables, language, ink)
    return result


def lay_out_pieces(
    workspace: Workspace,
    game: Game,
    pieces: Sequence[Wanted],
    fonts: FontLibrary,
    tables: object,
    language: str,
    ink: str,
) -> list[tuple[LaidOut, list[Problem]]]:
    """Return the faces of each piece, deck by deck in the order of their cards, and all that is wrong with them.

    `tables` is the setup table as plain data, for templates. A face that could not be made for an error is left out.
    Faces that are known and still the same are not laid out again. Workers lay out, as many as `pool.jobs` says
    where there are cards enough. The cards of a template that takes too long or too much memory are left out, and told
    as one problem: `layout-too-long`, `layout-too-large`, `layout-crashed`. Raises `MachineError` where no worker can
    be had.
    """
    numbered = tuple(PieceJob(*one[:3], one.known or KnownFaces("")) for one in pieces)
    batch = Batch(workspace, game, fonts, tables, language, ink, numbered)
    gathered = [PieceGathered(game, job, language) for job in numbered]
    _Layout(batch, gathered).run()
    results = []
    for wanted, one in zip(pieces, gathered, strict=True):
        laid_out, problems = one.finished()
        unknown = filter(None, (fonts.unknown_family(*family) for family in wanted.theme.families.values()))
        results.append((laid_out, [*problems, *unknown, *fonts.problems]))
    return results


class _Layout:
    """A batch being laid out: which tasks are open, and what became of those that are not."""

    def __init__(self, batch: Batch, gathered: list[PieceGathered]) -> None:
        self._batch = batch
        self._gathered = gathered
        self._open: dict[tuple[int, str], int] = {}  # how many tasks of a deck are not done
        self._fonts: set[str] = set()
        self._spoiled: set[str] = set()  # the files of templates that went over a limit
        self._is_over = False

    def run(self) -> None:
        """Have everything done."""
        decks = [(job, deck) for job, one in enumerate(self._gathered) for deck in one.decks.values()]
        total = sum(len(deck.cards) for _, deck in decks)
        count = min(jobs(), -(-total // _WORTH_A_WORKER) or 1)
        self._at_once = max(1, min(_MOST_AT_ONCE, -(-total // (max(count, 1) * _ROUNDS))))
        tasks: list[bytes] = []
        for job, deck in decks:
            tasks += self._tasks(job, deck.deck.id, list(range(len(deck.cards))))
        with Crew(laying_out, self._batch, count) as crew:
            crew.add(tasks)
            if count and tasks:
                crew.start()
            for event in crew.events():
                if isinstance(event, Done):
                    self._take(crew, event)
                else:
                    self._give_up(crew, event)
        self._batch_fonts().load_paths(self._fonts)

    def _batch_fonts(self) -> FontLibrary:
        assert self._batch.fonts is not None
        return self._batch.fonts

    def _tasks(
        self, job: int, deck: str, numbers: list[int], forced_pt: Mapping[str, float] = {}, forget: Sequence[str] = ()
    ) -> list[bytes]:
        """Return the tasks for cards of a deck; with no cards there is one, as its templates are looked at too."""
        parts = _cut(numbers, self._at_once)
        self._open[job, deck] = self._open.get((job, deck), 0) + len(parts)
        return [answers.task_of(job, deck, dict(forced_pt), part, list(forget)) for part in parts]

    def _take(self, crew: Crew, done: Done) -> None:
        job, deck_id, forced_pt, _, _ = answers.read_task(done.task)
        one = self._gathered[job]
        deck = one.decks[deck_id]
        if deck.is_given_up:
            return
        try:
            report, bad = one.take(done.task, done.result)
            if isinstance(speech := self._batch.game.speech, RecordingSpeech):
                speech.asked.update(map(str, report["asked"]))
                speech.missing.update(dict.fromkeys(map(str, report["missing"])))
            self._fonts.update(map(str, report["fonts"]))
        except (answers.Nonsense, KeyError, ValueError, TypeError) as error:
            self._give_up(crew, crew.refuse(done, str(error)))
            return
        if bad:
            numbers = sorted({number for number, _ in bad if number >= 0})
            crew.add(self._tasks(job, deck_id, numbers, forced_pt, sorted({key for _, key in bad})))
        self._open[job, deck_id] -= 1
        if not self._open[job, deck_id] and not forced_pt:
            again = deck.to_be_set_together()
            if again:
                crew.add(self._tasks(job, deck_id, again, deck.forced_pt))

    def _give_up(self, crew: Crew, lost: Lost) -> None:
        """Leave out what a template makes that is too much for a worker, and say so, once for a template."""
        job, deck_id, *_ = answers.read_task(lost.task)
        deck = self._gathered[job].decks[deck_id].deck
        side, number = (lost.number & 3, lost.number >> 2) if lost.number >= 0 else (0, -1)
        name = deck.back if side in (BACK, COMMON_BACK) and deck.back is not None else deck.front
        path = self._path(name)
        is_new = path not in self._spoiled and not self._is_over
        self._spoiled.add(path)
        self._is_over = self._is_over or lost.why == ALL_TOO_LONG
        for number_, one in enumerate(self._gathered):
            for gathered in one.decks.values():
                used = {self._path(used) for used in (gathered.deck.front, gathered.deck.back) if used is not None}
                is_open = self._open.get((number_, gathered.deck.id), 0) > 0
                gathered.is_given_up |= bool(used & self._spoiled) or (self._is_over and is_open)
        crew.drop(self._is_unwanted)
        if is_new:
            cards = self._gathered[job].decks[deck_id].cards
            who = f"card {cards[number].id!r} ({cards[number].source})" if 0 <= number < len(cards) else ""
            if side == COMMON_BACK or not who:
                who = f"the back of deck {deck.id!r}" if side == COMMON_BACK else f"deck {deck.id!r}"
            self._gathered[job].problems.append(_problem(lost, who, Source(path)))

    def _is_unwanted(self, task: bytes) -> bool:
        job, deck_id, *_ = answers.read_task(task)
        return self._gathered[job].decks[deck_id].is_given_up

    def _path(self, name: str) -> str:
        file = f"{name.removesuffix('.xml')}.xml"
        own = f"{self._batch.game.folder}/layouts/{file}"
        return own if self._batch.workspace.has(own) else f"layouts/{file}"


def _cut(numbers: list[int], step: int) -> list[list[int]]:
    """Cut cards into handfuls, the last of them smaller: so that nobody is left with much when all others are done."""
    parts: list[list[int]] = []
    start = 0
    while start < len(numbers):
        size = step if len(numbers) - start > _SMALL_ONES * step else max(1, step // _SMALL_ONES)
        parts.append(numbers[start : start + size])
        start += size
    return parts or [[]]


def _problem(lost: Lost, who: str, source: Source) -> Problem:
    code, fix = "layout-crashed", "make the template and the art it shows simpler"
    if lost.why == TOO_LONG:
        code = "layout-too-long"
        what = f"{who}: laying it out took longer than {limit(SECONDS)} seconds and was stopped"
        fix = f"make the template simpler; {how_to_raise(SECONDS)}"
    elif lost.why == ALL_TOO_LONG:
        code = "layout-too-long"
        what = f"{who}: laying out all cards took longer than {limit(ALL_SECONDS)} seconds and was stopped at this one"
        fix = f"make the templates simpler; {how_to_raise(ALL_SECONDS)}"
    elif lost.why == TOO_LARGE:
        code = "layout-too-large"
        what = f"{who}: laying it out takes more than {written(limit(MEMORY))} bytes of memory and was stopped"
        fix = f"make the template and the art it shows simpler; {how_to_raise(MEMORY)}"
    elif lost.why == NONSENSE:
        what = f"{who}: the process that laid it out answered with what is no face, and was stopped"
    else:
        what = f"{who}: the process that laid it out broke down ({lost.words or 'it is gone'})"
        fix = f"{fix}; where it was memory that lacked: {how_to_raise(MEMORY)}"
    return Problem(code, source, what, fix)
