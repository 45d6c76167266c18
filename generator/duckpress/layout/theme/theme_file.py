"""Theme files -> `Theme`: colours by role and ink, font families, text styles, icon aliases; `Look` is one ink of it.

A theme `extends` another: its colours, families and icons are added to the other's, and a text style of the same name
changes only the keys it writes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from duckpress.art.values import hex_colour
from duckpress.content import Shape, read_shape, read_yaml
from duckpress.core.problem_list import ProblemList, Read
from duckpress.core.problems import Problem, Source, did_you_mean, has_errors
from duckpress.files.workspace import Refused, Workspace
from duckpress.layout.theme.theme import EVERY_DECK, NAME, NAMES, NONE, Theme, ThemeRule
from duckpress.layout.theme.theme_keys import REQUIRED, CodeKeys, ImprintKeys, StyleKeys, ThemeKeys

_MOST_ANCESTORS = 8


def load_theme(
    workspace: Workspace, game_id: str, name: str, named_at: Source | None = None
) -> tuple[Theme | None, list[Problem]]:
    """Return a theme and the themes behind it as one: the game's own `theme.yaml` where it bears the game's name.

    `named_at` is where the game names it; without it, a theme that is missing is told of `game.yaml` as a whole.
    """
    theme, read_problems = _read(workspace, game_id, name, named_at or Source(f"content/{game_id}/game.yaml"))
    problems = [*read_problems, *(_problems_of(theme) if theme is not None else ())]
    return (None if has_errors(problems) else theme), problems


def _read(
    workspace: Workspace, game_id: str, name: str, named_at: Source, heirs: tuple[str, ...] = ()
) -> Read[Theme | None]:
    """Return a theme with those that it extends worked in, None where it cannot be read; `named_at` is who names it.

    `heirs` are the files of the themes that extend it. Problems: `missing-theme`, `theme-loop`, those of `read_yaml`
    and `read_shape`.
    """
    problems = ProblemList()
    own = f"content/{game_id}/theme.yaml" if name == game_id else f"content/{game_id}/themes/{name}.yaml"
    path = next((path for path in (own, f"layouts/themes/{name}.yaml") if workspace.has(path)), None)
    if path is None:
        files = workspace.files("layouts/themes", ".yaml") + workspace.files(f"content/{game_id}/themes", ".yaml")
        known = [file.rpartition("/")[2].removesuffix(".yaml") for file in files]
        problems.add("missing-theme", named_at, f"there is no theme {name!r}", did_you_mean(name, known))
        return Read(None, problems)
    if path in heirs or len(heirs) >= _MOST_ANCESTORS:
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
        styles=_over(base.styles, {style: _rule(keys) for style, _, keys in written.text}),
        icons={**base.icons, **{alias: file for alias, _, file in written.icons}},
        is_vector_required=written.vector == REQUIRED if written.vector else base.is_vector_required,
        imprint=_over(base.imprint, _deck_rules(written.imprint)),
        qr=_over(base.qr, _deck_rules(written.qr)),
    )
    return Read(theme, problems)


def _deck_rules(written: ImprintKeys | CodeKeys | None) -> dict[str, ThemeRule]:
    if written is None:
        return {}
    return {**{deck: _rule(own) for deck, _, own in written.decks}, EVERY_DECK: _rule(written)}


def _rule(written: Shape) -> ThemeRule:
    values = {key: value for key, value in written.written.items() if key not in ("like", "decks")}
    return ThemeRule(values, written.source, written.sources, written.like if isinstance(written, StyleKeys) else None)


def _over(base: Mapping[str, ThemeRule], rules: Mapping[str, ThemeRule]) -> dict[str, ThemeRule]:
    """Return the rules of a theme over those of the theme it extends: name by name, key by key."""
    merged = dict(base)
    for name, rule in rules.items():
        known = merged.get(name)
        if known is not None and rule.like is None:
            sources = {**known.sources, **rule.sources}
            rule = ThemeRule({**known.values, **rule.values}, rule.source, sources, known.like)
        merged[name] = rule
    return merged


def _problems_of(theme: Theme) -> Iterator[Problem]:
    """Yield the names in a theme that lead nowhere.

    Problems: `bad-colour`, `unknown-colour`, `unknown-style`, `unknown-font-role`, `bad-imprint`.
    """
    yield from _colours(theme)
    yield from _styles(theme)
    yield from _imprint(theme)
    for rule in theme.qr.values():
        yield from _unknown_colour(theme, rule, "fill", "the code of a report")
        if rule.values.get("ground") != NONE:
            yield from _unknown_colour(theme, rule, "ground", "the code of a report")


def _unknown_colour(theme: Theme, rule: ThemeRule, key: str, whose: str) -> Iterator[Problem]:
    colour = rule.values.get(key)
    if isinstance(colour, str) and colour not in theme.colours and hex_colour(colour) is None:
        what = f"{whose} has the {key} {colour!r}, which is not a role"
        yield Problem("unknown-colour", rule.sources[key], what, did_you_mean(colour, theme.colours))


def _colours(theme: Theme) -> Iterator[Problem]:
    for role, inks in theme.colours.items():
        for colour, source in inks.values():
            if colour == NONE or hex_colour(colour) is not None or (colour in theme.colours and colour != role):
                continue
            what = f"the colour {colour!r} of {role!r} is neither #rrggbb nor another role, nor 'none'"
            fix = "write it as #rrggbb" if colour.startswith("#") else did_you_mean(colour, theme.colours)
            yield Problem("bad-colour", source, what, fix)


def _styles(theme: Theme) -> Iterator[Problem]:
    for name, rule in theme.styles.items():
        if rule.like is not None and (rule.like.text not in theme.styles or _is_like_itself(theme, name)):
            what = f"the text style {name!r} is like {rule.like.text!r}, which leads nowhere"
            others = [other for other in theme.styles if other != name]
            yield Problem("unknown-style", rule.like.source, what, did_you_mean(rule.like.text, others))
        font = rule.values.get("font")
        if isinstance(font, str) and font not in theme.families:
            what = f"the text style {name!r} has the font {font!r}, which is not one of the families' roles"
            yield Problem("unknown-font-role", rule.sources["font"], what, did_you_mean(font, theme.families))
        yield from _unknown_colour(theme, rule, "colour", f"the text style {name!r}")


def _is_like_itself(theme: Theme, name: str) -> bool:
    seen = {name}
    rule: ThemeRule | None = theme.styles[name]
    while rule is not None and rule.like is not None:
        if rule.like.text in seen:
            return True
        seen.add(rule.like.text)
        rule = theme.styles.get(rule.like.text)
    return False


def _imprint(theme: Theme) -> Iterator[Problem]:
    rules = theme.imprint.values()
    for rule in rules:
        style, text = rule.values.get("style"), rule.values.get("text")
        if isinstance(style, str) and style not in theme.styles:
            what = f"the imprint is set in {style!r}, which is not a text style"
            yield Problem("unknown-style", rule.sources["style"], what, did_you_mean(style, theme.styles))
        yield from _unknown_colour(theme, rule, "colour", "the imprint")
        for name in NAME.findall(text) if isinstance(text, str) else ():
            if name not in NAMES:
                what = f"the text of the imprint names {{{name[:40]}}}, which it does not know"
                yield Problem("bad-imprint", rule.sources["text"], what, did_you_mean(name, NAMES))
    shown = [rule for rule in rules if rule.values.get("show")]
    if shown and not any("style" in rule.values for rule in rules) and "imprint" not in theme.styles:
        what = "the imprint is set in the text style 'imprint', which the theme does not have"
        fix = "add it under 'text', or begin the theme with 'extends: base'"
        yield Problem("unknown-style", shown[0].source, what, fix)
