"""Laid-out pieces -> what of their words and pictures is hard to make out, in the ink they are printed in."""

from __future__ import annotations

from collections.abc import Container, Sequence
from contextlib import suppress
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from duckpress.check import accept_findings
from duckpress.core.backs import PLAIN
from duckpress.core.frame import Frame, Group, Item, Text
from duckpress.core.problems import Problem, Source
from duckpress.files.memo import Pack
from duckpress.files.workspace import Workspace
from duckpress.layout import LaidOut
from duckpress.layout.legibility import Faint, Grounds, Seen, check_legibility, coarsest_dpi, faint_words, words_said
from duckpress.model import Game
from duckpress.pool.parallel import in_parts, jobs, shares
from duckpress.press.typeset_task import TypesetTask, in_ink

_FRAMES_A_PART = 250
_LEAST_PARTS = 4  # fewer are looked at sooner than a process has begun


def hard_to_read(task: TypesetTask, pieces: Sequence[LaidOut], known: Sequence[Problem]) -> list[Problem]:
    """Return what of laid-out pieces cannot be made out in their ink.

    Another language has other words, and the same colours: they are looked at once, unless it is all that is printed.
    Faces are not judged whose layout takes a colour that nobody knows, by the problems known of them.
    """
    game = task.game
    if task.language is None and game.language != game.languages[0].code:
        return []
    pack = Pack() if task.frames is None else task.frames.memo.pack("words", game.id)
    # A folded booklet has the words and colours of the sheet: it is not looked at a second time.
    unsure = {problem.source.file for problem in known if problem.code == "unknown-colour"}
    seen = [
        (piece, [face for face in _seen(task.workspace, game, piece) if face.layout_at.file not in unsure])
        for piece in pieces
        if not piece.piece.is_booklet
    ]
    words = {key: one for key in _hashes(seen) if (one := _known_words(pack, key)) is not None}
    for key, one in _new_words(seen, words).items():
        words[key] = one
        with suppress(ValueError):  # half a letter
            pack.put(key.encode(), _encode(one))
    faint, said = ({key: one.faint for key, one in words.items()}, {key: one.said for key, one in words.items()})
    coarse = {key: one.dpi for key, one in words.items()}
    problems: list[Problem] = []
    for piece, faces in seen:
        problems += check_legibility(faces, piece.drawings, piece.decorations, faint, said, coarse)
    if task.frames is not None:
        task.frames.memo.save("words", game.id)
    if task.ink != PLAIN:
        problems = [problem._replace(what=f"{in_ink(task.ink)}{problem.what}") for problem in problems]
    return accept_findings(game, list(dict.fromkeys(problems)), task.ink)


class _FrameWords(NamedTuple):
    """What a frame says, as a hash, which of its words are faint, and how coarse its pictures are (`coarsest_dpi`)."""

    faint: list[Faint]
    said: str
    dpi: float


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(_FrameWords).decode


def _hashes(looked_at: Sequence[tuple[LaidOut, Sequence[Seen]]]) -> dict[str, None]:
    return dict.fromkeys(face.frame.hash for _, seen in looked_at for face in seen)


def _known_words(pack: Pack, key: str) -> _FrameWords | None:
    """Return the words of a frame that was looked at in an earlier run."""
    body = pack.get(key.encode())
    with suppress(msgspec.MsgspecError):
        return None if body is None else _decode(body)
    return None


def _new_words(looked_at: Sequence[tuple[LaidOut, Sequence[Seen]]], known: Container[str]) -> dict[str, _FrameWords]:
    """Return the words of frames that are not known, looked at by several processes where there are many."""
    new = {
        face.frame.hash: (face.frame, piece)
        for piece, seen in looked_at
        for face in seen
        if face.frame.hash not in known
    }
    frames = list(new.values())
    parts = shares(len(frames), -(-len(frames) // _FRAMES_A_PART))

    def look(number: int) -> list[_FrameWords]:
        grounds: dict[int, Grounds] = {}  # what cards of a piece have in common is looked at once
        words = []
        for frame, piece in (frames[at] for at in parts[number]):
            ground, items = grounds.setdefault(id(piece.drawings), Grounds(piece.drawings)), frame.items
            dpi = coarsest_dpi(items, piece.drawings, piece.pictures)
            words.append(_FrameWords(faint_words(items, ground), words_said(items), dpi))
        return words

    results = in_parts(look, len(parts), jobs() if len(parts) >= _LEAST_PARTS else 1)
    return dict(zip(new, (words for result in results for words in result), strict=True))


def _seen(workspace: Workspace, game: Game, one: LaidOut) -> list[Seen]:
    faces: list[Seen] = []
    sides: dict[tuple[str, str], Source] = {}
    decks = {face.deck: game.decks[face.deck] for face in one.faces}
    sources = {deck.id: {card.id: card.source for card in deck.cards} for deck in decks.values()}
    for face in one.faces:
        deck, cards = game.decks[face.deck], sources[face.deck]
        for side, frame in (("front", face.front), ("back", face.back)):
            if frame is None:
                continue
            if (face.deck, side) not in sides:
                name = deck.front if side == "front" else deck.back
                own = f"{game.folder}/layouts/{name}.xml"
                sides[face.deck, side] = Source(own if workspace.has(own) else f"layouts/{name}.xml")
            at = cards.get(face.card, deck.source)
            faces.append(Seen(face.deck, face.card, side, frame, at, sides[face.deck, side]))
    written = game.rules.get(game.language) or next(iter(game.rules.values()), None)
    source = written.source if written is not None else game.source
    # The papers differ in what stands where, not in colours.
    for number, frame in enumerate(next(iter(one.pages.values()), ()), 1):
        page = Frame(frame.trim, frame.bleed_mm, tuple(map(_silent, frame.items)))
        faces.append(Seen(one.piece.id, f"page {number}", "front", page, source, source))
    return faces


def _silent(item: Item) -> Item:
    """Return a picture in a rules sheet without its words: as a card, not as a picture, they have to be readable."""
    if not isinstance(item, Group):
        return item
    return replace(item, items=tuple(_silent(inner) for inner in item.items if not isinstance(inner, Text)))
