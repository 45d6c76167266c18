"""What every face of the bundled games is, to the last digit: the same under each Python, and as it was released.

After a change of words or looks, `pytest tests/games/test_frames.py --update-golden` writes `frames` anew; the
difference names the pieces that look different, and belongs to the commit.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from itertools import product
from pathlib import Path

import pytest

from duckpress.core.backs import INKS
from duckpress.core.frame import Frame
from duckpress.files.workspace import Workspace
from duckpress.layout import LaidOut
from duckpress.press.reading import Loaded, load, translate
from duckpress.press.request import Built
from duckpress.press.typesetting import TypesetTask, typeset
from duckpress.text.fonts import FontLibrary

FRAMES = Path(__file__).parent / "frames"
GAMES = Workspace(Path(__file__).resolve().parent.parent.parent).games()
CASES = list(product(sorted(GAMES, key=lambda id_: id_ != "duck-pens"), INKS))  # the least work first


def line(*names: str, frames: Iterable[Frame | None]) -> str:
    hashes = [frame.hash if frame is not None else "-" for frame in frames]
    return f"{' '.join(names)}: {len(hashes)} {hashlib.sha256(' '.join(hashes).encode()).hexdigest()[:16]}\n"


def lines_of(workspace: Workspace, loaded: Loaded, ink: str, made: Iterable[LaidOut] = ()) -> Iterator[str]:
    """Yield a line for each piece and language, and for each paper of a piece that is read; some are laid out."""
    assert loaded.game is not None
    by_id = {one.piece.id: one for one in made}
    for language in (language.code for language in loaded.game.languages):
        game, _ = translate(workspace, loaded.game, language)
        pieces = [piece for piece in game.pieces if game.dealt_to(piece) is None]
        asked = [piece for piece in pieces if piece.id not in by_id]
        fonts = FontLibrary(workspace)
        task = TypesetTask(workspace, game, fonts, asked, language=language, ink=ink, frames=loaded.frames)
        for one in (*typeset(task).pieces, *by_id.values()):
            if one.faces:
                sides = (side for face in one.faces for side in (face.front, face.back))
                yield line(language, ink, one.piece.id, frames=sides)
            for paper, pages in one.pages.items():
                yield line(language, ink, one.piece.id, paper, frames=pages)


@pytest.mark.sweep(len(CASES))
@pytest.mark.parametrize(("game_id", "ink"), CASES)
def test_every_frame_is_as_it_was(
    game_id: str, ink: str, project: Workspace, whole: Callable[[str], Built], golden: Callable[[Path, str], None]
) -> None:
    built = whole(game_id) if (game_id, ink) == CASES[0] else None  # in one language
    lines = lines_of(project, load(project, game_id), ink, built.checked.pieces if built is not None else ())
    golden(FRAMES / f"{game_id}-{ink}.txt", "".join(sorted(lines)))


def test_a_line_tells_frames_apart() -> None:
    one, other = (Frame((10.0, 10.0), 0.0, ()), Frame((10.0, 10.000000000000002), 0.0, ()))  # type: ignore[arg-type]
    assert line("en", frames=[one, None]) == line("en", frames=[one, None])
    assert len({line("en", frames=some) for some in ([one, None], [other, None], [one], [None, one])}) == 4


def test_no_lines_are_left_of_a_game_that_is_gone() -> None:
    assert {path.stem for path in FRAMES.iterdir()} == {"-".join(case) for case in CASES}
