"""Commands besides `build` use the faces of earlier runs, too: nothing is made twice, and what comes is the same."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from duckpress.press.build_cache import BuildCache
from french_pond import with_file
from held_pond import Pond
from running import MakeWorkspace

FILES = with_file("content/pond/game.yaml", "designer: Ann\n", "designer: Ann\nbundle: {papers: [a5]}\n")
COMMANDS = {
    "check": ("check", "pond", "--ink", "color,low", "--format", "json"),
    "changes": ("changes", "pond", "--format", "json"),
    "update": ("update", "pond", "--paper", "a5", "--format", "json"),
    "bundle": ("bundle", "pond"),
    "export": ("export", "pond", "--to", "png", "--dpi", "72"),
    "show": ("show", "storm", "--png", "storm.png", "--dpi", "72"),
    "preview": ("preview", "pond"),
    "stats": ("stats", "pond"),
}


@pytest.mark.sweep(8)
@pytest.mark.parametrize("name", COMMANDS)
def test_nothing_is_laid_out_twice(
    name: str, make_workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pond = Pond(make_workspace(FILES))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path.with_name(f"{tmp_path.name}-config")))
    stores: list[BuildCache] = []
    first = BuildCache.__init__

    def counted(store: BuildCache, *given: object, **named: object) -> None:
        first(store, *given, **named)  # type: ignore[arg-type]
        stores.append(store)

    monkeypatch.setattr(BuildCache, "__init__", counted)

    def run(cache: str, *words: str) -> tuple[str, dict[str, bytes]]:
        stores.clear()
        monkeypatch.setenv("DUCKPRESS_CACHE", cache)
        shutil.rmtree(pond.output, ignore_errors=True)
        said = pond.done(*words)
        found = [*pond.output.rglob("*"), tmp_path / "storm.png"]
        return said, {str(path): path.read_bytes() for path in found if path.is_file()}

    run("off", "release", "pond")
    pond.edit("game.yaml", ("0.2", "0.3"))
    pond.edit("layouts/event.xml", ('height="10"', 'height="11"'))
    plain = run("off", *COMMANDS[name])
    cache = str(tmp_path / "cache")
    assert run(cache, *COMMANDS[name]) == plain
    assert sum(store.laid_out for store in stores) >= 2
    assert run(cache, *COMMANDS[name]) == plain
    assert sum(store.laid_out for store in stores) == 0
