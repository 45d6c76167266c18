"""Every bundled game in every ink: it proves, little ink takes little, and greys hold no colour."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pikepdf
import pytest

from duckpress.build import Built, Request, build, load
from duckpress.build.checking import typeset
from duckpress.fonts import FontLibrary
from duckpress.inks import INKS
from duckpress.legibility import CODES
from duckpress.problems import Level
from duckpress.proof.coverage import ink_coverage, total_coverage
from duckpress.workspace import Workspace

ROOT = Path(__file__).resolve().parent.parent.parent
GAMES = Workspace(ROOT).games()
DPI = 72
# What the low edition may take of the colour edition's ink, by the game's largest piece. Duck Pens is drawn with pens
# on light paper in colour already, so that there is less to save.
LARGEST = {
    "blind-mans-draft": ("cards", 0.18),
    "canardage": ("actions", 0.2),
    "duck-blind": ("blinds", 0.2),
    "duck-pens": ("automa", 0.3),
    "ducks-in-a-row": ("cards", 0.22),
}
_COLOUR = re.compile(rb"(?<![\w.])([\d.]+) ([\d.]+) ([\d.]+) (?:rg|RG)\b")


@pytest.fixture(scope="module", params=LARGEST)
def editions(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, dict[str, Built]]:
    """A game's largest piece in every ink, one after the other in the same folder."""
    workspace, folder = Workspace(ROOT), tmp_path_factory.mktemp("inks")
    piece = LARGEST[request.param][0]
    asked = {ink: Request(("a4",), ink=ink, pieces=(piece,)) for ink in INKS}
    return request.param, {
        ink: build(workspace, load(workspace, request.param), how, folder) for ink, how in asked.items()
    }


def pdf_of(editions: tuple[str, dict[str, Built]], ink: str) -> bytes:
    game, built = editions
    suffix = "" if ink == "color" else f"-{ink}"
    return (built[ink].folder / f"{game}-{LARGEST[game][0]}-a4{suffix}.pdf").read_bytes()


def test_every_ink_has_files_of_its_own(editions: tuple[str, dict[str, Built]]) -> None:
    game, built = editions
    assert not any(one.checked.has_errors for one in built.values())
    piece = LARGEST[game][0]
    names = {f"{game}-{piece}-a4{suffix}.pdf" for suffix in ("", "-low", "-grey")}
    folder = built["grey"].folder
    assert {file.name for file in folder.glob("*.pdf")} == names
    manifest = json.loads((folder / "manifest.json").read_text())
    assert {entry["ink"] for entry in manifest["files"]} == set(INKS)


def test_little_ink_is_little(editions: tuple[str, dict[str, Built]]) -> None:
    low, colour = (total_coverage(ink_coverage(pdf_of(editions, ink), DPI)).full_pages for ink in ("low", "color"))
    assert low < LARGEST[editions[0]][1] * colour


def test_greys_hold_no_colour(editions: tuple[str, dict[str, Built]]) -> None:
    with pikepdf.open(io.BytesIO(pdf_of(editions, "grey"))) as pdf:
        streams = list(painting(pdf))
    colours = [tuple(found) for data in streams for found in _COLOUR.findall(data)]
    assert len(set(colours)) > 3
    assert [colour for colour in colours if len(set(map(float, colour))) > 1] == []
    assert not any(re.search(rb"(?<![\w.])(?:k|K|sc|SC|scn|SCN|cs|CS)\b", without_words(data)) for data in streams)


def painting(pdf: pikepdf.Pdf) -> Iterator[bytes]:
    """Yield the contents of all pages and forms."""
    for page in pdf.pages:
        page.contents_coalesce()
        yield page.Contents.read_bytes()
    for thing in pdf.objects:
        if isinstance(thing, pikepdf.Stream) and thing.get("/Subtype") == "/Form":
            yield thing.read_bytes()
        is_image = isinstance(thing, pikepdf.Stream) and thing.get("/Subtype") == "/Image"
        assert not is_image, "a game with pictures needs a look at their pixels here"


def without_words(data: bytes) -> bytes:
    """Give a content stream without the names and strings in it."""
    return re.sub(rb"<[0-9A-Fa-f\s]*>|\((?:\\.|[^\\()])*\)|/[\w.#-]+", b" ", data)


@pytest.mark.parametrize("ink", ["low", "grey"])  # in colour, `test_whole_games` looks
@pytest.mark.parametrize("game_id", GAMES)
def test_everything_can_be_read_with_little_ink_and_in_grey(game_id: str, ink: str) -> None:
    workspace = Workspace(ROOT)
    game = load(workspace, game_id).game
    assert game is not None
    pieces = [piece for piece in game.pieces if game.dealt_to(piece) is None and piece.instead_of is None]
    _, problems = typeset(workspace, game, FontLibrary(workspace), pieces, players=None, ink=ink)
    found = [problem for problem in problems if problem.code in CODES and problem.level is not Level.NOTE]
    assert [str(problem) for problem in found] == []
