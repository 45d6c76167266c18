"""A game's faces -> files for others: PNG pictures, a virtual table's files, the order at a vendor. All or nothing.

Each kind of export has a folder of its own below `output/<game>/`, which holds exactly the last export: files of an
earlier one that are no longer made are removed, unless someone changed them since. `manifest.json` lists them all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from duckpress.core.frame import Frame
from duckpress.files.workspace import Workspace
from duckpress.layout import LaidOut
from duckpress.press.publishing import outputs_of
from duckpress.press.reading import Checked, Loaded
from duckpress.press.request import Step
from duckpress.views.export_files import (
    MANIFEST,
    NOTHING_PAINTED,
    ExportRequest,
    Files,
    MadeFiles,
    chosen_pieces,
    manifest_bytes,
    write_export,
)
from duckpress.views.pictures import PaintedFile, face_file, paint_files, refuse_large
from duckpress.views.shown_game import ShownGame, lay_out_game


class Exported(Struct, frozen=True):
    """The result of an export: findings, the names of the files in `folder` (none with an error), remarks."""

    checked: Checked
    folder: Path
    files: tuple[str, ...]
    said: tuple[str, ...] = ()


def export(
    workspace: Workspace, loaded: Loaded, request: ExportRequest, out: Path, step: Step = lambda _name: None
) -> Exported:
    """Export a game into `out/<game>/<kind>/`; nothing if there is an error.

    Without `pieces`, those that stand for another one are left out, and so are the rules, which have no cards. Raises
    `FaceTooLarge` for faces of too many pixels, and `MachineError` where the files cannot be written.
    """
    with outputs_of(workspace, loaded, out, step) as target:
        step("laying out")
        checked, fonts = lay_out_game(
            workspace, loaded, language=request.language, ink=request.ink, pieces=request.pieces
        )
        game, export_files = checked.game, MadeFiles({})
        if game is not None and not checked.has_errors:
            shown, pieces = ShownGame(checked, fonts), chosen_pieces(checked, request)
            # What one kind of export alone needs is imported for it alone: all of it takes as long as ten cards.
            if request.vendor is not None:
                from duckpress.views.vendor_order import order

                export_files = order(request.vendor, shown, pieces, step)
            elif request.to == "png":
                export_files = _png_files(pieces, request)
            elif request.to == "showcase":
                from duckpress.views.showcase import MAX_PX, showcase_files

                export_files = showcase_files(game, pieces, request.max_px or MAX_PX, fonts, step)
            else:
                from duckpress.views.virtual.virtual_tables import table_files

                export_files = table_files(workspace, loaded, shown, pieces, request, target.folder / request.to, step)
        painted = NOTHING_PAINTED
        drawn = {name: file for name, file in export_files.files.items() if isinstance(file, PaintedFile)}
        written = {name: file for name, file in export_files.files.items() if not isinstance(file, PaintedFile)}
        if drawn:
            step(f"{len(drawn)} pictures")
            painted = paint_files(target, request.to, drawn, fonts, loaded.frames)
        if export_files.files and game is not None and request.vendor is None:
            written[MANIFEST] = manifest_bytes(request, game, written, painted, export_files.facts)
        if export_files.files:
            step("writing")
            write_export(target, request.to, written, painted)
    files = tuple(sorted((*written, *drawn)))
    return Exported(export_files.checked or checked, target.folder / request.to, files, tuple(export_files.said))


def _face_names(pieces: Sequence[LaidOut]) -> dict[tuple[str, str, str], tuple[str, str | None]]:
    """Return the names of the pictures of a card, front and back, by piece, deck and card.

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
        names[piece, face.deck, face.card] = f"{name}-front", back if face.back is not None else None
    return names


def _png_files(pieces: Sequence[LaidOut], request: ExportRequest) -> MadeFiles:
    files: Files = {}
    cards = []
    names = _face_names(pieces)
    for one in pieces:
        refuse_large(one.faces, request.dpi, has_bleed=request.has_bleed)
        frames: dict[str, Frame] = {}
        for face in one.faces:
            front, back = names[one.piece.id, face.deck, face.card]
            frames[front] = face.front
            if back is not None and face.back is not None:
                frames[back] = face.back
            card = {"piece": one.piece.id, "deck": face.deck, "card": face.card, "copies": face.copies}
            cards.append({**card, "front": f"{front}.png", "back": back and f"{back}.png"})
        for name, frame in frames.items():
            files[f"{name}.png"] = face_file(one, frame, request.dpi, has_bleed=request.has_bleed)
    return MadeFiles(files, {"dpi": request.dpi, "bleed": request.has_bleed, "cards": cards})
