"""What a process lets go of when a signal ends it, and what it does not."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from mishaps import in_a_child, names_in, needs_fork

from duckpress.core.interrupts import finish_at_interrupt, handle_signals, held, undisturbed
from duckpress.store.file_writing import locked_file

pytestmark = needs_fork


def stopped(action: Callable[[], object], number: int = signal.SIGINT) -> int:
    """Do something in a process that handles signals, and stop it then; gives how it ended."""

    def run() -> None:
        signal.signal(number, signal.SIG_DFL)
        handle_signals()
        action()
        signal.raise_signal(number)

    return in_a_child(run)


def note(path: Path, word: str) -> None:
    with path.open("a") as file:
        file.write(word)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_what_is_held_goes_in_turn(tmp_path: Path, number: int) -> None:
    said = tmp_path / "said"

    def hold() -> None:
        with held(lambda: "first", lambda word: note(said, word)):
            with held(lambda: "ended ", lambda word: note(said, word)):
                pass
            with held(lambda: "second ", lambda word: note(said, word)):
                os.kill(os.getpid(), number)

    assert stopped(hold, number) == -number
    assert said.read_text() == "ended second first"


def test_what_cannot_be_let_go_of_keeps_nothing_else(tmp_path: Path) -> None:
    def fail(_thing: object) -> None:
        raise ZeroDivisionError

    def hold() -> None:
        with held(lambda: None, lambda _: note(tmp_path / "said", "gone")), held(lambda: None, fail):
            os.kill(os.getpid(), signal.SIGINT)

    assert stopped(hold) == -signal.SIGINT
    assert (tmp_path / "said").read_text() == "gone"


def test_no_exception_comes_of_it(tmp_path: Path) -> None:
    """Neither for who would catch it nor for who would clear up after it."""

    def hold() -> None:
        try:
            os.kill(os.getpid(), signal.SIGINT)
        except BaseException:
            note(tmp_path / "said", "caught")
        finally:
            note(tmp_path / "said", "cleared")

    assert stopped(hold) == -signal.SIGINT
    assert names_in(tmp_path) == []


def test_what_is_being_taken_is_let_go_of(tmp_path: Path) -> None:
    """The signal comes between the lock and the block that it is held for."""

    def take() -> int:
        os.kill(os.getpid(), signal.SIGINT)
        return os.open(tmp_path / "file", os.O_CREAT)

    def hold() -> None:
        with held(take, lambda _: (tmp_path / "file").unlink()):
            (tmp_path / "said").touch()

    assert stopped(hold) == -signal.SIGINT
    assert names_in(tmp_path) == []


def test_a_signal_waits_while_it_would_disturb(tmp_path: Path) -> None:
    def hold() -> None:
        with undisturbed():
            with undisturbed():
                os.kill(os.getpid(), signal.SIGINT)
            (tmp_path / "said").touch()
        (tmp_path / "too far").touch()

    assert stopped(hold) == -signal.SIGINT
    assert names_in(tmp_path) == ["said"]


def test_a_child_lets_go_of_nothing(tmp_path: Path) -> None:
    """What its parent holds is not its own: a worker that is stopped clears nothing up."""

    def hold() -> None:
        with locked_file(tmp_path / "lock"):
            status = in_a_child(lambda: signal.raise_signal(signal.SIGTERM))
            (tmp_path / str(-status)).touch()
            assert (tmp_path / "lock").exists()

    assert stopped(hold) == -signal.SIGINT
    assert names_in(tmp_path) == [str(int(signal.SIGTERM))]


def test_a_file_with_another_name_stays(tmp_path: Path) -> None:
    def hold() -> None:
        with locked_file(tmp_path / "new") as handle:
            os.write(handle, b"whole")
            (tmp_path / "new").rename(tmp_path / "file")
            (tmp_path / "new").write_text("somebody else's")
            os.kill(os.getpid(), signal.SIGINT)

    assert stopped(hold) == -signal.SIGINT
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"file": "whole", "new": "somebody else's"}


def test_ctrl_c_may_be_how_it_is_meant_to_end() -> None:
    assert stopped(lambda: finish_at_interrupt("done")) == 0
    assert stopped(lambda: finish_at_interrupt("done"), signal.SIGTERM) == -signal.SIGTERM
