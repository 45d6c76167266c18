"""A game's faces -> files for others: PNG pictures, what a virtual table loads, the order at a vendor. All or nothing.

Each kind of export has a folder of its own below `output/<game>/`, which holds exactly the last export: files of an
earlier one that are no longer made are removed, unless someone changed them since. `manifest.json` lists them all.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import Struct
from PIL import Image as Pictures
from PIL.Image import Image

from duckpress.art.picture_files import png_bytes
from duckpress.core.frame import Frame
from duckpress.core.problems import Level, Problem
from duckpress.core.units import MM_PER_INCH
from duckpress.files.workspace import Workspace
from duckpress.fonts import FontLibrary
from duckpress.layout import Face, LaidOut
from duckpress.model import Deck
from duckpress.press.reading import Checked, Loaded
from duckpress.press.request import Step
from duckpress.proof.vendor_files import Order, Paint, prove_order
from duckpress.store import locked_outputs, sources_of
from duckpress.store.manifest import digest
from duckpress.vendors import VENDORS, OrderCard, Vendor, order_files
from duckpress.views.export_files import (
    MANIFEST,
    ExportRequest,
    Files,
    chosen_pieces,
    manifest_bytes,
    write_export,
)
from duckpress.views.face_pictures import ShownGame, lay_out_game, paint_frames, refuse_large
from duckpress.views.tabletop_simulator import table_files


class Exported(Struct, frozen=True):
    """What was exported: findings, and the names of the files in `folder` (none where an error stands)."""

    checked: Checked
    folder: Path
    files: tuple[str, ...]
    vendor: Vendor | None


class FaceName(Struct, frozen=True):
    """The names of a card's pictures; all cards of a deck with one back share that of the deck."""

    front: str
    back: str | None


def export(
    workspace: Workspace, loaded: Loaded, request: ExportRequest, out: Path, step: Step = lambda _name: None
) -> Exported:
    """Export a game into `out/<game>/<kind>/`; nothing while an error stands.

    Without `pieces`, those that stand for another one are left out, and so are the rules, which have no cards. Raises
    `FaceTooLarge` for faces of too many pixels, and `MachineError` where the files cannot be written.
    """
    vendor = VENDORS.get(request.to)
    with locked_outputs(out / loaded.game_id, sources_of(workspace.root)) as target:
        step("laying out")
        checked, fonts = lay_out_game(
            workspace, loaded, language=request.language, ink=request.ink, pieces=request.pieces
        )
        game = checked.game
        files: Files = {}
        if vendor is not None:
            checked, files = order(vendor, ShownGame(checked, fonts), chosen_pieces(checked, request), step)
        elif game is not None and not checked.has_errors:
            make = table_files if request.to == "tts" else _png_files
            files, facts = make(ShownGame(checked, fonts), chosen_pieces(checked, request), request, step)
            files[MANIFEST] = manifest_bytes(request, game, files, facts)
        if files:
            step("writing")
            write_export(target, request.to, files)
    return Exported(checked, target.folder / request.to, tuple(sorted(files)), vendor)


def face_names(pieces: Sequence[LaidOut]) -> dict[tuple[str, str, str], FaceName]:
    """Return the names of the pictures of faces, by piece, deck and card.

    They are `<deck>-<card>-front`, and `<deck>-back` or a back of its own, with the piece before them where a deck is
    in several of the pieces. Ids have hyphens, too: where two cards would come to one name, two hyphens join theirs,
    and where two decks would, a sign that no id has.
    """
    places = [(one.piece.id, face.deck) for one in pieces for face in one.faces]
    often = {deck for _, deck in set(places) if len({piece for piece, other in places if other == deck}) > 1}
    decks = {(piece, deck): f"{piece}-{deck}" if deck in often else deck for piece, deck in dict.fromkeys(places)}
    alike = Counter(decks.values())
    decks = {place: "_".join(place) if alike[name] > 1 else name for place, name in decks.items()}
    faces = [(one.piece.id, decks[one.piece.id, face.deck], face) for one in pieces for face in one.faces]
    backs: dict[str, set[str | None]] = {}
    for _, deck, face in faces:
        backs.setdefault(deck, set()).add(face.back.hash if face.back is not None else None)
    joined = Counter(f"{deck}-{face.card}" for _, deck, face in faces)
    names = {}
    for piece, deck, face in faces:
        name = f"{deck}-{face.card}"
        if joined[name] > 1 or name in backs:
            name = f"{deck}--{face.card}"
        back = f"{deck}-back" if len(backs[deck]) == 1 else f"{name}-back"
        names[piece, face.deck, face.card] = FaceName(f"{name}-front", back if face.back is not None else None)
    return names


def _png_files(
    shown: ShownGame, pieces: Sequence[LaidOut], request: ExportRequest, step: Step
) -> tuple[Files, dict[str, Any]]:
    """Return the pictures, and what the manifest says of them."""
    files: Files = {}
    cards = []
    names = face_names(pieces)
    for one in pieces:
        refuse_large(one.faces, request.dpi, has_bleed=request.has_bleed)
        frames: dict[str, Frame] = {}
        for face in one.faces:
            name = names[one.piece.id, face.deck, face.card]
            frames[name.front] = face.front
            if name.back is not None and face.back is not None:
                frames[name.back] = face.back
            back = None if name.back is None else f"{name.back}.png"
            card = {"piece": one.piece.id, "deck": face.deck, "card": face.card, "copies": face.copies}
            cards.append({**card, "front": f"{name.front}.png", "back": back})
        painted = paint_frames(one, list(frames.values()), shown.fonts, request.dpi, has_bleed=request.has_bleed)
        for number, (file, picture) in enumerate(zip(frames, painted, strict=True), 1):
            step(f"{one.piece.id}: picture {number} of {len(frames)}")
            files[f"{file}.png"] = png_bytes(picture, request.dpi)
    return files, {"dpi": request.dpi, "bleed": request.has_bleed, "cards": cards}


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
