"""What a game's texts and names say never steers the terminal, nor a page in a browser, nor a spreadsheet."""

from __future__ import annotations

import ast
import io
import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from harness import assert_sound, needs_posix, run_command, run_here
from hostile_game import DECK, FACE, game

from duckpress.cli import report, terminal
from duckpress.cli.terminal import as_shown, echo, style, visible
from duckpress.core.problems import Problem, Source

STEERING = "\x1b[2J\x1b]0;title\x07\x9b31m\x08\x7f\r\u202e\u2028\x00"
CLI = Path(terminal.__file__).parent


def test_x_a_text_is_shown_and_not_obeyed() -> None:
    shown = visible(f"a{STEERING}b\n")
    assert shown.isprintable()
    assert shown.startswith("a\\x1b[2J\\x1b]0;title\\x07\\x9b31m\\x08\\x7f\\r\\u202e\\u2028\\x00b\\n")
    assert visible("a\tb é 鴨 🦆") == "a\tb é 鴨 🦆"


def test_x_only_what_is_styled_here_is_passed_on() -> None:
    assert as_shown(style("x\x1b[31m", bold=True)) == "\x1b[1mx\\x1b[31m\x1b[0m"
    assert "\x1b" not in as_shown("<" + "0" * 32 + ">[2J")


def test_x_problems_are_one_line_each(capsys: pytest.CaptureFixture[str]) -> None:
    place = Source("content/g/a\nerror[x]: b.yaml", 1, 1)
    report.print_problems([Problem("code", place, f"what{STEERING}\nmore", f"fix\n{STEERING}")])
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    assert all(line.isprintable() for line in lines)


def test_x_json_holds_no_control_character(capsys: pytest.CaptureFixture[str]) -> None:
    data = {"what": STEERING + "\udcff é"}
    report.print_json(data, [])
    out = capsys.readouterr().out
    assert all(line.isprintable() for line in out.splitlines())
    assert json.loads(out) == {**data, "problems": []}


@pytest.mark.parametrize("encoding", ["latin-1", "cp437", "cp1252"])
def test_x_a_terminal_that_lacks_a_letter(encoding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    monkeypatch.setattr(sys, "stdout", out)
    terminal.take_any_letter()
    echo("鴨 🦆")
    out.flush()
    assert out.buffer.getvalue() == b"\\u9d28 \\U0001f986\n"  # type: ignore[attr-defined]


def test_x_every_command_speaks_through_one_door() -> None:
    for path in CLI.glob("*.py"):
        if path.name in ("terminal.py", "statusline.py"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "click":
                assert node.attr not in ("echo", "secho", "style", "echo_via_pager"), f"{path.name}:{node.lineno}"
            assert not (isinstance(node, ast.Call) and getattr(node.func, "id", "") == "print"), path.name


@needs_posix
def test_x_templates_and_messages_steer_nothing(tmp_path: Path) -> None:
    """Files that are read as they are, and complained of with their own words: templates, rules, themes, SVG."""
    c1 = "\x9b31m"
    files = {
        **game(
            face=FACE.replace('fill="paper"', f'fill="{c1}"').replace("{{ card.text }}", f"{{{{ card.te{c1}xt }}}}")
        ),
        "content/g/rules.md": f"# Pond\n\n![x]({c1})\n",
        "content/g/theme.yaml": "extends: nothing\n",
    }
    for line in (("check", "g"), ("find", "x"), ("list",), ("licences",), ("stats", "g")):
        ran = run_here(tmp_path, *line, files=files, form="json" if line[0] == "check" else None)
        assert ran.status in (0, 1)
        assert not set("\x1b\x9b\x07\u202e") & set(ran.out + ran.err), ran.out


@needs_posix
def test_x_arguments_steer_nothing(tmp_path: Path) -> None:
    odd = "\x1b[2Jx"
    for line in (("check", odd), ("build", "g", "--paper", odd), ("show", odd), ("--limit", odd, "list"), (odd,)):
        told = CliRunner().invoke(__import__("duckpress.cli.commands", fromlist=["main"]).main, list(line))
        assert told.exit_code == 2
        assert "\x1b" not in told.output


@needs_posix
def test_x_output_that_nobody_can_show(tmp_path: Path) -> None:
    deck = DECK.replace("name: Teal", "name: 鴨 🦆")
    ran = run_command(
        tmp_path, "show", "duck/teal", files=game(deck=deck), form=None, environment={"PYTHONIOENCODING": "latin-1"}
    )
    assert_sound(ran, status=0)
    assert "\\u9d28" in ran.out
