"""A game's faces -> the files of an order at a vendor who prints cards; proven before anything is written."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial

from PIL import Image as Pictures
from PIL.Image import Image

from duckpress.core.frame import Frame
from duckpress.core.problems import Level, Problem
from duckpress.core.units import MM_PER_INCH
from duckpress.fonts import FontLibrary
from duckpress.layout import Face, LaidOut
from duckpress.model import Deck
from duckpress.press.reading import Checked
from duckpress.press.request import Step
from duckpress.proof.vendor_files import Order, Paint, prove_order
from duckpress.store.manifest import digest
from duckpress.vendors import OrderCard, Vendor, order_files
from duckpress.views.export_files import MANIFEST, Files
from duckpress.views.face_pictures import ShownGame, paint_frames


def order(vendor: Vendor, shown: ShownGame, pieces: Sequence[LaidOut], step: Step) -> tuple[Checked, Files]:
    """Return the game with all findings, and the files of an order (none where an error stands).

    Problems: `vendor-size` for a deck whose size the vendor does not take (a warning, and an error where no deck is
    left); `vendor-safe` where words may stand nearer to the cut than the vendor asks.
    """
    checked, fonts = shown
    game = checked.game
    if game is None or checked.has_errors:
        return checked, {}
    files: Files = {}
    listed: list[dict[str, object]] = []
    problems: list[Problem] = []
    for one in pieces:
        for deck_id in dict.fromkeys(face.deck for face in one.faces):
            deck = game.decks[deck_id]
            canvas = vendor.canvases.get(deck.format.removesuffix("-landscape"))
            if canvas is None:
                problems.append(_unknown_size(deck, vendor))
                continue
            safe_mm = (vendor.safe_px - vendor.cut_px) / vendor.dpi * MM_PER_INCH
            if deck.size.safe_mm + 0.01 < safe_mm:
                problems.append(_near_the_cut(deck, vendor, safe_mm))
            step(f"painting {deck_id}")
            faces, title = [face for face in one.faces if face.deck == deck_id], f"{game.title}: {deck.title}"
            trim = deck.size.trim
            is_turned = (trim.width_mm > trim.height_mm) is not (canvas.width_px > canvas.height_px)
            paint = _painter(one, fonts)
            cards = _cards(paint, faces, vendor, is_turned=is_turned)
            deck_files = order_files(vendor, canvas, deck_id, title, trim.turned() if is_turned else trim, cards)
            step(f"proving {deck_id}")
            problems += prove_order(deck_files, Order(vendor, canvas, deck_id, title, faces, paint))
            files |= deck_files
            size = {"product": canvas.product, "width_px": canvas.width_px, "height_px": canvas.height_px}
            listed += [{"name": name, "sha256": digest(data), **size} for name, data in sorted(deck_files.items())]
    if not files:
        problems = [
            problem._replace(level=Level.ERROR) if problem.code == "vendor-size" else problem for problem in problems
        ]
    checked = Checked(checked.game_id, game, (*checked.problems, *problems), checked.pieces)
    if checked.has_errors:
        return checked, {}
    manifest = {
        "game": game.id,
        "version": game.version,
        "vendor": vendor.id,
        "source": vendor.source,
        "unverified": vendor.unverified,
        "dpi": vendor.dpi,
        "colours": "RGB" if vendor.ink_percent is None else f"CMYK, at most {vendor.ink_percent} % of ink",
        "files": listed,
    }
    files[MANIFEST] = (json.dumps(manifest, indent=2, ensure_ascii=False) + "\n").encode()
    return checked, files


def _painter(one: LaidOut, fonts: FontLibrary) -> Paint:
    return lambda frames, dpi: paint_frames(one, frames, fonts, dpi, has_bleed=True)


def _cards(paint: Paint, faces: Sequence[Face], vendor: Vendor, *, is_turned: bool) -> list[OrderCard]:
    def painted(frame: Frame) -> Image:
        (picture,) = paint([frame], vendor.drawn_dpi)
        return picture.transpose(Pictures.Transpose.ROTATE_90) if is_turned else picture

    return [
        OrderCard(
            face.card,
            face.copies,
            partial(painted, face.front),
            partial(painted, face.back) if face.back is not None else None,
            face.back.hash if face.back is not None else None,
        )
        for face in faces
    ]


def _unknown_size(deck: Deck, vendor: Vendor) -> Problem:
    what = f"{vendor.title} has no product known for deck {deck.id!r}, which is {deck.format}"
    fix = f"it takes: {', '.join(vendor.canvases)}"
    return Problem("vendor-size", deck.at("size"), what, fix, Level.WARNING)


def _near_the_cut(deck: Deck, vendor: Vendor, safe_mm: float) -> Problem:
    keeps = f"deck {deck.id!r} keeps words {deck.size.safe_mm:g} mm from the cut"
    what = f"{keeps}; {vendor.title} asks for {safe_mm:.2f} mm"
    fix = "look at what stands nearest to the edge, or give the deck's size a wider 'safe'"
    return Problem("vendor-safe", deck.at("size"), what, fix, Level.NOTE)
