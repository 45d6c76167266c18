"""Every bundled game from its files to proven PDFs, and what independent readers say of them; its rules on paper."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from crews import UseWorkers, shown
from duckpress.core.frame import Frame, Outline, Text
from duckpress.core.problems import Level
from duckpress.files.workspace import Workspace
from duckpress.press.pipeline import build
from duckpress.press.reading import load
from duckpress.press.request import Built
from shared import request_of

ROOT = Path(__file__).resolve().parent.parent.parent
GAMES = Workspace(ROOT).games()

# True findings that stay visible: (code, players).
STANDING = {"duck-blind": [("expectation", 3), ("expectation", 5)]}


@pytest.fixture(scope="module", params=GAMES)
def built(request: pytest.FixtureRequest, whole: Callable[[str], Built]) -> Built:
    return whole(request.param)


def test_all_pieces_are_printed_and_nothing_is_wrong(built: Built) -> None:
    game = built.checked.game
    assert game is not None
    found = [problem for problem in built.checked.problems if problem.level is not Level.NOTE]
    assert [(problem.code, problem.players) for problem in found] == STANDING.get(game.id, [])
    pieces = [*(piece.id for piece in game.chosen_pieces() if game.dealt_to(piece) is None), "all"]
    papers = request_of(game.id).papers
    assert set(built.files) == {f"{game.id}-{piece}-{paper}.pdf" for piece in pieces for paper in papers}
    page = (ROOT / "output" / "README.md").read_text(encoding="utf-8")
    row = next(line for line in page.splitlines() if line.startswith(f"| `{game.id}/` |"))
    assert game.title in row
    assert all(f"`<game>/<game>-all-{paper}.pdf`" in page for paper in papers)


def test_every_card_is_listed_and_has_its_place_in_a_box(built: Built) -> None:
    game = built.checked.game
    assert game is not None
    counts: Counter[tuple[str, str]] = Counter()
    for card in json.loads((built.folder / "manifest.json").read_text())["cards"]:
        counts[card["piece"], card["deck"]] += card["copies"]
    for piece in game.pieces:
        for name in piece.decks:
            deck = game.decks[name]
            assert counts[piece.id, name] == deck.count * (max(game.players) if deck.is_per_player else 1), name
    held = [deck for box in game.decks.values() if box.box is not None for deck, _ in box.box.holds]
    assert sorted(held) == sorted(id_ for id_, one in game.decks.items() if one.is_component and one.format == "poker")
    assert game.packaging <= {deck for piece in game.chosen_pieces() for deck in piece.decks}


@pytest.mark.soak
def test_a_build_elsewhere_by_workers_gives_the_same_bytes(
    built: Built, use_workers: UseWorkers, tmp_path: Path
) -> None:
    """Two builds in two folders, one laid out by the process itself and one by workers, a few cards at a time."""
    copy = tmp_path / "elsewhere"
    for room in (f"content/{built.checked.game_id}", "layouts", "fonts"):
        shutil.copytree(ROOT / room, copy / room)
    workspace = Workspace(copy)
    use_workers(3, at_once=5)
    game_id = built.checked.game_id
    again = build(workspace, load(workspace, game_id), request_of(game_id), tmp_path / "there")
    assert again.checked.problems == built.checked.problems
    assert list(map(shown, again.checked.pieces)) == list(map(shown, built.checked.pieces))
    for name in (*built.files, "manifest.json"):
        assert (again.folder / name).read_bytes() == (built.folder / name).read_bytes(), name


@pytest.mark.sweep(5)
@pytest.mark.parametrize(
    "command",
    [
        ["gs", "-q", "-dNOPAUSE", "-dBATCH", "-dSAFER", "-dPDFSTOPONERROR", "-sDEVICE=nullpage"],
        ["qpdf", "--check"],
        ["pdftoppm", "-r", "20", "-gray"],
        ["pdffonts"],
    ],
    ids=lambda command: command[0],
)
def test_other_readers_find_nothing_wrong(built: Built, command: list[str], tmp_path: Path) -> None:
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    target = [str(tmp_path / "page")] if command[0] == "pdftoppm" else []
    line = [*command, str(built.folder / f"{built.checked.game_id}-all-a4.pdf"), *target]
    done = subprocess.run(line, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert not done.stderr.strip(), done.stderr
    if command == ["pdffonts"]:
        rows = done.stdout.splitlines()[2:]
        assert rows
        assert all(row.split()[-5:-2] == ["yes", "yes", "yes"] for row in rows), done.stdout


def words_above(page: Frame) -> tuple[float, float]:
    """Return how far down the words of a page's columns reach, and where those of its footer begin."""
    at = max(number for number, item in enumerate(page.items) if isinstance(item, Outline))
    words = [item.y_mm for item in page.items[:at] if isinstance(item, Text)]
    footer = [item for item in page.items[at + 1 :] if isinstance(item, Text)]
    return max(words, default=0.0), min(item.y_mm - item.size_mm for item in footer)


def test_no_words_come_near_a_footer(built: Built) -> None:
    pages = [page for one in built.checked.pieces for frames in one.pages.values() for page in frames]
    assert pages
    assert all(words < footer - 2.0 for words, footer in map(words_above, pages))
