"""A game's faces -> one HTML page for a browser: all cards with their pictures, found by their words.

The page is a single file that needs nothing else: pictures are in it, and its own policy forbids it to load anything.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from duckpress.core.frame import Frame
from duckpress.core.units import MM_PER_INCH
from duckpress.files.workspace import Workspace
from duckpress.layout import Face, LaidOut
from duckpress.model import Deck, Game
from duckpress.press.reading import Checked, Loaded
from duckpress.press.request import Step
from duckpress.store import locked_outputs, sources_of
from duckpress.views.export_files import ExportRequest, chosen_pieces
from duckpress.views.face_pictures import ShownGame, lay_out_game, paint_frames
from duckpress.views.tabletop_simulator import card_words

FILE = "preview.html"
MAX_SIDE_PX = 1600  # of a picture on the page: boards are shown smaller than cards
_TEMPLATE = Path(__file__).resolve().parent / "preview.html"
_QUALITY = 88
_PAPER = "a4"


def preview(
    workspace: Workspace, loaded: Loaded, request: ExportRequest, out: Path, step: Step = lambda _name: None
) -> Checked:
    """Write `out/<game>/preview.html`, and return what was shown; writes nothing while an error stands.

    Raises `MachineError`.
    """
    with locked_outputs(out / loaded.game_id, sources_of(workspace.root)) as target:
        step("laying out")
        shown = lay_out_game(
            workspace, loaded, language=request.language, ink=request.ink, pieces=request.pieces, papers=(_PAPER,)
        )
        game = shown.checked.game
        if game is not None and not shown.checked.has_errors:
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
        return page_from(_TEMPLATE, **values, decks=decks, backs=self._backs)

    def _deck_sections(self, one: LaidOut) -> Iterator[dict[str, Any]]:
        for deck_id in one.piece.decks:
            faces = [face for face in one.faces if face.deck == deck_id]
            if not faces:
                continue
            self._step(f"{one.piece.id}: {deck_id}")
            self._add_backs(one, faces)
            deck = self._game.decks[deck_id]
            fronts = self._pictures(one, [face.front for face in faces])
            cards = [self._card(one, deck, face, next(fronts)) for face in faces]
            count = sum(face.copies for face in faces)
            yield {"title": deck.title, "count": f"{one.piece.title} · {count}", "cards": cards}

    def _card(self, one: LaidOut, deck: Deck, face: Face, front: str) -> dict[str, Any]:
        card = next(card for card in deck.cards if card.id == face.card)
        name, more = card_words(card, deck)
        width_mm = face.format.trim.width_mm
        return {
            "id": card.id,
            "anchor": f"{one.piece.id}-{deck.id}-{card.id}",
            "name": name,
            "words": " ".join((name, more, card.id, deck.id, deck.title)),
            "copies": face.copies,
            "front": front,
            "back": face.back.hash if face.back is not None else None,
            "width": round(width_mm, 3),
            "radius": round(width_mm / 2 if face.format.is_round else face.format.corner_mm, 3),
        }

    def _rules(self, one: LaidOut) -> dict[str, Any]:
        piece, pages = one.piece, one.pages[_PAPER]
        self._step(piece.id)
        cards = [
            {
                "id": f"{piece.id} {number}",
                "anchor": f"{piece.id}-{number}",
                "name": str(number),
                "words": f"{piece.title} {piece.id} {number}",
                "copies": 1,
                "front": picture,
                "back": None,
                "width": round(frame.trim.width_mm, 3),
                "radius": 0,
            }
            for number, (frame, picture) in enumerate(zip(pages, self._pictures(one, pages), strict=True), 1)
        ]
        return {"title": piece.title, "count": len(pages), "cards": cards}

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
