"""A game's faces -> the files of an order at a card printing vendor; proven before anything is written."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PIL import Image as Pictures
from PIL.Image import Image

from duckpress.core.frame import Frame
from duckpress.core.geometry import MM_PER_INCH
from duckpress.core.problems import Level, Problem, Source
from duckpress.core.sizes import FORMATS
from duckpress.layout import Face, LaidOut
from duckpress.model import Deck
from duckpress.press.reading import Checked, named
from duckpress.press.request import Step
from duckpress.proof import check_own_faces, deck_copies
from duckpress.proof.vendor_files import Order, Paint, prove_order
from duckpress.store.manifest import digest
from duckpress.vendors import OrderCard, Vendor, order_files
from duckpress.views.export_files import MANIFEST, Files, MadeFiles, json_bytes
from duckpress.views.pictures import FacePainter
from duckpress.views.shown_game import ShownGame

_SAME_MM = 0.01
_NEAR_MM = 1.0  # what bleed covers, and no player feels
_ROUNDED_MM = 0.2  # 3 mm are what everybody writes for an eighth of an inch


def order(vendor: Vendor, shown: ShownGame, pieces: Sequence[LaidOut], step: Step) -> MadeFiles:
    """Return the files of an order (none with an error), and the game with all findings.

    Problems: `vendor-size` for a deck whose size the vendor does not take (a warning, and an error where no deck is
    left); `vendor-near` for one that comes out a little larger or smaller; `vendor-safe` where words may stand nearer
    to the cut than the vendor asks.
    """
    checked, fonts = shown
    game = checked.game
    if game is None or checked.has_errors:
        return MadeFiles({}, checked=checked)
    painter = FacePainter(fonts)
    files: Files = {}
    listed: list[dict[str, object]] = []
    problems: list[Problem] = []
    for one in pieces:
        for deck_id in dict.fromkeys(face.deck for face in one.faces):
            deck = game.decks[deck_id]
            name = _product(deck, vendor)
            if name is None:
                what = f"{vendor.title} has no product known for deck {deck.id!r}, which is {deck.format}"
                fix = f"it takes: {', '.join(vendor.canvases)}"
                problems.append(Problem("vendor-size", deck.at("size"), what, fix, Level.WARNING))
                continue
            canvas, trim = vendor.canvases[name], deck.size.trim
            if _off_mm(deck, name) > _SAME_MM:
                problems.append(_near_size(deck, vendor, name))
                upright = FORMATS[name].trim
                trim = upright.turned() if trim.width_mm > trim.height_mm else upright
            safe_mm = (vendor.safe_px - vendor.cut_px) / vendor.dpi * MM_PER_INCH
            if deck.size.safe_mm + _ROUNDED_MM < safe_mm:
                problems.append(_near_the_cut(deck, vendor, safe_mm))
            step(f"painting {deck_id}")
            faces, title = [face for face in one.faces if face.deck == deck_id], f"{game.title}: {deck.title}"
            is_turned = (trim.width_mm > trim.height_mm) is not (canvas.width_px > canvas.height_px)
            paint = partial(painter.pictures, one, has_bleed=True)
            cards = _cards(paint, faces, vendor, is_turned=is_turned)
            cut = trim.turned() if is_turned else trim
            deck_files = order_files(vendor, canvas, deck_id, title, cut, cards)
            step(f"proving {deck_id}")
            foreign = check_own_faces(game, faces, deck_copies(game, [deck_id], None))
            problems += [problem._replace(source=Source(f"{vendor.id}/{deck_id}")) for problem in foreign]
            problems += prove_order(deck_files, Order(vendor, canvas, deck_id, title, cut, faces, paint))
            files |= deck_files
            size = {"product": canvas.product, "width_px": canvas.width_px, "height_px": canvas.height_px}
            listed += [{"name": name, "sha256": digest(data), **size} for name, data in sorted(deck_files.items())]
    if not files:
        problems = [one._replace(level=Level.ERROR) if one.code == "vendor-size" else one for one in problems]
    checked = Checked(game.id, game, named(game.id, [*checked.problems, *problems]), checked.pieces)
    if checked.has_errors:
        return MadeFiles({}, checked=checked)
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
    files[MANIFEST] = json_bytes(manifest)
    return MadeFiles(files, checked=checked)


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


def _product(deck: Deck, vendor: Vendor) -> str | None:
    """Return the format of the vendor's product for a deck: its own, else the nearest within a millimetre."""
    name, size = deck.format.removesuffix("-landscape"), deck.size
    if name in vendor.canvases:
        return name
    shape = (size.is_round, size.is_hex)
    alike = [known for known in vendor.canvases if (FORMATS[known].is_round, FORMATS[known].is_hex) == shape]
    near = [known for known in alike if _off_mm(deck, known) <= _NEAR_MM]
    return min(near, key=partial(_off_mm, deck), default=None)


def _off_mm(deck: Deck, name: str) -> float:
    """Return the largest difference between a format's and a deck's width or height, in either orientation."""
    sides = zip(sorted(FORMATS[name].trim), sorted(deck.size.trim), strict=True)
    return max(abs(one - other) for one, other in sides)


def _near_size(deck: Deck, vendor: Vendor, name: str) -> Problem:
    own, made = (f"{size.width_mm:g} x {size.height_mm:g} mm" for size in (deck.size.trim, FORMATS[name].trim))
    what = f"deck {deck.id!r} is {own}; {vendor.title} cuts it to {made}, its {name} size"
    fix = f"leave it, since the bleed covers the difference, or give the deck the size {name}"
    return Problem("vendor-near", deck.at("size"), what, fix, Level.NOTE)


def _near_the_cut(deck: Deck, vendor: Vendor, safe_mm: float) -> Problem:
    keeps = f"deck {deck.id!r} keeps words {deck.size.safe_mm:g} mm from the cut"
    what = f"{keeps}; {vendor.title} asks for {safe_mm:.2f} mm"
    fix = "look at what stands nearest to the edge, or give the deck's size a wider 'safe'"
    return Problem("vendor-safe", deck.at("size"), what, fix, Level.NOTE)
