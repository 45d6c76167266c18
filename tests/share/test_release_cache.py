"""A lock is what lies in the files: a cache in any state changes no byte of it, and a whole one saves all the work."""

from __future__ import annotations

import pytest

from duckpress.press.build_cache import BuildCache
from held_pond import Pond, pond_files
from running import MakeWorkspace

FRENCH = "title: L'étang\ndecks: {duck: {title: Canards, cards: {teal: {text: Un.}, smew: {text: Deux.}}}}\n"


def test_a_lock_is_the_same_with_any_cache_and_only_what_changed_is_laid_out(
    make_workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    pond = Pond(make_workspace(pond_files("languages: [en, fr]\n", lang__fr_yaml=FRENCH, rules_md="Take turns.\n")))
    stores, first = list[BuildCache](), BuildCache.__init__

    def counted(store: BuildCache, *given: object, **named: object) -> None:
        first(store, *given, **named)  # type: ignore[arg-type]
        stores.append(store)

    def lock(version: str = "0.1") -> tuple[bytes, int]:
        """Release the version as if for the first time; return its lock, and how many faces were laid out."""
        path = pond.folder / "releases" / f"{version}.lock"
        path.unlink(missing_ok=True)
        stores.clear()
        pond.done("release", "pond")
        return path.read_bytes(), sum(store.laid_out for store in stores)

    monkeypatch.setattr(BuildCache, "__init__", counted)
    plain, _ = lock()
    monkeypatch.setenv("DUCKPRESS_CACHE", str(pond.root / ".cache"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(pond.root.with_name(f"{pond.root.name}-settings")))
    assert lock() == (plain, 4)  # two cards in two languages
    assert lock() == (plain, 0)
    pond.edit("game.yaml", ("0.1", "0.2"))
    pond.edit("decks/duck.yaml", ("text: Two.", "text: Two more."))
    newer, count = lock("0.2")
    assert (newer != plain, count) == (True, 1)  # in French it says the same
    monkeypatch.setenv("DUCKPRESS_CACHE", "off")
    assert lock("0.2")[0] == newer
