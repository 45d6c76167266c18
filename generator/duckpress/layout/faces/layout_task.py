"""What a worker does: it lays out cards of the pieces at hand, and answers with all that came of it.

It answers what the one it works for would know if it had done it itself: faces, drawings, pictures, problems, and what
was asked of files, fonts and words meanwhile. Everything but the faces of a task is told once.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any, NamedTuple

from duckpress.core.problems import Problem
from duckpress.files.recording import RecordingWorkspace
from duckpress.files.workspace import Workspace
from duckpress.fonts import FontLibrary
from duckpress.language import RecordingSpeech
from duckpress.layout.faces import answers
from duckpress.layout.faces.face_cache import KnownFaces
from duckpress.layout.faces.face_maker import FaceMaker
from duckpress.layout.templates.templates import Templates
from duckpress.layout.theme.theme import Theme
from duckpress.model import Game, Piece
from duckpress.pool import Handle, Note


class PieceJob(NamedTuple):
    """A piece to be laid out: its theme, how many of each (deck, card) are wanted, and the faces known of it."""

    piece: Piece
    theme: Theme
    copies: Mapping[tuple[str, str], int]
    known: KnownFaces


class Batch(NamedTuple):
    """Pieces of one game to be laid out in one language and ink; `tables` is its setup as plain data."""

    workspace: Workspace
    game: Game
    fonts: FontLibrary | None
    tables: object
    language: str
    ink: str
    jobs: tuple[PieceJob, ...]

    def __reduce__(self) -> tuple[Any, ...]:
        """Go without fonts to a process that is started afresh: what is loaded of them cannot go with it."""
        return Batch, (*self[:2], None, *self[3:])


def laying_out(batch: Batch) -> Handle:
    """Return what does the tasks of a batch, inside a worker."""
    return _Share(batch).answer


class _Share:
    """A worker's rooms, one for each piece, and how much was told of what they share."""

    def __init__(self, batch: Batch) -> None:
        self._batch = batch
        self._workspace = RecordingWorkspace(batch.workspace)
        fonts, workspace = batch.fonts, self._workspace
        self._fonts = FontLibrary(workspace) if fonts is None else fonts.reading_through(workspace)
        self._templates = Templates(workspace, batch.game.folder, batch.game.speech, batch.ink)
        self._rooms: dict[int, FaceMaker] = {}
        self._told: dict[tuple[int, str], int] = {}
        speech = batch.game.speech
        self._speech = speech if isinstance(speech, RecordingSpeech) else RecordingSpeech()
        self._asked, self._missing = set(self._speech.asked), set(self._speech.missing)
        self._loaded = set(self._fonts.paths)

    def answer(self, task: bytes, note: Note) -> bytes:
        """Lay out the cards of a task."""
        job, deck_id, forced_pt, numbers, forget = answers.read_task(task)
        room = self._room(job)
        if forget:
            room.forget(forget)
        made, art = room.made, room.art
        told, counted = self._told.get((job, "art"), 0), self._told.get((job, "taken"), 0)
        art_found: list[tuple[int, list[Any], list[Any]]] = []

        def tell_art(number: int) -> None:
            nonlocal told, counted
            if len(art.problems) > told or len(art.taken) > counted:
                art_found.append((number, _plain(art.problems[told:]), art.taken[counted:]))
                told = self._told[job, "art"] = len(art.problems)
                counted = self._told[job, "taken"] = len(art.taken)

        opened = room.go_to(deck_id, forced_pt, note)
        tell_art(-1)
        cards = []
        for number in numbers if opened.is_ready else ():
            front, back = room.card(opened, number, note)
            cards.append((answers.plain_side(front), answers.plain_side(back)))
            tell_art(number)
        report = {
            "opened": _plain(opened.problems),
            "back": answers.plain_side(opened.shared_back),
            "cards": cards,
            "art": art_found,
            "made": room.made - made,
            "drawings": list(map(answers.plain_drawing, self._new(job, "drawings", room.art.drawings))),
            "decorations": self._decorations(job, room),
            **self._asked_meanwhile(),
        }
        pictures = self._new(job, "pictures", room.art.pictures)
        return answers.written(room.known.news(), report, pictures)

    def _room(self, job: int) -> FaceMaker:
        room = self._rooms.get(job)
        if room is None:
            batch = self._batch
            piece, theme, copies, known = batch.jobs[job]
            room = self._rooms[job] = FaceMaker(
                self._workspace, batch.game, piece, theme, self._fonts, batch.tables, batch.ink, copies,
                batch.language, known, self._templates,
            )  # fmt: skip
        return room

    def _new(self, job: int, what: str, all_: Mapping[str, Any]) -> list[Any]:
        """Return what was added to things that only grow more since this was asked last."""
        told = self._told.get((job, what), 0)
        self._told[job, what] = len(all_)
        return list(islice(all_.values(), told, None))

    def _decorations(self, job: int, room: FaceMaker) -> list[tuple[str, str]]:
        told = self._told.get((job, "decorations"), 0)
        self._told[job, "decorations"] = len(room.decorations)
        return sorted(room.decorations) if len(room.decorations) > told else []

    def _asked_meanwhile(self) -> dict[str, Any]:
        asked = sorted(self._speech.asked - self._asked)
        missing = [word for word in self._speech.missing if word not in self._missing]
        self._asked.update(asked)
        self._missing.update(missing)
        loaded = [path for path in self._fonts.paths if path not in self._loaded]
        self._loaded.update(loaded)
        return {"asked": asked, "missing": missing, "fonts": loaded, "files": self._workspace.take()}


def _plain(problems: list[Problem]) -> list[Any]:
    return [answers.plain_problem(problem) for problem in problems]
