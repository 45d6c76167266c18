"""Workers: forked or started afresh, any number of them gives what this process would have made itself.

That they do for every bundled game shows `tests/games/test_whole_games.py`.
"""

from __future__ import annotations

import os
from typing import Any

import pytest

from crews import METHODS, UseWorkers, shown
from duckpress.core.frame import Frame
from duckpress.files.memo import Memo
from duckpress.files.recording import RecordingWorkspace
from duckpress.files.workspace import Workspace
from duckpress.layout import LaidOut
from duckpress.pool import Done, ProcessPool, Work
from duckpress.press.build_cache import BuildCache
from duckpress.press.reading import load
from duckpress.press.typesetting import TypesetTask, typeset
from duckpress.store.cache import Cache
from duckpress.text.fonts import FontLibrary
from kinds import FILES, KINDS, MakeWorkspace, lay_out
from running import write_files


@pytest.fixture
def workspace(make_workspace: MakeWorkspace) -> Workspace:
    return make_workspace(FILES)


def assert_true_hashes(one: LaidOut) -> None:
    """Expect that frames are what their hashes say, which come with them."""
    for frame in (frame for face in one.faces for frame in (face.front, face.back) if frame is not None):
        assert Frame(frame.trim, frame.bleed_mm, frame.items).hash == frame.hash


@pytest.mark.sweep(6)
@pytest.mark.parametrize(
    ("jobs", "method"), [(1, METHODS[0]), (2, METHODS[0]), (len(KINDS) + 2, METHODS[0]), (2, METHODS[-1])]
)
def test_workers_give_what_this_process_would(
    use_workers: UseWorkers, jobs: int, method: str, workspace: Workspace
) -> None:
    _, here, problems = lay_out(workspace)
    use_workers(jobs, method)
    store = BuildCache(Memo(Cache(None, None), "program"))
    _, there, found = lay_out(workspace, store)
    assert (shown(there), found) == (shown(here), problems)
    assert store.laid_out == len(KINDS)
    assert_true_hashes(there)


def test_what_workers_asked_is_recorded_as_if_it_were_asked_here(use_workers: UseWorkers, workspace: Workspace) -> None:
    asked = []
    for jobs in (0, 2):
        recording = RecordingWorkspace(workspace)
        use_workers(jobs)
        lay_out(recording)
        asked.append(recording.answers)
    assert asked[0] == asked[1]
    assert any("icons/coin.svg" in question for question in asked[1])


# Everything that cards could tell each other through what a room remembers: a warning told once, a size that texts
# have in common over cards, a face that many cards have, an `ink` misread, art that is wrong, a text that shrinks.
TOGETHER = """
<face>
  <text x="5" y="5" width="40" height="6" together="names" size="14" min="4">{{ card.text }}</text>
  <text x="5" y="20" width="20" height="5" style="body" min="4">{{ card.text }} again</text>
  {% if card.copies > 1 %}<rect x="80" y="4" width="20" height="4" fill="ink"/>{% endif %}
  {% if card.text|length < 20 %}<circle cx="31" cy="60" r="31" fill="nosuch"/>{% endif %}
  <rect ink="sepia" x="1" y="70" width="2" height="2" fill="ink"/>
  {% if card.text|length > 12 %}<image href="art/broken.svg" x="4" y="40" width="8" height="8"/>{% endif %}
  <text x="5" y="80" width="50" height="5" style="body">{{ game.version }}</text>
</face>
"""


def test_cards_tell_each_other_nothing(use_workers: UseWorkers, workspace: Workspace) -> None:
    files = {
        "layouts/face.xml": TOGETHER,
        "decks/kind.yaml": "title: Kinds\nsize: poker\nfront: face\nfields:\n  text: text\ncards:\n"
        + "".join(
            f"  - {{id: card-{number}, text: {'teal ' * (number % 5 + 1)}, copies: {number % 3 + 1}}}\n"
            for number in range(14)
        ),
        "art/broken.svg": "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'><filter id='f'>"
        "<feGaussianBlur stdDeviation='1'/></filter><rect filter='url(#f)' width='9' height='9'/></svg>",
    }
    write_files(workspace.root / "content/kinds", files)
    made = []
    for jobs, at_once in ((0, 50), (1, 3), (3, 2)):
        use_workers(jobs, at_once=at_once)
        _, one, problems = lay_out(workspace)
        made.append((shown(one), problems))
        assert_true_hashes(one)
    assert all(one == made[0] for one in made[1:])
    codes = {problem.code for problem in made[0][1]}
    assert {"unknown-colour", "bad-choice", "drawing-as-picture", "outside-bleed"} <= codes, codes
    assert made[0][0][4]  # texts shrank


@pytest.mark.sweep(2)
@pytest.mark.parametrize("method", METHODS)
def test_a_piece_alone_is_set_in_common_sizes_by_workers_too(
    use_workers: UseWorkers, method: str, project: Workspace
) -> None:
    """Its last deck has to be laid out once more, in the sizes that its cards have in common, when nobody has work."""
    game = load(project, "duck-pens").game
    assert game is not None
    (aids,) = (one for one in game.pieces if one.id == "aids")

    def made() -> list[tuple[object, ...]]:
        return [shown(one) for one in typeset(TypesetTask(project, game, FontLibrary(project), [aids])).pieces]

    here = made()
    use_workers(2, method)
    assert made() == here


@pytest.mark.skipif(os.name != "posix", reason="other systems have other groups")
def test_ctrl_c_is_not_for_workers_that_start_afresh() -> None:
    """A terminal sends it to the whole group of the program; while Python starts, a worker would tell of it."""
    with ProcessPool(Work(_group, None, bytes, bytes), 1, method=METHODS[-1]) as pool:
        pool.add([b"which?"])
        (done,) = pool.events()
    assert isinstance(done, Done)
    assert done.result != str(os.getpgrp()).encode()


def _group(_given: Any) -> Any:
    return lambda _task, _note: str(os.getpgrp()).encode()
