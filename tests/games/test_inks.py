"""Every bundled game in every ink: it proves, little ink takes little, and greys hold no colour."""

from __future__ import annotations

import io
import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pikepdf
import pytest

from duckpress.core.backs import INKS
from duckpress.core.problems import Level
from duckpress.files.workspace import Workspace
from duckpress.layout.legibility import CODES
from duckpress.press.pipeline import build
from duckpress.press.reading import load
from duckpress.press.request import Built, Request
from duckpress.views.statistics import ink_coverage, total_coverage
from shared import with_faces

ROOT = Path(__file__).resolve().parent.parent.parent
GAMES = Workspace(ROOT).games()
DPI = 72
PAPERS = {"color": "a4", "low": "a4", "grey": "letter"}  # what is in all of them is on each
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


@pytest.fixture(scope="module", params=sorted(GAMES, key=lambda id_: id_ != "duck-pens"))  # the least work first
def editions(
    request: pytest.FixtureRequest,
    whole: Callable[[str], Built],
    run_folder: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> dict[str, Built]:
    """A game in every ink, one after the other in the same folder."""
    workspace, folder, colour = Workspace(ROOT), tmp_path_factory.mktemp("inks"), whole(request.param)
    shutil.copytree(colour.folder, folder / request.param)
    asked = {ink: Request((PAPERS[ink],), ink=ink, pieces=pieces_of(colour)) for ink in INKS[1:]}
    loaded = with_faces(run_folder, load(workspace, request.param))
    others = {ink: build(workspace, loaded, how, folder) for ink, how in asked.items()}
    return {"color": colour, **others}


def pieces_of(built: Built) -> tuple[str, ...]:
    """Return the pieces that everybody prints."""
    return tuple(one.piece.id for one in built.checked.pieces if one.piece.instead_of is None)


def pdf_of(editions: dict[str, Built], ink: str) -> bytes:
    """Return the file with a game's largest piece."""
    game, suffix = editions[ink].checked.game_id, "" if ink == "color" else f"-{ink}"
    return (editions[ink].folder / f"{game}-{LARGEST[game][0]}-{PAPERS[ink]}{suffix}.pdf").read_bytes()


@pytest.mark.soak
def test_every_ink_has_files_of_its_own(editions: dict[str, Built]) -> None:
    assert not any(one.checked.has_errors for one in editions.values())
    colour, folder = editions["color"], editions["grey"].folder
    names = {
        f"{colour.checked.game_id}-{piece}-{PAPERS[ink]}-{ink}.pdf" for ink in INKS[1:] for piece in pieces_of(colour)
    }
    assert {file.name for file in folder.glob("*.pdf")} == {*colour.files, *names}
    for name in colour.files:
        assert (folder / name).read_bytes() == (colour.folder / name).read_bytes()
    manifest = json.loads((folder / "manifest.json").read_text())
    assert {entry["ink"] for entry in manifest["files"]} == set(INKS)


@pytest.mark.soak
def test_little_ink_is_little(editions: dict[str, Built]) -> None:
    low, colour = (total_coverage(ink_coverage(pdf_of(editions, ink), DPI)).full_pages for ink in ("low", "color"))
    assert low < LARGEST[editions["low"].checked.game_id][1] * colour


@pytest.mark.soak
def test_greys_hold_no_colour(editions: dict[str, Built]) -> None:
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
    """Return a content stream without the names and strings in it."""
    return re.sub(rb"<[0-9A-Fa-f\s]*>|\((?:\\.|[^\\()])*\)|/[\w.#-]+", b" ", data)


@pytest.mark.soak
def test_everything_can_be_read_in_every_ink(editions: dict[str, Built]) -> None:
    problems = [problem for ink in INKS for problem in editions[ink].checked.problems]
    found = [problem for problem in problems if problem.code in CODES and problem.level is not Level.NOTE]
    assert [str(problem) for problem in found] == []
