"""Faces in grids without gaps, which virtual tables load as one picture; and the tables that need nothing else.

Plain sheets with a list; a folder of single pictures for Tabletopia; a package for Tabletop Playground: a manifest, a
template for each deck, and textures.

Sources: Tabletopia's guide to its workshop: ten pixels a millimetre, at most 4000 x 4000, a front and a back for every
object. Tabletop Playground: templates that its editor wrote, and the published JSON schemas of its packages. A texture
has at most 8192 pixels a side and 10 x 10 places. `BackIndex` -2 is one back for all, -3 a texture of backs;
`HiddenIndex` -3 shows the back to who must not see the front. Copies repeat in `Indices`. Sizes are in centimetres. A
die is the program's own cube, whose texture has three rows of three places, and says what each direction reads.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from duckpress.art.picture_files import quick_png
from duckpress.core.frame import Frame
from duckpress.core.geometry import MM_PER_INCH
from duckpress.core.sizes import Format
from duckpress.layout import Face
from duckpress.model import Game
from duckpress.views.export_files import Files, MadeFiles
from duckpress.views.pictures import PaintedFile, face_file, pixels_of
from duckpress.views.virtual.table_decks import TWO_ROWS, TableDeck, TableDie, TableThing
from duckpress.views.virtual.table_stacks import SpriteGrid, TableJob


class SpriteSheet(NamedTuple):
    """Faces of a deck in one full grid: its columns and rows, and the size of a cell in pixels."""

    name: str
    faces: tuple[Face, ...]
    columns: int
    rows: int
    size: tuple[int, int]
    dpi: float


def sprite_sheets(deck: TableDeck, grid: SpriteGrid, most: int) -> list[SpriteSheet]:
    """Return a deck's sheets of at most `most` faces, each as square as possible."""
    sheets = []
    groups = [deck.faces[start : start + most] for start in range(0, len(deck.faces), most)]
    for number, group in enumerate(groups):
        columns = min(grid.columns, math.ceil(math.sqrt(len(group))))
        rows = math.ceil(len(group) / columns)
        front = group[0].front
        sides = (columns * front.trim.width_mm, rows * front.trim.height_mm)
        dpi = min(grid.dpi, grid.max_px / max(sides) * MM_PER_INCH * (1 - 1e-9))
        size = pixels_of(front, dpi, has_bleed=False)
        if size[0] * columns > grid.max_px or size[1] * rows > grid.max_px:  # rounded up
            dpi *= min((size[0] - 1) / size[0], (size[1] - 1) / size[1])
            size = pixels_of(front, dpi, has_bleed=False)
        name = deck.name if len(groups) == 1 else f"{deck.name}-{number + 1}"
        sheets.append(SpriteSheet(name, tuple(group), columns, rows, size, dpi))
    return sheets


def painted_sheets(
    deck: TableDeck, grid: SpriteGrid, most: int, files: Files, folder: str = "", *, has_backs: bool = True
) -> Iterator[tuple[SpriteSheet, str, str]]:
    """Yield a deck's sheets with the names of their fronts and backs, which are added to the files.

    Each back is at the place of its front; all sheets of a deck with one back share a picture of that alone.
    """
    for sheet in sprite_sheets(deck, grid, most):
        front = f"{sheet.name}-fronts.png"
        files[folder + front] = _grid(deck, sheet, [face.front for face in sheet.faces])
        back = f"{deck.name}-back.png" if deck.has_one_back else f"{sheet.name}-backs.png"
        if has_backs and folder + back not in files:
            single = sheet._replace(faces=sheet.faces[:1], columns=1, rows=1)
            backs = single if deck.has_one_back else sheet
            files[folder + back] = _grid(deck, backs, [face.back for face in backs.faces])
        yield sheet, front, back


def _grid(deck: TableDeck, sheet: SpriteSheet, frames: Sequence[Frame | None]) -> PaintedFile:
    return PaintedFile(deck.laid_out, tuple(frames), sheet.dpi, sheet.size, sheet.columns)


def sprite_files(job: TableJob) -> MadeFiles:
    """Return the sheets of all decks, and `sheets.csv`: the import settings of each, and the place of every card."""
    files: Files = {}
    rows = list(_sheet_rows(job, files))
    keys = ("sheet", "back", "columns", "rows", "place", "card", "copies")
    files["sheets.csv"] = _csv(keys, (row.values() for row in rows))
    return MadeFiles(files, {"max_px": job.grid.max_px, "cards": rows})


def _sheet_rows(job: TableJob, files: Files) -> Iterator[dict[str, Any]]:
    """Yield a row for each card, in the order of its sheet, and add the sheets to the files."""
    for deck in job.decks:
        job.step(deck.name)
        has_backs = deck.has_backs
        for sheet, name, back in painted_sheets(deck, job.grid, job.grid.places, files, has_backs=has_backs):
            for place, face in enumerate(sheet.faces, 1):
                shown = back if has_backs else ""
                around = {"sheet": name, "back": shown, "columns": sheet.columns, "rows": sheet.rows}
                yield {**around, "place": place, "card": f"{face.deck}/{face.card}", "copies": face.copies}
    for die in job.dice:
        job.step(die.name)
        files[die.picture_name] = die.sheet(job.fonts, job.grid.dpi, job.grid.max_px, TWO_ROWS)
        around = {"sheet": die.picture_name, "back": "", "columns": 3, "rows": 2}
        for place in range(1, len(die.sides) + 1):
            yield {**around, "place": place, "card": f"{die.face.deck}/{die.face.card}", "copies": die.face.copies}


def single_files(job: TableJob) -> MadeFiles:
    """Return a folder of pictures for each deck, and `cards.csv` with the copies of each card."""
    files: Files = {}
    rows: list[tuple[object, ...]] = []
    for deck in job.decks:
        job.step(deck.name)
        frames = {f"{deck.name}/{face.card}-front.png": face.front for face in deck.faces}
        for face in deck.faces:
            front, back = f"{deck.name}/{face.card}-front.png", ""
            if face.back is not None:
                back = f"{deck.name}/{'back' if deck.has_one_back else f'{face.card}-back'}.png"
                frames[back] = face.back
            rows.append((front, back, f"{face.deck}/{face.card}", face.copies))
        longest_mm = max(deck.faces[0].front.trim)
        dpi = min(job.grid.dpi, (job.grid.max_px - 1) / longest_mm * MM_PER_INCH)
        files |= {name: face_file(deck.laid_out, frame, dpi) for name, frame in frames.items()}
    for die in job.dice:
        job.step(die.name)
        for side, picture in enumerate(die.pictures(job.fonts, job.grid.dpi, job.grid.max_px), 1):
            name = f"{die.name}/side-{side}.png"
            files[name] = quick_png(picture, job.grid.dpi)
            rows.append((name, "", f"{die.face.deck}/{die.face.card}", die.face.copies))
    files["cards.csv"] = _csv(("front", "back", "card", "copies"), rows)
    return MadeFiles(files, {"dpi": round(job.grid.dpi, 2)})


def _csv(names: Sequence[str], rows: Iterable[Iterable[object]]) -> bytes:
    listed = io.StringIO()
    csv.writer(listed, lineterminator="\n").writerows([names, *rows])
    return listed.getvalue().encode()


_CUBE = "StaticMesh'/Game/Meshes/Dice/Dice_D6.Dice_D6'"
# Of each side of a die: its column and row on the texture, and where it looks.
_SIDES = (
    ((1, 0), (0, 0, 1)), ((0, 1), (-1, 0, 0)), ((1, 1), (0, 1, 0)),
    ((1, 2), (0, -1, 0)), ((0, 2), (1, 0, 0)), ((2, 1), (0, 0, -1)),
)  # fmt: skip
_THICK_CM = {TableThing.CARD: 0.05, TableThing.TOKEN: 0.2, TableThing.BOARD: 0.2}
_ONE_BACK, _OWN_BACKS, _HIDDEN_IS_BACK = -2, -3, -3


def playground_files(job: TableJob) -> MadeFiles:
    """Return the package of a game in a folder of its name."""
    game, grid = job.game, job.grid
    manifest = {"Name": game.title, "Version": game.version, "GUID": _guid(game.id)}
    files: Files = {f"{game.id}/Manifest.json": _json(manifest)}
    for deck in job.decks:
        job.step(deck.name)
        for sheet, _, back in painted_sheets(deck, grid, grid.places, files, f"{game.id}/Textures/"):
            template = _template(game, deck, sheet, back)
            files[f"{game.id}/Templates/{template['GUID']}Card.json"] = _json(template)
    for die in job.dice:
        job.step(die.name)
        places = [place for place, _ in _SIDES]
        files[f"{game.id}/Textures/{die.picture_name}"] = die.sheet(job.fonts, grid.dpi, grid.max_px, places)
        template = _die(game, die)
        files[f"{game.id}/Templates/{template['GUID']}Dice.json"] = _json(template)
    return MadeFiles(files, {"max_px": grid.max_px})


def _die(game: Game, die: TableDie) -> dict[str, Any]:
    nowhere, whole = dict.fromkeys("XYZ", 0), dict.fromkeys("XYZ", 1)
    model = {"Model": _CUBE, "Offset": nowhere, "Scale": whole, "Rotation": nowhere, "Texture": die.picture_name}
    looks = {"NormalMap": "", "ExtraMap": "", "ExtraMap2": "", "IsTransparent": False, "CastShadow": True}
    faces = [dict(zip("XYZ", out, strict=True)) for _, out in _SIDES]
    return {
        "Type": "Dice",
        "GUID": _guid(game.id, die.name),
        "Name": die.deck.title,
        "Metadata": "",
        "CollisionType": "Regular",
        "SurfaceType": "Plastic",
        "Models": [{**model, **looks, "IsTwoSided": False, "UseOverrides": True, "SurfaceType": "Plastic"}],
        "Collision": [],
        "SnapPoints": [],
        "Tags": [],
        "Faces": [{**out, "Name": said, "Metadata": ""} for out, said in zip(faces, die.sides, strict=True)],
    }


def _template(game: Game, deck: TableDeck, sheet: SpriteSheet, back: str) -> dict[str, Any]:
    places = {face.card: place for place, face in enumerate(sheet.faces)}
    words, trim = deck.words(game), sheet.faces[0].front.trim
    number = sheet.name.removeprefix(deck.name).removeprefix("-")
    return {
        "Type": "Card",
        "GUID": _guid(game.id, sheet.name),
        "Name": " ".join(filter(None, (deck.deck.title, number))),
        "Metadata": "",
        "CollisionType": "Regular",
        "SurfaceType": "Cardboard",
        "Models": [],
        "Collision": [],
        "SnapPoints": [],
        "Tags": [],
        "FrontTexture": f"{sheet.name}-fronts.png",
        "BackTexture": back,
        "HiddenTexture": "",
        "BackIndex": _ONE_BACK if deck.has_one_back else _OWN_BACKS,
        "HiddenIndex": _HIDDEN_IS_BACK,
        "NumHorizontal": sheet.columns,
        "NumVertical": sheet.rows,
        "Width": round(trim.width_mm / 10, 3),
        "Height": round(trim.height_mm / 10, 3),
        "Thickness": _THICK_CM[deck.thing],
        "Model": _model(sheet.faces[0].format),
        "HiddenInHand": deck.thing is TableThing.CARD,
        "CanStack": deck.thing is not TableThing.BOARD,
        "Indices": [places[face.card] for face in sheet.faces for _ in range(face.copies)],
        "CardNames": {str(places[card]): words[card][0] for card in places},
        "CardMetadata": {str(places[card]): words[card][1] for card in places if words[card][1]},
        "CardTags": {},
    }


def _model(format_: Format) -> str:
    if format_.is_round or format_.is_hex:
        return "Round" if format_.is_round else "Hexagonal"
    return "Rounded" if format_.corner_mm else "Square"


def _guid(*words: str) -> str:
    """Return 32 digits, always the same for the same words."""
    return hashlib.sha256("/".join(words).encode()).hexdigest()[:32].upper()


def _json(data: object) -> bytes:
    return (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode()
