"""Theme files -> `Theme`: colours by role and ink, font families, text styles, icon aliases; `Look` is one ink of it.

A theme `extends` another: its colours, families and icons are added to the other's, and a text style of the same name
changes only the keys it writes. Problems: `missing-theme`, `theme-loop`, `bad-colour`, `unknown-colour`,
`unknown-style`, `unknown-font-role`, and those of strict reading.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from duckpress import content
from duckpress.art.colours import hex_colour
from duckpress.content import Reader, read_yaml
from duckpress.core.inks import INKS
from duckpress.core.problems import Problem, Source, did_you_mean, has_errors
from duckpress.files.workspace import Refused, Workspace
from duckpress.fonts import WEIGHTS
from duckpress.layout.theme.imprint_rule import ImprintRule, check_imprint, merged, read_imprint
from duckpress.layout.theme.report_rule import check_report_rules, read_report_rules

ALIGNS = ("left", "center", "right", "justify")
NONE = "none"  # the colour of what is not painted
MAX_ANCESTORS = 8


class Written(Struct, frozen=True):
    """A word of a theme (a colour, a family, an icon's file) and where it stands."""

    text: str
    source: Source


class StyleRule(NamedTuple):
    """What a theme says about a text style: only the keys that are written, and the style it is `like`."""

    values: Mapping[str, object]
    like: Written | None
    source: Source
    sources: Mapping[str, Source]


class Theme(Struct, frozen=True):
    """The look of a game, for every ink, with the themes it extends worked in."""

    name: str
    source: Source
    families: dict[str, Written] = field(default_factory=dict)
    colours: dict[str, dict[str, Written]] = field(default_factory=dict)
    styles: dict[str, StyleRule] = field(default_factory=dict)
    icons: dict[str, Written] = field(default_factory=dict)
    imprint: dict[str, ImprintRule] = field(default_factory=dict)
    qr: dict[str, ImprintRule] = field(default_factory=dict)


def load_theme(
    workspace: Workspace, game_id: str, name: str, named_at: Source | None = None
) -> tuple[Theme | None, list[Problem]]:
    """Give a theme and the themes behind it as one: the game's own `theme.yaml` where it bears the game's name.

    `named_at` is where the game names it; without it, a theme that is missing is told of `game.yaml` as a whole.
    """
    problems: list[Problem] = []
    theme = _load(workspace, game_id, name, named_at or Source(f"content/{game_id}/game.yaml"), (), problems)
    if theme is not None:
        _check(theme, problems)
    return (None if has_errors(problems) else theme), problems


def theme_path(workspace: Workspace, game_id: str, name: str) -> str | None:
    """Give the file of a theme, or None where there is none."""
    own = (f"content/{game_id}/theme.yaml",) if name == game_id else (f"content/{game_id}/themes/{name}.yaml",)
    return next((path for path in (*own, f"layouts/themes/{name}.yaml") if workspace.has(path)), None)


def _load(
    workspace: Workspace, game_id: str, name: str, used_at: Source, below: tuple[str, ...], problems: list[Problem]
) -> Theme | None:
    path = theme_path(workspace, game_id, name)
    if path is None:
        files = workspace.files("layouts/themes", ".yaml") + workspace.files(f"content/{game_id}/themes", ".yaml")
        known = [file.rpartition("/")[2].removesuffix(".yaml") for file in files]
        problems.append(Problem("missing-theme", used_at, f"there is no theme {name!r}", did_you_mean(name, known)))
        return None
    if path in below or len(below) >= MAX_ANCESTORS:
        problems.append(Problem("theme-loop", used_at, f"the theme {name!r} extends itself", "take one 'extends' away"))
        return None
    try:
        node = read_yaml(path, workspace.read(path), problems)
    except Refused as refused:
        problems.append(refused.problem(used_at))
        return None
    reader = Reader.of(node, f"the theme {name!r}", problems) if node is not None else None
    if reader is None:
        return None
    parent_name = reader.text("extends", None)
    theme = Theme(name, Source(path))
    if parent_name is not None:
        parent = _load(workspace, game_id, parent_name, reader.at("extends"), (*below, path), problems)
        if parent is not None:
            theme = replace(parent, name=name, source=Source(path))
    theme.families.update(_texts(reader.reader("families")))
    theme.icons.update(_texts(reader.reader("icons")))
    theme.colours.update(_colours(reader.reader("colours")))
    theme.imprint.update(merged(theme.imprint, read_imprint(reader.reader("imprint"))))
    theme.qr.update(merged(theme.qr, read_report_rules(reader.reader("qr"))))
    styles = reader.reader("text")
    for style in styles.keys() if styles is not None else ():
        rule = _style(styles.reader(style)) if styles is not None else None
        if rule is not None:
            theme.styles[style] = _merged(theme.styles.get(style), rule)
    reader.finish()
    return theme


def _texts(reader: Reader | None) -> dict[str, Written]:
    keys = reader.keys() if reader is not None else ()
    return {key: Written(reader.text(key), reader.at(key)) for key in keys} if reader is not None else {}


def _colours(reader: Reader | None) -> dict[str, dict[str, Written]]:
    colours: dict[str, dict[str, Written]] = {}
    for role in reader.keys() if reader is not None else ():
        assert reader is not None
        if isinstance(reader.node(role), content.Mapping):
            inner = reader.reader(role)
            assert inner is not None
            written = inner.keys()
            colours[role] = {ink: Written(inner.text(ink), inner.at(ink)) for ink in INKS if ink in written}
            inner.text("color")
            for ink in INKS:
                inner.node(ink)  # so that `finish` knows all the inks there could be
            inner.finish()
        else:
            colours[role] = {"color": Written(reader.text(role), reader.at(role))}
    return colours


def _style(reader: Reader | None) -> StyleRule | None:
    if reader is None:
        return None
    read: dict[str, Callable[[str], object]] = {
        "font": reader.text,
        "size": lambda key: reader.number(key, low=2, high=400),
        "min": lambda key: reader.number(key, low=2, high=400),
        "leading": lambda key: reader.number(key, low=0.7, high=4),
        "align": lambda key: reader.choice(key, ALIGNS),
        "colour": reader.text,
        "weight": lambda key: reader.choice(key, tuple(WEIGHTS)),
        "italic": reader.yes_no,
        "hyphenate": reader.yes_no,
        "caps": reader.yes_no,
        "small-caps": reader.yes_no,
        "tracking": lambda key: reader.number(key, low=-200, high=1000),
    }
    written = reader.keys()
    values = {key: read_key(key) for key, read_key in read.items() if key in written}
    like = Written(reader.text("like"), reader.at("like")) if "like" in written else None
    for key in read:
        reader.node(key)  # so that `finish` knows all the keys there could be
    reader.node("like")
    reader.finish()
    return StyleRule(values, like, reader.source, reader.sources())


def _merged(old: StyleRule | None, new: StyleRule) -> StyleRule:
    if old is None or new.like is not None:
        return new
    return StyleRule({**old.values, **new.values}, old.like, new.source, {**old.sources, **new.sources})


def _check(theme: Theme, problems: list[Problem]) -> None:
    """Report every name in a theme that leads nowhere."""
    for role, inks in theme.colours.items():
        for written in inks.values():
            if written.text == NONE or hex_colour(written.text) is not None:
                continue
            if written.text not in theme.colours or written.text == role:
                what = f"the colour {written.text!r} of {role!r} is neither #rrggbb nor another role, nor 'none'"
                is_hex = written.text.startswith("#")
                fix = "write it as #rrggbb" if is_hex else did_you_mean(written.text, theme.colours)
                problems.append(Problem("bad-colour", written.source, what, fix))
    for name, rule in theme.styles.items():
        if rule.like is not None and (rule.like.text not in theme.styles or _is_like_itself(theme, name)):
            what = f"the text style {name!r} is like {rule.like.text!r}, which leads nowhere"
            others = [other for other in theme.styles if other != name]
            problems.append(Problem("unknown-style", rule.like.source, what, did_you_mean(rule.like.text, others)))
        font, colour = rule.values.get("font"), rule.values.get("colour")
        if isinstance(font, str) and font not in theme.families:
            what = f"the text style {name!r} has the font {font!r}, which is not one of the families' roles"
            fix = did_you_mean(font, theme.families)
            problems.append(Problem("unknown-font-role", rule.sources["font"], what, fix))
        if isinstance(colour, str) and colour not in theme.colours and hex_colour(colour) is None:
            what = f"the text style {name!r} has the colour {colour!r}, which is not a role"
            fix = did_you_mean(colour, theme.colours)
            problems.append(Problem("unknown-colour", rule.sources["colour"], what, fix))
    check_imprint(theme.imprint, theme.styles, theme.colours, problems)
    check_report_rules(theme.qr, theme.colours, problems)


def _is_like_itself(theme: Theme, name: str) -> bool:
    seen = {name}
    rule: StyleRule | None = theme.styles[name]
    while rule is not None and rule.like is not None:
        if rule.like.text in seen:
            return True
        seen.add(rule.like.text)
        rule = theme.styles.get(rule.like.text)
    return False
