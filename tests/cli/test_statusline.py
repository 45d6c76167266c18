"""The line that says which step is at work: one line, cut to the terminal, taken back, and nothing in it obeyed."""

from __future__ import annotations

import io

import pytest

from duckpress.cli import terminal


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def shown(written: str) -> str:
    """Return what stands in the line after all that was written to it."""
    line = ""
    for part in written.split("\r"):
        line = part + line[len(part) :]
    return line.rstrip()


def test_steps_replace_one_another_and_the_last_is_taken_back(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr("sys.stderr", stream)
    with terminal.progress("pond", is_quiet=False) as step:
        assert shown(stream.getvalue()) == "pond"
        step("reading a long list")
        assert shown(stream.getvalue()) == "pond: reading a long list"
        step("x\x1b[2J\n")
        assert shown(stream.getvalue()) == "pond: x\\x1b[2J\\n"
        step("y" * 500)
        assert shown(stream.getvalue()).startswith("pond: yyy")
        assert len(shown(stream.getvalue())) < 500
    assert shown(stream.getvalue()) == ""
    assert stream.getvalue().endswith("\r")


def test_a_failure_takes_the_line_back(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr("sys.stderr", stream)
    with pytest.raises(ZeroDivisionError), terminal.progress("pond", is_quiet=False) as step:
        step("x" * (1 // 0))
    assert shown(stream.getvalue()) == ""


def test_elsewhere_a_long_run_has_a_plain_line_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    stream, clock = io.StringIO(), [100.0]
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setattr("time.monotonic", lambda: clock[0])
    with terminal.progress("pond", is_quiet=False) as step:
        for second in range(25):
            clock[0] = 100.0 + second
            step(f"card {second}\x1b")
    assert stream.getvalue() == "pond: card 10\\x1b\npond: card 20\\x1b\n"


@pytest.mark.parametrize("is_quiet", [True, False])
def test_a_short_run_says_nothing_elsewhere_nor_one_that_is_quiet(
    monkeypatch: pytest.MonkeyPatch, is_quiet: bool
) -> None:
    stream = Terminal() if is_quiet else io.StringIO()
    monkeypatch.setattr("sys.stderr", stream)
    with terminal.progress("pond", is_quiet=is_quiet) as step:
        step("reading")
    assert stream.getvalue() == ""
