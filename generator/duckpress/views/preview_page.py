"""A game's faces -> one HTML page for a browser: all cards with their pictures, found by their words.

The page is a single file that needs nothing else: pictures are in it, and its own policy forbids it to load anything.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from duckpress.core.frame import Frame
from duckpress.core.problems import Level
from duckpress.core.units import MM_PER_INCH
from duckpress.files.workspace import Workspace
from duckpress.language import program
from duckpress.layout import Face, LaidOut
from duckpress.model import Card, Deck, Game
from duckpress.press.reading import Checked, Loaded
from duckpress.press.request import Step
from duckpress.store import locked_outputs, sources_of
from duckpress.views.card_words import card_words
from duckpress.views.export_files import ExportRequest, chosen_pieces
from duckpress.views.face_pictures import ShownGame, findings_of, lay_out_game, paint_frames

FILE = "preview.html"
MAX_SIDE_PX = 1600  # of a picture on the page: boards are shown smaller than cards
_TEMPLATE = Path(__file__).resolve().parent / "preview.html"
_QUALITY = 88
_LARGE_MM = 120.0  # what is wider has a row of its own on a telephone
_PAPER = "a4"


def preview(
    workspace: Workspace, loaded: Loaded, request: ExportRequest, out: Path, step: Step = lambda _name: None
) -> Checked:
    """Write `out/<game>/preview.html`, and return what was shown: every card that can be drawn, and what is wrong.

    Writes nothing where no card can be. Raises `MachineError`.
    """
    with locked_outputs(out / loaded.game_id, sources_of(workspace.root)) as target:
        step("laying out")
        shown = lay_out_game(
            workspace, loaded, language=request.language, ink=request.ink, pieces=request.pieces, papers=(_PAPER,),
            is_draft=True,
        )  # fmt: skip
        game = shown.checked.game
        if game is not None and shown.checked.pieces:
            page = _Page(game, shown, request.dpi, step).html(chosen_pieces(shown.checked, request))
            target.write({FILE: page.encode()})
    return shown.checked


def page_from(template: Path, **values: object) -> str:
    """Return a page for a browser, made of a template that escapes all values."""
    from jinja2 import Environment

    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string(template.read_text(encoding="utf-8")).render(values) + "\n"


class _Page:
    """The page in the making: backs are kept once, however many cards share one."""

    def __init__(self, game: Game, shown: ShownGame, dpi: float, step: Step) -> None:
        self._game = game
        self._shown = shown
        self._dpi = dpi
        self._step = step
        self._backs: dict[str, str] = {}

    def html(self, pieces: Sequence[LaidOut]) -> str:
        """Return the page."""
        decks = [section for one in pieces for section in self._deck_sections(one)]
        decks += [self._rules(one) for one in self._shown.checked.pieces if one.pages.get(_PAPER)]
        game = self._game
        values = {"title": game.title, "version": game.version, "language": game.language}
        say = game.speech.program
        problems = [
            {"level": problem.level.value, "what": problem.what, "at": str(problem.source), "fix": problem.fix}
            for problem in self._shown.checked.problems
            if problem.level is not Level.NOTE
        ]
        words = {
            "search": say(program.PREVIEW_SEARCH),
            "size": say(program.PREVIEW_SIZE),
            "backs": say(program.PREVIEW_BACKS),
            "errors": say(program.PREVIEW_ERRORS),
            "findings": say(program.PREVIEW_FINDINGS, {"n": len(problems)}),
        }
        return page_from(_TEMPLATE, **values, words=words, decks=decks, backs=self._backs, problems=problems)

    def _deck_sections(self, one: LaidOut) -> Iterator[dict[str, Any]]:
        for deck_id in one.piece.decks:
            faces = [face for face in one.faces if face.deck == deck_id]
            deck = self._game.decks[deck_id]
            by_card = {face.card: face for face in faces}
            shown = [card for card in deck.cards if card.id in by_card or self._findings(card)]
            if not shown:
                continue
            self._step(f"{one.piece.id}: {deck_id}")
            self._add_backs(one, faces)
            fronts = self._pictures(one, [by_card[card.id].front for card in shown if card.id in by_card])
            cards = [self._card(one, deck, card, by_card.get(card.id), fronts) for card in shown]
            count = sum(face.copies for face in faces)
            yield _section(deck.title, f"{one.piece.title} · {count}", cards)

    def _findings(self, card: Card) -> list[str]:
        """Return what is wrong with a card, without the words for the card."""
        problems = findings_of(self._shown.checked.problems, card)
        return [problem.what.removeprefix(f"{card.subject}: ") for problem in problems if problem.level is Level.ERROR]

    def _card(self, one: LaidOut, deck: Deck, card: Card, face: Face | None, fronts: Iterator[str]) -> dict[str, Any]:
        name, more = card_words(card, deck)
        format_ = face.format if face is not None else deck.size
        width_mm = format_.trim.width_mm
        return {
            "id": card.id,
            "anchor": f"{one.piece.id}-{deck.id}-{card.id}",
            "name": name,
            "back_name": self._game.speech.program(program.PREVIEW_BACK_OF, {"name": name}),
            "words": " ".join((name, more, card.id, deck.id, deck.title)),
            "copies": face.copies if face is not None else card.copies,
            "front": next(fronts) if face is not None else None,
            "back": face.back.hash if face is not None and face.back is not None else None,
            "width": round(width_mm, 3),
            "height": round(format_.trim.height_mm, 3),
            "radius": round(width_mm / 2 if format_.is_round else format_.corner_mm, 3),
            "findings": self._findings(card),
        }

    def _rules(self, one: LaidOut) -> dict[str, Any]:
        piece, pages = one.piece, one.pages[_PAPER]
        self._step(piece.id)
        cards: list[dict[str, Any]] = [
            {
                "id": f"{piece.id} {number}",
                "anchor": f"{piece.id}-{number}",
                "name": str(number),
                "words": f"{piece.title} {piece.id} {number}",
                "copies": 1,
                "front": picture,
                "back": None,
                "width": round(frame.trim.width_mm, 3),
                "height": round(frame.trim.height_mm, 3),
                "radius": 0,
                "findings": [],
            }
            for number, (frame, picture) in enumerate(zip(pages, self._pictures(one, pages), strict=True), 1)
        ]
        return _section(piece.title, str(len(pages)), cards)

    def _add_backs(self, one: LaidOut, faces: Sequence[Face]) -> None:
        backs = {face.back.hash: face.back for face in faces if face.back is not None}
        new = {key: frame for key, frame in backs.items() if key not in self._backs}
        self._backs.update(zip(new, self._pictures(one, list(new.values())), strict=True))

    def _pictures(self, one: LaidOut, frames: Sequence[Frame]) -> Iterator[str]:
        """Yield frames as pictures that stand in the page itself."""
        if frames:
            longest_mm = max(max(frame.trim) for frame in frames)
            dpi = min(self._dpi, MAX_SIDE_PX * MM_PER_INCH / longest_mm)
            for picture in paint_frames(one, frames, self._shown.fonts, dpi, has_bleed=False):
                data = io.BytesIO()
                picture.save(data, "JPEG", quality=_QUALITY, subsampling=0)
                yield f"data:image/jpeg;base64,{base64.b64encode(data.getvalue()).decode()}"


def _section(title: str, count: str, cards: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return a section of the page; all its columns are as wide as its widest card."""
    width_mm = max(card["width"] for card in cards)
    return {"title": title, "count": count, "cards": cards, "width": width_mm, "is_large": width_mm > _LARGE_MM}
