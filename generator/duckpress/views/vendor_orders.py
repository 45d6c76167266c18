"""A game -> the files of an order at a vendor: every deck that the vendor has a product for."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct

from duckpress.core.frame import Frame
from duckpress.core.problems import Level, Problem, has_errors
from duckpress.files.workspace import Workspace
from duckpress.fonts import FontLibrary
from duckpress.layout import Face, LaidOut
from duckpress.model import Deck
from duckpress.press.reading import Checked, Loaded
from duckpress.vendors import VENDORS, Canvas, OrderCard, Vendor, order_files
from duckpress.views.face_pictures import lay_out_game, paint_frames

if TYPE_CHECKING:
    from PIL.Image import Image


Step = Callable[[str], None]


class Order(Struct, frozen=True):
    """What an order came to: the game with all findings, and the files by name; none where an error stands."""

    checked: Checked
    vendor: Vendor
    files: dict[str, bytes]


def order(
    workspace: Workspace,
    loaded: Loaded,
    vendor_id: str,
    *,
    language: str | None = None,
    pieces: Sequence[str] = (),
    step: Step = lambda _name: None,
) -> Order:
    """Return the files of an order: see `duckpress.vendors`.

    Problems: `vendor-size` for a deck whose size the vendor does not take (a warning, and an error where no deck is
    left); `vendor-safe` where words may stand nearer to the cut than the vendor asks.
    """
    vendor = VENDORS[vendor_id]
    step("laying out")
    checked, fonts = lay_out_game(workspace, loaded, language=language, pieces=pieces)
    game = checked.game
    if game is None or checked.has_errors:
        return Order(checked, vendor, {})
    files: dict[str, bytes] = {}
    listed: list[dict[str, object]] = []
    problems = list(checked.problems)
    for one in checked.pieces:
        if one.piece.instead_of is not None and not pieces:
            continue
        for deck_id in dict.fromkeys(face.deck for face in one.faces):
            deck = game.decks[deck_id]
            canvas = _canvas(deck, vendor)
            if canvas is None:
                problems.append(_unknown_size(deck, vendor))
                continue
            if deck.size.safe_mm + 0.01 < (vendor.safe_px - vendor.cut_px) / vendor.dpi * 25.4:
                problems.append(_near_the_cut(deck, vendor))
            step(f"painting {deck_id}")
            faces = [face for face in one.faces if face.deck == deck_id]
            cards = _cards(one, faces, fonts, vendor, is_turned=deck.size.trim.width_mm > deck.size.trim.height_mm)
            trim = min(deck.size.trim, deck.size.trim.turned())
            made = order_files(vendor, canvas, deck_id, f"{game.title}: {deck.title}", trim, cards)
            files |= made
            listed += [_row(name, data, canvas) for name, data in sorted(made.items())]
    if not files:
        problems = [
            problem._replace(level=Level.ERROR) if problem.code == "vendor-size" else problem for problem in problems
        ]
    checked = Checked(checked.game_id, game, tuple(problems), checked.pieces)
    if has_errors(problems):
        return Order(checked, vendor, {})
    manifest = {
        "game": game.id,
        "version": game.version,
        "vendor": vendor.id,
        "source": vendor.source,
        "unverified": list(vendor.unverified),
        "dpi": vendor.dpi,
        "colours": "RGB" if vendor.ink_percent is None else f"CMYK, at most {vendor.ink_percent} % of ink",
        "files": listed,
    }
    files["manifest.json"] = (json.dumps(manifest, indent=2, ensure_ascii=False) + "\n").encode()
    return Order(checked, vendor, files)


def _canvas(deck: Deck, vendor: Vendor) -> Canvas | None:
    return vendor.canvases.get(deck.format.removesuffix("-landscape"))


def _cards(
    one: LaidOut, faces: Sequence[Face], fonts: FontLibrary, vendor: Vendor, *, is_turned: bool
) -> list[OrderCard]:
    def paint(frame: Frame) -> Image:
        from PIL import Image as Pictures

        (picture,) = paint_frames(one, [frame], fonts, vendor.drawn_dpi, has_bleed=True)
        return picture.transpose(Pictures.Transpose.ROTATE_90) if is_turned else picture

    return [
        OrderCard(
            face.card,
            face.copies,
            partial(paint, face.front),
            partial(paint, face.back) if face.back is not None else None,
            face.back.hash if face.back is not None else None,
        )
        for face in faces
    ]


def _row(name: str, data: bytes, canvas: Canvas) -> dict[str, object]:
    return {
        "name": name,
        "sha256": hashlib.sha256(data).hexdigest(),
        "product": canvas.product,
        "width_px": canvas.width_px,
        "height_px": canvas.height_px,
    }


def _unknown_size(deck: Deck, vendor: Vendor) -> Problem:
    what = f"{vendor.title} has no product known for deck {deck.id!r}, which is {deck.format}"
    fix = f"it takes: {', '.join(vendor.canvases)}"
    return Problem("vendor-size", deck.at("size"), what, fix, Level.WARNING)


def _near_the_cut(deck: Deck, vendor: Vendor) -> Problem:
    asked = (vendor.safe_px - vendor.cut_px) / vendor.dpi * 25.4
    what = f"deck {deck.id!r} keeps words {deck.size.safe_mm:g} mm from the cut; {vendor.title} asks for {asked:.2f} mm"
    fix = "look at what stands nearest to the edge, or give the deck's size a wider 'safe'"
    return Problem("vendor-safe", deck.at("size"), what, fix, Level.NOTE)
