"""Picture files are made when what they show is new, by any number of processes, and are the same bytes however."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import running
from duckpress.pool import use_jobs
from kit.page_game import ducks
from running import MakeWorkspace

COLOURS = ("#ff0000", "#00ff00", "#0000ff", "#00ffff", "#ff00ff", "#ffff00")
COUNT = 60  # more than two parts
FACE = '<face><ground fill="{{ card.colour }}"/><text x="4" y="4" width="36" height="50">{{ card.id }}</text></face>'
CARDS = ", ".join(f'{{id: duck-{number}, colour: "{COLOURS[number % 6]}"}}' for number in range(COUNT))
POND = {**ducks(CARDS, "colour: colour", has_back=False), "layouts/duck.xml": FACE}
DECK = "content/pond/decks/duck.yaml"
KINDS = (("png", "--dpi", "36"), ("sprites", "--dpi", "36"), ("tts", "--max-px", "1000"))


@pytest.fixture
def root(make_workspace: MakeWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path.with_name(f"{tmp_path.name}-config")))
    monkeypatch.setenv("DUCKPRESS_CACHE", str(tmp_path / "cache"))
    return make_workspace({f"content/pond/{name}": text for name, text in POND.items()}).root


def export(root: Path, to: str, *words: str) -> dict[str, bytes]:
    """Export, and return the files that are there then."""
    running.run(root, "export", "pond", "--to", to, *words, status=0)
    folder = root / "output/pond" / to
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def edit(root: Path, old: str, new: str) -> None:
    path = root / DECK
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def written(root: Path, to: str) -> dict[str, int]:
    """Return which file lies under each name: another one where it was written anew."""
    return {path.name: path.stat().st_ino for path in (root / "output/pond" / to).iterdir()}


@pytest.mark.sweep(3)
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind[0])
def test_one_changed_card_makes_one_picture_and_it_is_as_made_from_nothing(root: Path, kind: tuple[str, ...]) -> None:
    export(root, *kind)
    before = written(root, kind[0])
    edit(root, 'duck-7, colour: "#00ff00"', 'duck-7, colour: "#ffff00"')
    after = export(root, *kind)
    pictures = [name for name, file in written(root, kind[0]).items() if name.endswith(".png") and before[name] != file]
    assert pictures == (["duck-duck-7-front.png"] if kind[0] == "png" else ["duck-fronts.png"])
    os.environ["DUCKPRESS_CACHE"] = "off"  # `root` puts it back
    assert export(root, *kind) == after


@pytest.mark.sweep(2)
@pytest.mark.parametrize(("to", "files"), [("png", COUNT + 1), ("pcio", 2)])
def test_the_bytes_do_not_depend_on_how_many_processes_make_them(root: Path, to: str, files: int) -> None:
    os.environ["DUCKPRESS_CACHE"] = "off"
    several = []
    for count in (1, 3):
        use_jobs(count)
        try:
            several.append(export(root, to, "--dpi", "36"))
        finally:
            use_jobs(None)
    assert several[0] == several[1]
    assert len(several[0]) == files


def test_a_picture_that_was_changed_or_lost_is_made_again_and_one_that_is_no_card_goes(root: Path) -> None:
    first = export(root, "png", "--dpi", "36")
    folder = root / "output/pond/png"
    (folder / "duck-duck-1-front.png").write_bytes(b"else")
    (folder / "duck-duck-2-front.png").unlink()
    assert export(root, "png", "--dpi", "36") == first
    edit(root, '{id: duck-3, colour: "#00ffff"}, ', "")
    last = export(root, "png", "--dpi", "36")
    assert first.keys() - last.keys() == {"duck-duck-3-front.png"}
    others = export(root, "png", "--dpi", "37")
    assert all(others[name] != last[name] for name in last), "other dots make other pictures"
