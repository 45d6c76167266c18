"""Templates that take too long or too much, and workers that die or lie: one problem each, and nobody left running."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from harness import Ran, assert_sound, needs_posix, run_command, run_here
from hostile_game import DECK, FACE, GOOD, game, lay_out

from crews import UseWorkers
from duckpress import pool
from duckpress.core import limits
from duckpress.core.problems import MachineError
from duckpress.layout.faces.face_cache import NewFaces
from duckpress.layout.faces.face_maker import FaceMaker, OpenDeck
from duckpress.layout.faces.results import LayoutAnswer, MadeSide
from duckpress.pool import Note, messages
from duckpress.pool.messages import Finished
from running import run

NO_CAPS = "template-steps=900G template-text=100M template-value=100M"
SHORT = ("--limit", "layout-seconds=1", "--limit", "template-steps=900G")
FOR_EVER = "{% for a in range(9999) %}" * 3 + "{% endfor %}" * 3
HOG = "{% set x = namespace(a='0123456789' * 9000000) %}{% set x.b = x.a ~ 'b' %}{% set x.c = x.b ~ 'c' %}"
FACE_AT = "content/g/layouts/face.xml"
is_linux = pytest.mark.skipif(sys.platform != "linux", reason="workers are forked on Linux only")


def with_template(code: str) -> dict[str, str | bytes]:
    """Return the good game whose template has some more code on its card `smew`, and another deck that is sound."""
    face = FACE.replace("</face>", f"{{% if card.id == 'smew' %}}{code}{{% endif %}}\n</face>")
    more = "pieces:\n  - {id: others, title: Others, decks: [goose]}"
    files = game(face=face, game=str(GOOD["content/g/game.yaml"]).replace("pieces:", more))
    goose = DECK.replace("front: face", "front: goose").replace("teal", "greylag").replace("smew", "bean")
    return {**files, "content/g/decks/goose.yaml": goose, "content/g/layouts/goose.xml": FACE}


def assert_told_once(ran: Ran, code: str, *words: str) -> None:
    """Expect one error, of a code, that names the template and the card."""
    assert ran.codes() == [code], (ran.problems, ran.err)
    (problem,) = (one for one in ran.problems if one["level"] == "error")
    assert problem["file"] == FACE_AT, problem
    assert "'smew'" in problem["what"], problem
    assert problem["fix"], problem
    for word in words:
        assert word in problem["what"] + problem["fix"], (word, problem)


@pytest.mark.sweep(2)
@needs_posix
@pytest.mark.parametrize(
    ("code", "low", "told", "says"),
    [
        pytest.param(FOR_EVER, "layout-seconds=1", "layout-too-long", "--limit layout-seconds=", id="x-for-ever"),
        pytest.param(
            FOR_EVER, "layout-all-seconds=1", "layout-too-long", "--limit layout-all-seconds=", id="x-all-for-ever"
        ),
        pytest.param(HOG, "layout-memory=150M", "layout-too-large", "--limit layout-memory=", id="x-memory-hog"),
    ],
)
def test_a_template_that_runs_over_is_stopped(code: str, low: str, told: str, says: str, tmp_path: Path) -> None:
    environment = {"DUCKPRESS_LIMITS": f"{NO_CAPS} {low}"}
    files = with_template(code)
    ran = run_command(tmp_path, "build", "g", "--paper", "a4", files=files, environment=environment)
    assert_sound(ran, status=1)
    assert_told_once(ran, told, says)
    assert not ran.written


@pytest.fixture
def in_workers(monkeypatch: pytest.MonkeyPatch, use_workers: UseWorkers) -> Callable[..., None]:
    """Let workers lay out that are forked from this process and do otherwise than they should."""

    def use(jobs: int = 2, **replaced: Any) -> None:
        # A second of the limit is half of one here, where a test waits for it.
        half = {"layout-seconds": 0.5}
        monkeypatch.setattr(pool.process_pool, "limit", lambda name: limits.limit(name) * half.get(name, 1))
        use_workers(jobs, "fork")
        for name, function in replaced.items():
            monkeypatch.setattr(FaceMaker, name, function)

    return use


lay_out_card = FaceMaker.card


def on_smew(does: Callable[[], object]) -> Callable[..., object]:
    """Return how a worker lays out a card that does something else on the card `smew` of the deck `duck`."""

    def other(self: FaceMaker, opened: OpenDeck, number: int, note: Note) -> object:
        if opened.deck.id == "duck" and number == 1:
            note(1 << 2 | 1)
            does()
        return lay_out_card(self, opened, number, note)

    return other


def killed() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def hung_without_python() -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT, signal.SIGTERM])
    signal.sigwait([signal.SIGUSR2])


@pytest.mark.sweep(3)
@is_linux
@pytest.mark.parametrize(
    ("does", "says"),
    [
        pytest.param(killed, "SIGKILL", id="x-killed"),
        pytest.param(lambda: os.kill(os.getpid(), signal.SIGXCPU), "SIGXCPU", id="x-ended-by-a-signal"),
        pytest.param(lambda: os._exit(7), "status 7", id="x-left"),
    ],
)
def test_a_worker_that_dies_is_one_problem(
    does: Callable[[], object], says: str, in_workers: Callable[..., None], tmp_path: Path
) -> None:
    in_workers(card=on_smew(does))
    ran = run_here(tmp_path, "check", "g", files=with_template(""))
    assert_sound(ran, status=1)
    assert_told_once(ran, "layout-crashed", says)


GOOD_ANSWER = messages.written(
    Finished(
        LayoutAnswer(
            made=0, new_faces=NewFaces(), opened=[], back=None, cards=[(MadeSide("0" * 32), None)], art=[], drawings=[],
            pictures=[], decorations=[], files={}, fonts=[], words=[],
        )
    )
)  # fmt: skip


def plain_answer(**changed: object) -> bytes:
    """Return the good answer as another record has it, with some fields of another kind."""
    message = msgspec.msgpack.decode(GOOD_ANSWER)
    for name, value in changed.items():
        message["result"][LayoutAnswer.__struct_fields__.index(name)] = value
    return msgspec.msgpack.encode(message)


def sends(data: bytes) -> Callable[[], None]:
    """Return what writes bytes, behind their length, where a worker answers, and then waits to be ended."""

    def send() -> None:
        messages.send(last_pipe(), data)
        hung_without_python()

    return send


@pytest.mark.sweep(7)
@is_linux
@pytest.mark.parametrize(
    "nonsense",
    [
        pytest.param(b"rubbish", id="x-rubbish"),
        pytest.param(b"\x81\xa6result", id="x-no-record"),
        pytest.param(GOOD_ANSWER.replace(b"result", b"result"[::-1]), id="x-no-result"),
        pytest.param(plain_answer(drawings=[["x", [0, 0, 1, 1], [[]]]]), id="x-art"),
        pytest.param(plain_answer(drawings=[["x", [0, 0, 1, 1], []]]), id="x-not-its-key"),
        pytest.param(plain_answer(art=[[0, [], [["no-limit", "what", 1, "path"]]]]), id="x-no-limit"),
        pytest.param(b"\x91" * 100_000, id="x-deep"),
        pytest.param(b"\xdd\xff\xff\xff\xff", id="x-long"),
    ],
)
def test_a_worker_that_lies_is_one_problem(nonsense: bytes, in_workers: Callable[..., None], tmp_path: Path) -> None:
    in_workers(card=on_smew(sends(nonsense)))
    ran = run_here(tmp_path, "check", "g", files=with_template(""))
    assert_sound(ran, status=1)
    assert ran.codes() == ["layout-crashed"], ran.problems


def last_pipe() -> int:
    """Return the highest handle that can be written to and is a pipe: a worker's answers."""
    import fcntl
    import stat

    def is_writing(number: int) -> bool:
        try:
            mode = os.fstat(number).st_mode
            return stat.S_ISFIFO(mode) and fcntl.fcntl(number, fcntl.F_GETFL) & os.O_ACCMODE == os.O_WRONLY
        except OSError:
            return False

    return max(filter(is_writing, range(3, 60)))


def sends_half_of_it() -> None:
    os.write(last_pipe(), (5000).to_bytes(8, "little") + b"half of it")
    hung_without_python()


@is_linux
@pytest.mark.parametrize("does", [sends_half_of_it, hung_without_python], ids=["x-half-of-it", "x-hung"])
def test_a_worker_that_never_ends_is_stopped(
    does: Callable[[], None], in_workers: Callable[..., None], tmp_path: Path
) -> None:
    in_workers(card=on_smew(does))
    ran = run_here(tmp_path, *SHORT, "check", "g", files=with_template(""))
    assert_sound(ran, status=1)
    assert any("'smew'" in one["what"] for one in ran.problems if one["code"] == "layout-too-long"), ran.problems


@pytest.mark.sweep(3)
@is_linux
@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_x_the_first_card_is_told_where_all_hang(jobs: int, in_workers: Callable[..., None], tmp_path: Path) -> None:
    in_workers(jobs)
    files = with_template(FOR_EVER)
    files[FACE_AT] = str(files[FACE_AT]).replace("card.id == 'smew'", "true")
    ran = run_here(tmp_path, *SHORT, "check", "g", files=files)
    assert ran.codes() == ["layout-too-long"]
    assert "'teal'" in next(one["what"] for one in ran.problems if one["level"] == "error")


@is_linux
def test_x_a_cache_changes_nothing_where_one_deck_of_a_template_is_stopped(
    in_workers: Callable[..., None], tmp_path: Path
) -> None:
    in_workers()
    own = str(tmp_path / "cache")
    small = '{% if card.id == "bean" %}<qr text="duck" x="9" y="60" size="5"/>{% endif %}'
    face = FACE.replace("</face>", f"{small}{{% if card.name == 'Slow' %}}{FOR_EVER}{{% endif %}}</face>")
    files = {**with_template(""), FACE_AT: face}
    goose = str(files["content/g/decks/goose.yaml"]).replace("front: goose", "front: face")
    for lines, name, codes in (0, "Fast", []), (1, "Slow", ["layout-too-long"]), (2, "Fast", []):
        files["content/g/decks/duck.yaml"] = DECK.replace("name: Smew", f"name: {name}")
        files["content/g/decks/goose.yaml"] = goose.replace("  - {id: bean", "  # note\n" * lines + "  - {id: bean")
        lay_out(tmp_path, files)
        warm, cold = (run(tmp_path, *SHORT, "check", "g", DUCKPRESS_CACHE=cache) for cache in (own, "off"))
        assert warm.output == cold.output
        assert re.findall(r"error\[(.+)\]", warm.output) == codes


@is_linux
def test_x_what_a_worker_may_not_do(in_workers: Callable[..., None], tmp_path: Path) -> None:
    reading, writing = os.pipe()  # to a browser, say

    def try_it() -> None:
        tried = []
        for name, act in (
            ("file", lambda: (tmp_path / "written").write_bytes(b"x" * 10)),
            ("input", lambda: os.read(0, 1) == b"" or 1 / 0),
            ("pipe", lambda: os.write(writing, b"x")),
        ):
            try:
                act()
                tried.append(f"{name} done")
            except (OSError, ZeroDivisionError) as error:
                tried.append(f"{name} {type(error).__name__}")
        raise MachineError("; ".join(tried))

    in_workers(card=on_smew(try_it))
    ran = run_here(tmp_path, "check", "g", files=with_template(""))
    os.close(writing)
    assert os.read(reading, 1) == b""
    os.close(reading)
    assert ran.status == 3
    assert "file OSError; input done; pipe OSError" in ran.err + ran.out
    assert (tmp_path / "written").read_bytes() == b""


ENOUGH_FOR_TWO = (
    DECK.partition("cards:")[0] + 'cards: [{for: {n: 1-200}, id: "teal-{{ n }}", name: Teal, text: A duck.}]\n'
)


@pytest.mark.sweep(4)
@is_linux
@pytest.mark.parametrize("signal_", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_x_workers_end_with_the_one_they_work_for(signal_: signal.Signals, tmp_path: Path) -> None:
    """Kill the program while both its workers run for ever: they are gone, whatever it was killed with."""
    lay_out(tmp_path, game(deck=ENOUGH_FOR_TWO, face=FACE.replace("</face>", f"{FOR_EVER}\n</face>")))
    environment = {**os.environ, "DUCKPRESS_LIMITS": NO_CAPS}
    program = subprocess.Popen(
        [sys.executable, "-m", "duckpress", "build", "g", "--jobs", "2"], cwd=tmp_path, env=environment,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        preexec_fn=lambda: signal.signal(signal_, signal.SIG_DFL) if signal_ != signal.SIGKILL else None,  # noqa: PLW1509
    )  # fmt: skip
    children: list[int] = []
    try:
        children = wait_for(lambda: two_at_work(program.pid))
        program.send_signal(signal_)
        program.wait(20)
        assert wait_for(lambda: not any(map(is_alive, children)))
    finally:
        program.kill()
        program.wait()
        for child in filter(is_alive, children):
            os.kill(child, signal.SIGKILL)


def wait_for(what: Callable[[], Any]) -> Any:
    """Wait until something is there, for as long as a busy machine may take."""
    for _ in range(2_000):
        found = what()
        if found:
            return found
        time.sleep(0.01)
    raise AssertionError("it never came")


def two_at_work(pid: int) -> list[int]:
    """Return the children of a program that have closed their rooms, once there are two: they fill templates then."""
    path = Path(f"/proc/{pid}/task/{pid}/children")
    found = [child for child in map(int, path.read_text().split()) if is_in_a_closed_room(child)]
    return found if len(found) == 2 else []


def is_in_a_closed_room(pid: int) -> bool:
    """Return whether a process may write nothing into any file, which the program never gives up itself."""
    try:
        return re.search(r"(?m)^Max file size +0 +0 ", Path(f"/proc/{pid}/limits").read_text()) is not None
    except (FileNotFoundError, ProcessLookupError):
        return False


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


@needs_posix
def test_x_no_process_can_be_had(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, use_workers: UseWorkers) -> None:
    def refuse() -> int:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(os, "fork", refuse)
    use_workers(2, "fork")
    ran = run_here(tmp_path, "check", "g", files=GOOD)
    assert ran.status == 3
    assert "cannot start a process" in ran.err + ran.out
