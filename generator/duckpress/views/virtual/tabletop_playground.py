"""Decks -> a package for Tabletop Playground: a manifest, a template for each deck, and textures.

Sources: templates that the program's editor wrote, and the published JSON schemas of its packages. A texture has at
most 8192 pixels a side and 10 x 10 places. `BackIndex` -2 is one back for all, -3 a texture of backs; `HiddenIndex` -3
shows the back to who must not see the front. Copies repeat in `Indices`. Sizes are in centimetres. A die is the
program's own cube, whose texture has three rows of three places, and says what each direction reads.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from duckpress.art.quick_png import quick_png
from duckpress.core.sizes import Format
from duckpress.model import Game
from duckpress.views.export_files import Files
from duckpress.views.virtual.sprites import SpriteSheet, back_name, backs, fronts, sprite_sheets
from duckpress.views.virtual.table_decks import TableDeck, TableThing
from duckpress.views.virtual.table_dice import TableDie, sheet_of
from duckpress.views.virtual.table_job import TableJob

_CUBE = "StaticMesh'/Game/Meshes/Dice/Dice_D6.Dice_D6'"
# Of each side of a die: its column and row on the texture, and where it looks.
_SIDES = (
    ((1, 0), (0, 0, 1)), ((0, 1), (-1, 0, 0)), ((1, 1), (0, 1, 0)),
    ((1, 2), (0, -1, 0)), ((0, 2), (1, 0, 0)), ((2, 1), (0, 0, -1)),
)  # fmt: skip
_THICK_CM = {TableThing.CARD: 0.05, TableThing.TOKEN: 0.2, TableThing.BOARD: 0.2}
_ONE_BACK, _OWN_BACKS, _HIDDEN_IS_BACK = -2, -3, -3


def playground_files(job: TableJob) -> tuple[Files, dict[str, Any]]:
    """Return the package of a game in a folder of its name."""
    game, grid = job.game, job.grid
    manifest = {"Name": game.title, "Version": game.version, "GUID": _guid(game.id)}
    files: Files = {f"{game.id}/Manifest.json": _json(manifest)}
    for deck in job.decks:
        job.step(deck.name)
        for sheet in sprite_sheets(deck, grid, grid.columns * grid.rows):
            back = back_name(deck, sheet)
            files[f"{game.id}/Textures/{sheet.name}-fronts.png"] = fronts(deck, sheet)
            if f"{game.id}/Textures/{back}" not in files:
                files[f"{game.id}/Textures/{back}"] = backs(deck, sheet)
            template = _template(game, deck, sheet, back)
            files[f"{game.id}/Templates/{template['GUID']}Card.json"] = _json(template)
    for die in job.dice:
        job.step(die.name)
        sides = sheet_of(die.pictures(job.fonts, grid.dpi, grid.max_px), [place for place, _ in _SIDES])
        files[f"{game.id}/Textures/{die.picture_name}"] = quick_png(sides, grid.dpi)
        template = _die(game, die)
        files[f"{game.id}/Templates/{template['GUID']}Dice.json"] = _json(template)
    return files, {"max_px": grid.max_px}


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
    """Return 32 digits that are the same for the same thing of the same game."""
    return hashlib.sha256("/".join(words).encode()).hexdigest()[:32].upper()


def _json(data: object) -> bytes:
    return (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode()
