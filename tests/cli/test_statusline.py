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
    line: list[str] = []
    at = 0
    for letter in written:
        if letter == "\r":
            at = 0
            continue
        line[at : at + 1] = letter
        at += 1
    return "".join(line).rstrip()


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


@pytest.mark.parametrize("is_quiet", [True, False])
def test_it_is_for_terminals_only(monkeypatch: pytest.MonkeyPatch, is_quiet: bool) -> None:
    stream = Terminal() if is_quiet else io.StringIO()
    monkeypatch.setattr("sys.stderr", stream)
    with terminal.progress("pond", is_quiet=is_quiet) as step:
        step("reading")
    assert stream.getvalue() == ""
