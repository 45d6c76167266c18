"""The variants of a setup: the base game or one variant, each with any compatible modules.

Such a way is named by its variant and its modules in declared order, joined by commas; None is the basic game alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from duckpress.core.problems import did_you_mean
from duckpress.model.setup import Setup, Variant, counts_text

BASE = "base"  # the variant that is none: the game without any
MOST_MODULES = 10  # of so many every combination is checked; of more those of up to three, and all together
_FEW = 3


class NoSuchSetup(Exception):
    """An invalid name of a variant, with the mistake and its fix."""

    def __init__(self, what: str, fix: str) -> None:
        super().__init__(what)
        self.what = what
        self.fix = fix


def parts_named(setup: Setup, name: str | None) -> list[Variant]:
    """Return the variant and the modules in a name, in order."""
    names = name.split(",") if name else []
    return [part for part in setup.all_variants.values() if part.id in names]


def counts_for(setup: Setup | None, name: str | None, players: Iterable[int]) -> tuple[int, ...]:
    """Return the player counts at which a variant with modules is played."""
    parts = parts_named(setup, name) if setup is not None else []
    return tuple(count for count in players if all(_is_for(part, count) for part in parts))


def ways_to_play(setup: Setup, players: int | None) -> Iterator[str | None]:
    """Yield the name of every checked combination, those of few parts first; players None: at any count."""
    modules = list(setup.modules.values())
    sizes = [*range(len(modules) + 1)]
    if len(modules) > MOST_MODULES:
        sizes = [*range(_FEW + 1), len(modules)]
    ways = (
        (*variant, *chosen)
        for variant in ((), *((variant,) for variant in setup.variants.values()))
        for size in sizes
        for chosen in combinations(modules, size)
    )
    for parts in sorted(ways, key=len):
        if _wrong_together(parts) is None and all(_is_for(part, players) for part in parts):
            yield ",".join(part.id for part in parts) or None


def way_to_play(setup: Setup | None, typed: str | None, players: int | None = None) -> str | None:
    """Return the full name of a combination that was typed in any order; None for the base game.

    Raises `NoSuchSetup` where a name is unknown, or the parts cannot be played together or at a player count.
    """
    names = [name.strip() for name in (typed or BASE).split(",")]
    known = {} if setup is None else setup.all_variants
    for name in names:
        if name not in known and name != BASE:
            fix = did_you_mean(name, (BASE, *known), else_say="the variants and modules are")
            raise NoSuchSetup(f"there is no variant {name!r}", fix)
    parts = [part for part in known.values() if part.id in names]
    if parts and BASE in names:
        raise NoSuchSetup(f"{BASE!r} is the game without variants and modules", f"leave {BASE!r} out")
    alone = [part.id for part in parts if not part.is_module]
    if len(alone) > 1:
        raise NoSuchSetup(f"{' and '.join(map(repr, alone))} are variants, of which one is played", "name one of them")
    if why := _wrong_together(parts):
        raise NoSuchSetup(*why)
    for part in parts:
        if not _is_for(part, players):
            counts = counts_text(part.only or ())
            raise NoSuchSetup(f"{part.id!r} is for {counts} players, not for {players}", "choose one of these")
    return ",".join(part.id for part in parts) or None


def _is_for(part: Variant, players: int | None) -> bool:
    return players is None or part.only is None or players in part.only


def _wrong_together(parts: Sequence[Variant]) -> tuple[str, str] | None:
    """Return why variants and modules exclude each other, and the fix; None if they do not."""
    names = {part.id for part in parts}
    for part in parts:
        for needed, _ in part.needs:
            if needed not in names:
                return f"{part.id!r} needs {needed!r}", f"add {needed!r}"
        for excluded, _ in part.excludes:
            if excluded in names:
                return f"{part.id!r} excludes {excluded!r}", "leave one of the two out"
    return None
