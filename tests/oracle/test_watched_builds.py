"""Whole builds, watched: whatever is laid out and printed of any game, in any way, is what was asked for."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from duckpress.core.backs import Backs
from duckpress.core.printer_profile import Margins, Printer
from duckpress.core.sizes import FORMATS, PAPERS, SLEEVES
from duckpress.files.workspace import Workspace, bundled_root
from duckpress.press.pipeline import build
from duckpress.press.reading import load
from duckpress.press.request import Built, CopyMark, Request
from oracle import watching
from oracle.sheets import room
from oracle.watching import watch
from profiles import examples

ROOT = Path(__file__).resolve().parents[2]
GAMES = ("everything", "duck-pens", "ducks-in-a-row", "blind-mans-draft", "canardage", "duck-blind")
"""The least work first."""

PRINTER = Printer("drifting", 0.8, -0.6, 0.995, 1.004, Margins(6.0, 4.0, 9.0, 5.0))
COPY = CopyMark(3, 12, "Änne O'Duck")
MANNERS: Mapping[str, Mapping[str, Any]] = {
    "gutterfold": {"papers": ("letter",), "backs": Backs.GUTTERFOLD, "cut": "lines", "ink": "low"},
    "short": {"papers": ("a4", "a3"), "turn": "short", "gaps": "always", "ink": "grey", "has_cover": True},
    "fronts": {"papers": ("a5", "legal"), "backs": Backs.NONE, "cut": "none", "finish": "prototype"},
    "backs": {"papers": ("a4", "tabloid"), "backs": Backs.ONLY, "gaps": "never", "finish": "clean"},
    "copy": {"papers": ("letter", "320x450mm"), "copy": COPY, "is_ganged": True, "cut": "lines"},
    "printer": {"papers": ("a4", "photo-8x10"), "printer": PRINTER, "turn": "short"},
    "folded": {"papers": ("a4",), "backs": Backs.GUTTERFOLD, "printer": PRINTER, "turn": "short", "copy": COPY},
    "sleeved": {"papers": ("letter",), "sleeve": SLEEVES["standard"], "is_scaled_for_sleeve": True, "ink": "grey"},
    "translated": {"papers": ("a4", "letter"), "language": "other", "prints_cuts": False, "has_cover": True},
    "dealt": {"papers": ("a4",), "seed": "7", "is_ganged": True, "has_cover": False},
}
FITTING = {"a5": ("everything",), "photo-8x10": ("everything", "ducks-in-a-row", "canardage")}
"""The games of which every card fits a small paper."""
OTHER_LANGUAGES = {"canardage": "en", "duck-blind": "fr"}


class Watched:
    """A build that the oracles have watched."""

    def __init__(self, workspace: Workspace, game: str, request: Request, out: Path) -> None:
        self.looked_at: list[bytes] = []
        with pytest.MonkeyPatch.context() as patch:
            watch(patch.setattr)
            patch.setattr(watching, "read_file", self._reader(watching.read_file))
            self.built: Built = build(workspace, load(workspace, game), request, out)

    def _reader(self, read_file: Any) -> Any:
        def read(pdf: bytes, *others: Any) -> Any:
            self.looked_at.append(pdf)
            return read_file(pdf, *others)

        return read

    def faults(self) -> list[str]:
        """Return what the proof and the oracles have found, and the files that nobody has looked at."""
        found = [str(one) for one in self.built.checked.problems if one.code.startswith("proof")]
        files = [self.built.folder / name for name in self.built.files if name.endswith(".pdf")]
        return found + [path.name for path in files if path.read_bytes() not in self.looked_at]


def workspace_of(game: str, folder: Path) -> Workspace:
    """Return where a game is: with the bundled ones, or in a folder, for the one that has something of everything."""
    if game != "everything":
        return Workspace(ROOT)
    shutil.copytree(ROOT / "tests/proof/mutants/game", folder / "content" / game)
    return Workspace(folder, bundled_root())


@pytest.mark.sweep(60)
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("manner", MANNERS)
def test_known_games_are_right_however_they_are_printed(manner: str, game: str, tmp_path: Path) -> None:
    asked = dict(MANNERS[manner])
    asked["papers"] = tuple(paper for paper in asked["papers"] if game in FITTING.get(paper, GAMES))
    if "language" in asked:
        asked["language"] = OTHER_LANGUAGES.get(game)
    watched = Watched(workspace_of(game, tmp_path), game, Request(**asked), tmp_path / "output")
    assert watched.faults() == []
    assert watched.built.files


def test_what_sheets_say_otherwise_is_found_in_a_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    claims = watching.expected_sheets
    monkeypatch.setattr(watching, "expected_sheets", lambda *of: claims(*of)._replace(version="0.2"))
    monkeypatch.setattr(room, "_ASCENT", 20.0)
    request = Request(("a4",), pieces=("cards",))
    built = Watched(workspace_of("everything", tmp_path), "everything", request, tmp_path / "output").built
    assert {"proof-footer", "proof-code", "proof-room"} <= {problem.code for problem in built.checked.problems}
    assert not built.files


FACE = """<face>
  <ground fill="{{ card.colour }}"/>
  <polygon points="3,3 {{ trim.width / 2 }},4 4,{{ trim.height / 2 }}" fill="ink" opacity="0.5"/>
  <g transform="rotate(90 {{ trim.width / 3 }} {{ trim.height / 3 }})" opacity="0.6">
    <rect x="{{ trim.width / 3 }}" y="{{ trim.height / 3 }}" width="6" height="4" stroke="ink" stroke-width="0.3"
      stroke-dasharray="1 0.5"/>
  </g>
  {% if trim.width > 40 and trim.height > 40 %}
  <text x="4" y="{{ trim.height / 2 }}" width="{{ trim.width - 8 }}" height="10" min="4">SIDE {{ card.name }}</text>
  {% endif %}
  <circle cx="{{ trim.width / 2 }}" cy="{{ trim.height / 2 }}" r="{{ 1 + card.number / 2 }}" fill="line"/>
</face>
"""
RULES = (
    "# Play\n\nOn your turn:\n\n1. **Take** a card.\n2. *Play* a card – or two.\n\n## The end\n\nIt ends. "
    + "Go on. " * 60
)
_COLOURS = ("#ffe070", "#90e090", "#ff9ac8", "#90c8ff", "#303030")
_NAMES = {"en": ("Duck", "Moor hen"), "fr": ("L’oie", "Canard : été"), "de": ("Gänse", "Größe")}

_OWN_SIZES = st.tuples(
    st.integers(200, 1800), st.integers(200, 2400), st.sampled_from(["0mm", "1.5mm", "3.175mm"])
).map(lambda size: f"{{width: {size[0] / 10}mm, height: {size[1] / 10}mm, bleed: {size[2]}, corner: 0mm}}")
_SIZES = st.one_of(st.sampled_from(sorted(FORMATS)), _OWN_SIZES)


@st.composite
def any_games(draw: st.DrawFn) -> Mapping[str, str]:
    """Return the files of a game `any`, by their paths."""
    language = draw(st.sampled_from(sorted(_NAMES)))
    decks = [f"deck-{at}" for at in range(draw(st.integers(1, 3)))]
    files = {f"decks/{deck}.yaml": _deck(draw, deck, draw(_SIZES), _NAMES[language]) for deck in decks}
    if draw(st.booleans()):
        width, height = draw(st.integers(150, 450)), draw(st.integers(150, 450))
        size = f"{{width: {width}mm, height: {height}mm, bleed: 0mm, corner: 0mm}}\ntiled: yes"
        files["boards/board.yaml"] = _deck(draw, "board", size, _NAMES[language], most=1)
        decks.append("board")
    at = draw(st.integers(1, len(decks)))
    pieces = [decks[:at], *([decks[at:]] if decks[at:] else [])]
    listed = "".join(f"  - {{id: p{n}, title: Piece {n}, decks: [{', '.join(ids)}]}}\n" for n, ids in enumerate(pieces))
    if draw(st.booleans()):
        files["rules.md"] = RULES
    files["game.yaml"] = (
        f"title: {draw(st.sampled_from(_NAMES[language]))!r}\nversion: '1.{draw(st.integers(0, 12))}'\n"
        f"designer: Nobody\nplayers: 2\nlanguages: [{language}]\ntheme: any\npieces:\n{listed}"
        f"booklet: {draw(st.sampled_from(['yes', 'no']))}\ncover: {draw(st.sampled_from(['yes', 'no']))}\n"
    )
    files["theme.yaml"] = 'extends: base\ncolours: {paper: "#ffffff", ink: "#303030", line: "#888888"}\n'
    files |= {f"layouts/{side}.xml": FACE.replace("SIDE", side) for side in ("front", "back")}
    files["layouts/shared.xml"] = '<face><ground fill="line"/></face>'
    return {f"content/any/{path}": text for path, text in files.items()}


def _deck(draw: st.DrawFn, deck: str, size: str, names: tuple[str, ...], most: int = 4) -> str:
    back = draw(st.sampled_from(["", "back: back\n", "back: shared\n"]))
    cards = "".join(
        f"  - {{id: card-{at}, copies: {draw(st.integers(1, 5)) if most > 1 else 1}, number: {at}, "
        f'name: "{draw(st.sampled_from(names))}", colour: "{draw(st.sampled_from(_COLOURS))}"}}\n'
        for at in range(draw(st.integers(1, most)))
    )
    head = f"title: {deck}\nsize: {size}\nfront: front\n{back}"
    return f"{head}fields: {{number: whole, name: text, colour: text}}\ncards:\n{cards}"


REQUESTS = st.builds(
    Request,
    papers=st.sampled_from([*PAPERS, "320x450mm", "8x11in"]).map(lambda name: (name,)),
    backs=st.sampled_from(Backs),
    turn=st.sampled_from(["long", "short"]),
    gaps=st.sampled_from(["auto", "always", "never"]),
    cut=st.sampled_from(["marks", "lines", "none"]),
    prints_cuts=st.booleans(),
    ink=st.sampled_from(["color", "low", "grey"]),
    printer=st.sampled_from([None, None, PRINTER]),
    is_ganged=st.booleans(),
    sleeve=st.sampled_from([None, None, SLEEVES["standard"]]),
    is_scaled_for_sleeve=st.booleans(),
    finish=st.sampled_from([None, "clean", "prototype"]),
    has_cover=st.sampled_from([None, True, False]),
    copy=st.sampled_from([None, None, COPY]),
    is_forced=st.booleans(),
)


HEAD = (
    "fields: {number: whole, name: text, colour: text}\ncards: [{id: one, number: 1, name: Duck, colour: '#90c8ff'}]\n"
)
BACKLESS_BOARD = {
    "content/any/game.yaml": "title: Any\nversion: '1.0'\ndesigner: Nobody\nplayers: 2\nlanguages: [en]\ntheme: base\n"
    "pieces: [{id: both, title: Both, decks: [card, board]}]\n",
    "content/any/decks/card.yaml": f"title: Cards\nsize: mini\nfront: face\nback: face\n{HEAD}",
    "content/any/boards/board.yaml": f"title: Board\nsize: {{width: 234mm, height: 271mm, bleed: 0mm, corner: 0mm}}\n"
    f"tiled: yes\nfront: face\n{HEAD}",
    "content/any/layouts/face.xml": "<face><ground fill='{{ card.colour }}'/></face>",
}


@pytest.mark.parametrize(("backs", "cut"), [(Backs.DUPLEX, "marks"), (Backs.ONLY, "none")])
def test_a_board_without_a_back_lies_among_cards_that_have_one(backs: str, cut: str) -> None:
    assert files_of(BACKLESS_BOARD, Request(("photo-13x18",), backs=backs, cut=cut))


@examples(4)
@given(any_games(), REQUESTS)
def test_any_game_is_right_however_it_is_printed(files: Mapping[str, str], request: Request) -> None:
    event(f"files: {'some' if files_of(files, request) else 'none'}")


def files_of(files: Mapping[str, str], request: Request) -> tuple[str, ...]:
    """Build the game `any` of some files, and return the files that it is printed as, once all of them are right."""
    with tempfile.TemporaryDirectory() as folder:
        for path, text in files.items():
            (Path(folder) / path).parent.mkdir(parents=True, exist_ok=True)
            (Path(folder) / path).write_text(text, encoding="utf-8")
        watched = Watched(Workspace(Path(folder), bundled_root()), "any", request, Path(folder) / "output")
        assert watched.faults() == []
        return watched.built.files
