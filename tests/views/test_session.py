"""A session answers whatever a page asks for, and goes on where that cannot be made; its process ends with it."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from duckpress.core import limits
from duckpress.files.memo import Memo
from duckpress.pool.messages import received, send, written
from duckpress.press.build_cache import BuildCache
from duckpress.store.cache import Cache
from duckpress.views.export_files import ExportRequest
from duckpress.views.live.session import LiveSession, serve
from duckpress.views.live.web_process import Begin, Begun, Stocked
from kit.page_game import ducks
from running import MakeWorkspace

FILES = {
    **ducks(
        "{for: {n: 1-60}, id: 'd{{ n }}', copies: 9, name: 'Duck {{ n }}', v: '{{ n }}'}",
        "name: text, v: whole",
        "{id: cards, title: Cards, decks: [duck]}, {id: plan, title: Plan, decks: [plan]}",
    ),
    "decks/plan.yaml": "title: Plan\nsize: {width: 250mm, height: 340mm}\nfront: duck\nfields: {name: text}\n"
    "cards: [{id: p, name: Plan}]\n",
    # Whatever of the game a card asks for, it is told the truth.
    "layouts/duck.xml": '<face><text x="4" y="4" width="36" height="50">{{ card.name }} of {{ decks.duck.count }}'
    "</text></face>",
    "setup.yaml": "setup:\n  - pile: draw\n    take: {duck: {where: card.v > 0}}\n",
}


def session_of(
    make_workspace: MakeWorkspace, files: Mapping[str, str] = FILES, begun: list[Stocked] | None = None
) -> LiveSession:
    """Return a session of a game, which hands to `begun` what it begins with."""
    unreleased: Any = SimpleNamespace(names=())
    workspace = make_workspace({f"content/pond/{name}": text for name, text in files.items()})
    request, frames = ExportRequest("preview", dpi=40), BuildCache(Memo(Cache(None, None)))
    return LiveSession(workspace, "pond", request, frames, unreleased, {}, ([] if begun is None else begun).append)


@pytest.fixture
def session(make_workspace: MakeWorkspace) -> LiveSession:
    session = session_of(make_workspace)
    session.refresh()
    return session


def data_of(script: bytes | None) -> dict[str, Any]:
    """Return what a script of the page says."""
    assert script is not None
    data: dict[str, Any] = json.loads(script.decode().partition(", ")[2].rpartition(");\n(duckpress.made")[0])
    return data


def test_what_does_not_fit_the_paper_is_left_out_of_the_sheets_and_told(session: LiveSession) -> None:
    sheets = data_of(session.make("data/sheets.js"))
    assert [file["piece"] for file in sheets["files"]] == ["cards"]
    (error,) = sheets["errors"]
    assert "'plan' is 250 x 340 mm and does not fit 'a4'" in error["what"]
    assert error["at"] == "content/pond/decks/plan.yaml:2:7"
    asked = session.make("ask/sheets.json?paper=a3&backs=duplex&ink=color&printer=")
    assert asked is not None
    assert {file["piece"] for file in json.loads(asked)["files"]} == {"cards", "plan"}


@pytest.mark.usefixtures("usual_limits")
def test_a_deal_that_takes_too_many_steps_is_told(session: LiveSession) -> None:
    assert len(data_of(session.make("data/deals.js"))["deals"]) == 10
    limits.use({"setup-steps": 50})  # its check passed with what was allowed before
    deals = data_of(session.make("data/deals.js"))
    assert deals["deals"] == {}
    assert "more than 50 steps" in deals["errors"][0]["what"]
    assert session.make("ask/deal.json?players=2&way=&seed=1") == b"null"


def test_what_was_asked_as_a_file_was_saved_is_answered_as_it_is_now(session: LiveSession, tmp_path: Path) -> None:
    """Else the answer of before is kept, and given to whoever asks again."""
    asked = "ask/beside.json?card=cards-duck-d1&in=ink%3Dlow"
    before = session.make(asked)
    deck = tmp_path / "content/pond/decks/duck.yaml"
    told: list[Stocked] = []

    def exchange(stocked: Stocked) -> list[str]:
        told.append(stocked)
        if len(told) > 1:
            raise InterruptedError
        deck.write_text(FILES["decks/duck.yaml"].replace("'Duck ", "'Teal "))
        return [asked]

    with pytest.raises(InterruptedError):
        serve(session, SimpleNamespace(exchange=exchange), lambda _: None)  # type: ignore[arg-type]
    assert told[1].files[asked] == session.make(asked) != before


@pytest.mark.parametrize("left_out", ["setup", "decks"])
def test_a_file_whose_name_is_no_text_is_told(make_workspace: MakeWorkspace, tmp_path: Path, left_out: str) -> None:
    session = session_of(make_workspace, {name: text for name, text in FILES.items() if not name.startswith(left_out)})
    folder = tmp_path / "content/pond/decks"
    folder.mkdir(exist_ok=True)
    try:
        Path(os.fsdecode(os.fsencode(folder) + b"/\xff.yaml")).touch()
    except OSError:
        pytest.skip("this system has no such names")
    index = session.refresh().stocked.files["index.html"]
    if left_out == "decks":  # the page can only say why there is none
        assert rb"decks/\udcff.yaml" in (index or b"")
    else:
        groups = data_of(session.make("data/findings.js"))["groups"]
        places = [one["at"].split(":")[0] for group in groups for one in group["findings"]]
        assert "content/pond/decks/\udcff.yaml" in places


def test_first_cards_of_a_large_game_are_served_before_the_others_as_they_will_be(
    make_workspace: MakeWorkspace,
) -> None:
    files = {**FILES, "decks/duck.yaml": FILES["decks/duck.yaml"].replace("1-60", "1-201")}
    begun: list[Stocked] = []
    last = session_of(make_workspace, files, begun).refresh().stocked
    first, *pictures = begun
    data, all_data = (data_of(one.files["data/cards.js"]) for one in (first, last))
    assert (data["begun"], all_data["begun"]) == (True, False)
    rows, all_rows = ([card for deck in one["decks"] for card in deck["cards"]] for one in (data, all_data))
    assert [row["id"] for row in rows] == [row["id"] for row in all_rows], "every card has its place"
    drawn = [row for row in rows if row["front"] is not None]
    assert 12 <= len(drawn) <= 24
    assert drawn == all_rows[: len(drawn)], "pictures, codes and copies are those of the whole game"
    handed = {name for one in pictures for name, data in one.files.items() if data}
    assert handed == {row[side] for row in drawn for side in ("front", "back")}
    assert first.files["index.html"] == last.files["index.html"], "the page stays open"
    assert all(row["front"] for row in all_rows)


def test_a_small_game_is_laid_out_at_once(make_workspace: MakeWorkspace) -> None:
    begun: list[Stocked] = []
    session_of(make_workspace, begun=begun).refresh()
    assert begun == []


NOT_OFFERED = (
    "deal.json", "deal.json?players=٢٢&way=&seed=", "deal.json?players=2&way=x&seed=1", "rounds.json?way=none",
    "sheets.json?paper=b0&backs=duplex&ink=color&printer=", "changes.json?since=..%2f..",
    "beside.json?card=x&in=ink=low", "eval.json?x=1",
)  # fmt: skip


def test_what_there_is_not_is_not_made_nor_answered_what_is_not_offered(session: LiveSession) -> None:
    for name in ("data/none.js", "data/../game.js", "pictures/none.jpg", "printed/x.pdf", "x"):
        assert session.make(name) is None, name
    for name in NOT_OFFERED:
        assert session.make(f"ask/{name}") == b"null", name


SERVE = "from duckpress.views.live.web_process import serve_session; serve_session()"


def test_it_says_nothing_when_nobody_listens_any_more(tmp_path: Path) -> None:
    answers, answering = os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-c", SERVE], stdin=subprocess.PIPE, stdout=answering, stderr=subprocess.PIPE
    )
    os.close(answering)
    assert process.stdin is not None
    begin = Begin(0, "key", str(tmp_path), str(tmp_path), (), "", (), opens_browser=False)
    send(process.stdin.fileno(), written(begin))
    assert not msgspec.msgpack.decode(next(received(answers)), type=Begun).failed
    os.close(answers)
    send(process.stdin.fileno(), written(Stocked()))
    _, said = process.communicate(timeout=20)
    assert said == b""
    assert process.returncode == 0


def children(pid: int) -> list[int]:
    """Return the processes that a process has started, and theirs."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it has ended since
            if path.read_text().rpartition(")")[2].split()[1] == str(pid):
                found += [int(path.parent.name), *children(int(path.parent.name))]
    return found


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.soak  # a whole session for each; a process that ends by itself is tried above
@pytest.mark.usefixtures("loopback")
@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize("is_stuck", [False, True])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_nothing_of_a_live_page_outlives_its_session(number: int, is_stuck: bool, tmp_path: Path) -> None:
    """A process that was stuck in one request stayed, at all of a core, and held the port."""
    (tmp_path / "content/g").mkdir(parents=True)
    (tmp_path / "content/g/game.yaml").write_text("title: none\n")  # the page of a broken game is a page
    session = subprocess.Popen(
        [sys.executable, "-m", "duckpress", "preview", "g", "--live", "--no-open"], cwd=tmp_path,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 (`&` has it ignored)
    )  # fmt: skip
    assert session.stdout is not None
    address = re.search(r"http://127\.0\.0\.1:(\d+)/", session.stdout.readline())
    assert address is not None
    started = children(session.pid)
    assert started
    if is_stuck:
        for pid in started:
            os.kill(pid, signal.SIGSTOP)
    session.send_signal(number)
    _, said = session.communicate(timeout=20)
    until = time.monotonic() + 5
    while any(map(is_alive, started)) and time.monotonic() < until:
        time.sleep(0.02)
    left = [pid for pid in started if is_alive(pid)]
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    assert left == []
    assert "Traceback" not in said
    with socket.socket() as again:
        again.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        again.bind(("127.0.0.1", int(address[1])))
