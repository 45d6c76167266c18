"""A game's faces -> one HTML page for a browser: all cards with their pictures, found by their words.

The page is a single file that needs nothing else: pictures are in it, and its own policy forbids it to load anything.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from duckpress.core.frame import Frame
from duckpress.core.units import MM_PER_INCH
from duckpress.files.workspace import Workspace
from duckpress.layout import Face, LaidOut
from duckpress.model import Deck, Game
from duckpress.press.reading import Checked, Loaded
from duckpress.store import OutputFolder, locked_outputs, sources_of
from duckpress.views.export_files import Step, chosen_pieces
from duckpress.views.face_pictures import ShownGame, lay_out_game, paint_frames
from duckpress.views.tabletop_simulator import card_words

if TYPE_CHECKING:
    from PIL.Image import Image


FILE = "preview.html"
MAX_SIDE_PX = 1600  # of a picture on the page: boards are shown smaller than cards
_TEMPLATE = Path(__file__).resolve().parent / "preview.html"
_QUALITY = 88
_PAPER = "a4"


class PreviewRequest(Struct, frozen=True):
    """What a page shows, and how: without `pieces` those that stand for another one are left out."""

    dpi: float = 150.0
    language: str | None = None
    ink: str = "color"
    pieces: tuple[str, ...] = ()


class Previewed(Struct, frozen=True):
    """What was shown: findings, and the page's name in `folder` (None where an error stands)."""

    checked: Checked
    folder: Path
    file: str | None = None

    @property
    def has_errors(self) -> bool:
        """Whether an error stands."""
        return self.checked.has_errors


def preview(
    workspace: Workspace,
    loaded: Loaded,
    request: PreviewRequest,
    out: Path,
    step: Step = lambda _name: None,
) -> Previewed:
    """Write `out/<game>/preview.html`; nothing while an error stands. Raises `MachineError`."""
    with locked_outputs(out / loaded.game_id, sources_of(workspace.root)) as held:
        return _preview(workspace, loaded, request, held, step)


def _preview(
    workspace: Workspace, loaded: Loaded, request: PreviewRequest, held: OutputFolder, step: Step
) -> Previewed:
    folder = held.folder
    step("laying out")
    shown = lay_out_game(
        workspace, loaded, language=request.language, ink=request.ink, pieces=request.pieces, papers=(_PAPER,)
    )
    game = shown.checked.game
    if game is None or shown.checked.has_errors:
        return Previewed(shown.checked, folder)
    page = _Page(game, shown, request.dpi, step)
    data = page.html(chosen_pieces(shown, is_by_name=bool(request.pieces)))
    held.write({FILE: data})
    return Previewed(shown.checked, folder, FILE)


class _Page:
    """The page in the making: backs are kept once, however many cards share one."""

    def __init__(self, game: Game, shown: ShownGame, dpi: float, step: Step) -> None:
        self._game = game
        self._shown = shown
        self._dpi = dpi
        self._step = step
        self._backs: dict[str, str] = {}

    def html(self, pieces: Sequence[LaidOut]) -> bytes:
        """Return the page as bytes of UTF-8."""
        from jinja2 import Environment

        sections = [section for one in pieces for section in self._deck_sections(one)]
        sections += [self._rules(one) for one in self._shown.checked.pieces if one.pages.get(_PAPER)]
        template = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(
            _TEMPLATE.read_text(encoding="utf-8")
        )
        game = self._game
        values = {"title": game.title, "version": game.version, "language": game.language}
        return (template.render(**values, decks=sections, backs=self._backs) + "\n").encode()

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
        format_ = face.format
        return {
            "id": card.id,
            "anchor": f"{one.piece.id}-{deck.id}-{card.id}",
            "name": name,
            "words": " ".join((name, more, card.id, deck.id, deck.title)),
            "copies": face.copies,
            "front": front,
            "back": face.back.hash if face.back is not None else None,
            "width": round(format_.trim.width_mm, 3),
            "radius": round(format_.trim.width_mm / 2 if format_.is_round else format_.corner_mm, 3),
        }

    def _rules(self, one: LaidOut) -> dict[str, Any]:
        self._step(one.piece.id)
        pages = one.pages[_PAPER]
        cards = [
            {
                "id": f"{one.piece.id} {number}",
                "anchor": f"{one.piece.id}-{number}",
                "name": str(number),
                "words": f"{one.piece.title} {one.piece.id} {number}",
                "copies": 1,
                "front": picture,
                "back": None,
                "width": round(frame.trim.width_mm, 3),
                "radius": 0,
            }
            for number, (frame, picture) in enumerate(zip(pages, self._pictures(one, pages), strict=True), 1)
        ]
        return {"title": one.piece.title, "count": len(pages), "cards": cards}

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
                yield _data_uri(picture)


def _data_uri(picture: Image) -> str:
    data = io.BytesIO()
    picture.save(data, "JPEG", quality=_QUALITY, subsampling=0)
    return f"data:image/jpeg;base64,{base64.b64encode(data.getvalue()).decode()}"
