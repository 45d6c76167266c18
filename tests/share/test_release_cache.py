"""A lock is what lies in the files: a cache in any state changes no byte of it, and a whole one saves all the work."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from duckpress.cli.commands import main
from duckpress.press.build_cache import BuildCache
from kinds import FILES, KINDS, MakeWorkspace

LANGUAGES = 2
THEME = "extends: base\n" + str(FILES["content/kinds/theme.yaml"]) + "imprint: {show: yes}\n"


class Releasing:
    """The game of all kinds, released anew as often as asked; `laid_out` counts the faces made by the last command."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.root = root
        self.cache = root / ".duckpress-cache"
        self.folder = root / "content" / "kinds"
        self._stores: list[BuildCache] = []
        self._set = monkeypatch.setenv
        self._set("XDG_CONFIG_HOME", str(root.with_name(f"{root.name}-config")))
        first = BuildCache.__init__

        def counted(store: BuildCache, *given: object, **named: object) -> None:
            first(store, *given, **named)  # type: ignore[arg-type]
            self._stores.append(store)

        monkeypatch.setattr(BuildCache, "__init__", counted)

    @property
    def laid_out(self) -> int:
        return sum(store.laid_out for store in self._stores)

    def run(self, *words: str, has_cache: bool = True) -> str:
        self._stores.clear()
        self._set("DUCKPRESS_CACHE", str(self.cache) if has_cache else "off")
        done = CliRunner().invoke(main, ["--workspace", str(self.root), *words])
        assert done.exit_code == 0, done.output
        return done.output

    def lock(self, version: str = "0.1", *, has_cache: bool = True) -> bytes:
        """Release the version as if for the first time, and give its lock."""
        path = self.folder / "releases" / f"{version}.lock"
        path.unlink(missing_ok=True)
        self.run("release", "kinds", has_cache=has_cache)
        return path.read_bytes()

    def tweak(self) -> None:
        for name, old, new in (("game", '"0.1"', '"0.2"'), ("decks/kind", "The plain card.", "The very plain card.")):
            path = self.folder / f"{name}.yaml"
            text = path.read_text(encoding="utf-8")
            assert text.count(old) == 1
            path.write_text(text.replace(old, new), encoding="utf-8")


@pytest.fixture
def game(make_workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch) -> Releasing:
    files = FILES | {
        "content/kinds/theme.yaml": THEME,
        "content/kinds/rules.md": "# Play\n\nTake turns.\n",
        "content/kinds/rules.fr.md": "# Jeu\n\nChacun son tour.\n",
    }
    return Releasing(make_workspace(files).root, monkeypatch)


def test_cold_warm_and_without_a_cache_a_lock_is_the_same(game: Releasing) -> None:
    plain = game.lock(has_cache=False)
    assert game.lock() == plain
    assert game.laid_out == LANGUAGES * len(KINDS)
    assert game.lock() == plain
    assert game.laid_out == 0


def test_one_changed_card_is_laid_out_once_in_each_language(game: Releasing) -> None:
    game.lock()
    game.tweak()
    game.lock("0.2")
    assert game.laid_out == LANGUAGES
