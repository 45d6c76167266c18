"""What a worker does: it lays out cards of the pieces at hand, and answers with all that came of it."""

from __future__ import annotations

from collections.abc import Collection
from itertools import islice
from typing import TypeVar

from duckpress.core.language import RecordingSpeech
from duckpress.files.recording import RecordingWorkspace
from duckpress.layout.faces.answers import Batch, LayoutAnswer, LayoutTask, MetArt
from duckpress.layout.faces.face_maker import FaceMaker
from duckpress.layout.templates import Templates
from duckpress.model import unpacked_cards
from duckpress.pool import Handle, Note
from duckpress.text.fonts import FontLibrary

_Value = TypeVar("_Value")


def laying_out(batch: Batch) -> Handle[LayoutTask, LayoutAnswer]:
    """Return what does the tasks of a batch, inside a worker."""
    return _Share(batch).answer


class _Share:
    """A worker's makers of faces, one for each piece, and how much was told of what they share."""

    def __init__(self, batch: Batch) -> None:
        self._workspace = workspace = RecordingWorkspace(batch.workspace)
        self._fonts = FontLibrary(workspace) if batch.fonts is None else batch.fonts.reading_through(workspace)
        self._batch = batch._replace(workspace=workspace, fonts=self._fonts)
        speech = batch.game.speech
        self._templates = Templates(workspace, batch.game.folder, speech, batch.ink)
        self._makers: dict[int, FaceMaker] = {}
        self._told: dict[tuple[int, str], int] = {}
        self._speech = speech if isinstance(speech, RecordingSpeech) else RecordingSpeech()
        self._asked, self._missing = set(self._speech.asked), set(self._speech.missing)
        self._loaded = set(self._fonts.paths)

    def answer(self, task: LayoutTask, note: Note) -> LayoutAnswer:
        """Lay out the cards of a task."""
        piece = task.piece
        maker = self._makers.get(piece)
        if maker is None:
            wanted = self._batch.pieces[piece]
            if wanted.game is not None:  # of many copies only one at a time has its art in memory
                self._makers.clear()
                self._told.clear()
            maker = self._makers[piece] = FaceMaker(self._batch.of(wanted), wanted, self._templates)
        if task.forget:
            maker.forget(task.forget)
        made, art = maker.made, list[MetArt]()
        opened = maker.go_to(task.deck, task.forced_pt, note)
        art += self._art(piece, maker, -1)
        cards = []
        has_templates = opened.front is not None and (opened.back is not None or opened.deck.back is None)
        told = dict(zip(task.numbers, unpacked_cards(task.cards), strict=False))
        for number in task.numbers if has_templates else ():
            cards.append(maker.card(opened, number, note, told.get(number)))
            art += self._art(piece, maker, number)
        drawings = self._new(piece, "drawings", maker.art.drawings.values())
        has_new_words = self._new(piece, "decorations", maker.decorations)
        asked = sorted(self._speech.asked - self._asked)
        missing = [word for word in self._speech.missing if word not in self._missing]
        self._asked.update(asked)
        self._missing.update(missing)
        fonts = [path for path in self._fonts.paths if path not in self._loaded]
        self._loaded.update(fonts)
        return LayoutAnswer(
            made=maker.made - made,
            new_faces=maker.known.news(),
            opened=opened.problems,
            back=opened.shared_back,
            cards=cards,
            art=art,
            drawings=[(drawing.key, drawing.box, drawing.items) for drawing in drawings],
            pictures=self._new(piece, "pictures", maker.art.pictures.values()),
            decorations=sorted(maker.decorations) if has_new_words else [],
            files=self._workspace.take(),
            fonts=fonts,
            asked=asked,
            missing=missing,
            has_looked_at_cards=maker.has_looked_at_cards,
        )

    def _art(self, piece: int, maker: FaceMaker, number: int) -> list[MetArt]:
        """Return what a card has met of art, where that is anything new."""
        problems = self._new(piece, "problems", maker.art.problems)
        taken = self._new(piece, "taken", maker.art.taken)
        return [MetArt(number, problems, taken)] if problems or taken else []

    def _new(self, piece: int, what: str, all_: Collection[_Value]) -> list[_Value]:
        """Return what was added to things that only grow more since this was asked last."""
        count = self._told.get((piece, what), 0)
        self._told[piece, what] = len(all_)
        return list(islice(all_, count, None))
