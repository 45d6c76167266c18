"""Theme files -> `Theme`: colours by role and ink, font families, text styles, icon aliases; `Look` is one ink of it.

A theme `extends` another: its colours, families and icons are added to the other's, and a text style of the same name
changes only the keys it writes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from duckpress.content import read_shape, read_yaml
from duckpress.content.yaml.kinds import Named
from duckpress.core.problem_list import ProblemList, Read
from duckpress.core.problems import Problem, Source, did_you_mean, has_errors
from duckpress.files.workspace import Refused, Workspace
from duckpress.layout.theme.deck_rules import deck_rules, merged
from duckpress.layout.theme.theme import StyleRule, Theme
from duckpress.layout.theme.theme_checks import theme_problems
from duckpress.layout.theme.theme_keys import StyleKeys, ThemeKeys

MAX_ANCESTORS = 8


def load_theme(
    workspace: Workspace, game_id: str, name: str, named_at: Source | None = None
) -> tuple[Theme | None, list[Problem]]:
    """Return a theme and the themes behind it as one: the game's own `theme.yaml` where it bears the game's name.

    `named_at` is where the game names it; without it, a theme that is missing is told of `game.yaml` as a whole.
    """
    theme, found = _read(workspace, game_id, name, named_at or Source(f"content/{game_id}/game.yaml"))
    problems = [*found, *(theme_problems(theme) if theme is not None else ())]
    return (None if has_errors(problems) else theme), problems


def theme_path(workspace: Workspace, game_id: str, name: str) -> str | None:
    """Return the file of a theme, or None where there is none."""
    own = (f"content/{game_id}/theme.yaml",) if name == game_id else (f"content/{game_id}/themes/{name}.yaml",)
    return next((path for path in (*own, f"layouts/themes/{name}.yaml") if workspace.has(path)), None)


def _read(
    workspace: Workspace, game_id: str, name: str, named_at: Source, heirs: tuple[str, ...] = ()
) -> Read[Theme | None]:
    """Return a theme with those that it extends worked in, None where it cannot be read; `named_at` is who names it.

    `heirs` are the files of the themes that extend it. Problems: `missing-theme`, `theme-loop`, those of `read_yaml`
    and `read_shape`.
    """
    problems = ProblemList()
    path = theme_path(workspace, game_id, name)
    if path is None:
        files = workspace.files("layouts/themes", ".yaml") + workspace.files(f"content/{game_id}/themes", ".yaml")
        known = [file.rpartition("/")[2].removesuffix(".yaml") for file in files]
        problems.add("missing-theme", named_at, f"there is no theme {name!r}", did_you_mean(name, known))
        return Read(None, problems)
    if path in heirs or len(heirs) >= MAX_ANCESTORS:
        problems.add("theme-loop", named_at, f"the theme {name!r} extends itself", "take one 'extends' away")
        return Read(None, problems)
    try:
        node = problems.take(read_yaml(path, workspace.read(path)))
    except Refused as refused:
        return Read(None, [refused.problem(named_at)])
    written = problems.take(read_shape(node, ThemeKeys, f"the theme {name!r}")) if node is not None else None
    if written is None:
        return Read(None, problems)
    base = None
    if written.extends is not None:
        extended = _read(workspace, game_id, written.extends, written.at("extends"), (*heirs, path))
        base = problems.take(extended)
    base = base or Theme(name, Source(path))
    theme = Theme(
        name=name,
        source=Source(path),
        families={**base.families, **{role: family for role, _, family in written.families}},
        colours={**base.colours, **written.colours},
        styles=_styles(base.styles, written.text),
        icons={**base.icons, **{alias: file for alias, _, file in written.icons}},
        imprint=merged(base.imprint, deck_rules(written.imprint)),
        qr=merged(base.qr, deck_rules(written.qr)),
    )
    return Read(theme, problems)


def _styles(base: Mapping[str, StyleRule], entries: Iterable[Named[StyleKeys]]) -> dict[str, StyleRule]:
    styles = dict(base)
    for name, _, written in entries:
        values = {key: value for key, value in written.written.items() if key != "like"}
        known = styles.get(name)
        if known is None or written.like is not None:
            styles[name] = StyleRule(values, written.like, written.source, written.sources)
        else:
            sources = {**known.sources, **written.sources}
            styles[name] = StyleRule({**known.values, **values}, known.like, written.source, sources)
    return styles
