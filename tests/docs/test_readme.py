"""README.md: what it shows works, what it names is there; commands of all pages are read as the program reads them."""

from __future__ import annotations

import re
import shlex
import subprocess
import sysconfig
from pathlib import Path

import click
import pytest
from pages import ROOT, Page

from duckpress.cli.commands import main
from duckpress.files.handbook import page as page_text

README = (ROOT / "README.md").read_text(encoding="utf-8")
TUTORIAL = Page("tutorial").text
LEADING = [ROOT / "README.md", *(ROOT / "docs" / f"{name}.md" for name in (
    "coming-from", "glossary", "readme", "spreadsheet", "troubleshooting", "which-file"
))]  # fmt: skip
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")])
_ACTIVATING = "    . .venv/bin/activate\n"


def test_every_link_leads_somewhere() -> None:
    """Of the README and the pages that lead to others, sections included."""
    links = [(page, link) for page in LEADING for link in re.findall(r"\]\(([^)]+)\)", page.read_text("utf-8"))]
    assert len(links) > 100
    for page, link in links:
        name, _, section = link.partition("#")
        assert link.startswith("https://") or (page.parent / name).exists(), (page.name, link)
        assert not section or page_text(f"{name}#{section}"), (page.name, link)


def test_commands_are_understood(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those in blocks of their own, without the words beside them, and on pages for beginners those in lines."""
    monkeypatch.chdir(tmp_path)
    for table in ("cards.csv", "cards.xlsx"):
        (tmp_path / table).touch()
    shown = re.compile(r"(?m)^(?:(?:    )?\$ |    (?=duckpress [a-z]))(duckpress .*?)(?:[ \t]{3,}.*)?$")
    lines = [line for page in PAGES for line in shown.findall(page.read_text(encoding="utf-8"))]
    assert len(lines) > 30
    lines += [line for page in LEADING for line in re.findall(r"`(duckpress [a-z]+ [^`]+)`", page.read_text("utf-8"))]
    for line in lines:
        words = [word for word in shlex.split(line, comments=True)[1:] if word not in ("[", "]")]
        with click.Context(main) as context:
            name, command, rest = main.resolve_command(context, words)
            assert name is not None
            assert command is not None
            command.make_context(name, rest, parent=context)


def test_the_mistake_it_shows_is_the_one_of_the_tutorial() -> None:
    """What the tutorial shows is run by a test of its own."""
    shown = README.partition("$ duckpress check pond")[2].partition("\n")[2].partition("\n\n")[0]
    given = TUTORIAL.partition("$ duckpress check pond\n")[2].partition("\npond: ")[0]
    assert shown.split() == given.split()


def test_windows_is_told_the_same_steps_with_its_own_names() -> None:
    """Without a Windows machine: the steps are those of the other systems, put into its names."""
    others, windows = (block.strip("\n").partition("\n\n")[0] for block in re.split(r"Linux:\n|prompt:\n", README)[1:])
    scripts = sysconfig.get_path("scripts", "nt", {"base": ".venv"}).replace("/", "\\")
    same = windows.replace("    py ", "    python3 ").replace(f"    {scripts}\\activate", "    . .venv/bin/activate")
    assert same == others


def test_a_terminal_finds_the_command(tmp_path: Path) -> None:
    assert _ACTIVATING in README
    assert _ACTIVATING in TUTORIAL
    if not (ROOT / ".venv" / "bin" / "activate").exists():
        pytest.skip("set up without make: there is no .venv")
    line = f"cd {shlex.quote(str(ROOT))} && {_ACTIVATING.strip()} && cd {shlex.quote(str(tmp_path))} && duckpress list"
    done = subprocess.run(
        ["sh", "-c", line], env={"PATH": "/usr/bin:/bin"}, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "duck-blind" in done.stdout
