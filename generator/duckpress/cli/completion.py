"""What a shell completes: games, pieces, papers, languages and the like, as they stand in the workspace.

Only what names need is read: the folders of games, and `game.yaml` of those whose pieces or languages are asked for.
What cannot be read completes nothing: a shell has no place for messages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from duckpress.core.problems import MachineError

if TYPE_CHECKING:
    from duckpress.files.workspace import Workspace

Complete = Callable[[click.Context, click.Parameter, str], list[str]]


def one_of(names: Callable[[click.Context], Iterable[str]]) -> Complete:
    """Return what completes one name."""
    return lambda ctx, _parameter, begun: [name for name in names(ctx) if name.startswith(begun)]


def some_of(names: Callable[[click.Context], Iterable[str]]) -> Complete:
    """Return what completes the last name of a list with commas between them."""

    def complete(ctx: click.Context, _parameter: click.Parameter, begun: str) -> list[str]:
        before, comma, last = begun.rpartition(",")
        there = before.split(",")
        return [f"{before}{comma}{name}" for name in names(ctx) if name.startswith(last) and name not in there]

    return complete


def games(ctx: click.Context) -> list[str]:
    """Return the games that are not named yet."""
    named = _named(ctx)
    try:
        return [name for name in _workspace(ctx).games() if name not in named]
    except MachineError:
        return []


def _listed(module: str, table: str) -> Callable[[click.Context], Iterable[str]]:
    """Return what gives the names in a table of a module, which is not imported before."""
    return lambda _ctx: cast(Iterable[str], getattr(import_module(f"duckpress.{module}"), table))


papers = _listed("core.sizes", "PAPERS")
sleeves = _listed("core.sizes", "SLEEVES")
inks = _listed("core.backs", "INKS")
vendors = _listed("vendors", "VENDORS")
schemas = _listed("views.new_game", "SCHEMAS")


def topics(_ctx: click.Context) -> Iterable[str]:
    """Return the pages of the documentation."""
    from duckpress.files.handbook import pages

    return pages()


def pieces(ctx: click.Context) -> list[str]:
    """Return the pieces of the games named, or of all."""
    return _written(ctx, "pieces")


def languages(ctx: click.Context) -> list[str]:
    """Return the languages of the games named, or of all."""
    return _written(ctx, "languages")


def _named(ctx: click.Context) -> tuple[str, ...]:
    # Before an option whose value is being typed, click has not told arguments apart yet.
    value: Any = ctx.params.get("games") or ctx.params.get("game") or ctx.args
    return (value,) if isinstance(value, str) else tuple(value)


def _workspace(ctx: click.Context) -> Workspace:
    from duckpress.files.workspace import open_workspace

    folder = ctx.find_root().params.get("folder")
    return open_workspace(Path(folder or Path.cwd()).resolve())


def _written(ctx: click.Context, key: str) -> list[str]:
    """Return the ids or words of a list of `game.yaml`, of each game once."""
    from duckpress.content.yaml.nodes import Mapping, Scalar, Sequence
    from duckpress.content.yaml.yaml_file import read_yaml
    from duckpress.files.workspace import Refused

    words: dict[str, None] = {}
    try:
        workspace = _workspace(ctx)
        for game in _named(ctx) or workspace.games():
            path = f"content/{game}/game.yaml"
            node = read_yaml(path, workspace.read(path)).value
            entry = node.entries.get(key) if isinstance(node, Mapping) else None
            items = entry.value.items if entry is not None and isinstance(entry.value, Sequence) else ()
            for item in items:
                id_ = item.entries.get("id") if isinstance(item, Mapping) else None
                named = id_.value if id_ is not None else item
                words |= {named.text: None} if isinstance(named, Scalar) else {}
    except (Refused, MachineError):
        pass
    return list(words)
