"""A theme: the look of a game for every ink, with the places of imprints and codes; `Look` is one ink of it.

A theme `extends` another: its colours, families and icons are added to those of the other, and a text style of the same
name changes only the keys it writes.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from duckpress.art.values import grey_of, typed_colour
from duckpress.content import Shape, read_shape, read_yaml
from duckpress.content.yaml.kinds import Placed
from duckpress.core.backs import CLEAN
from duckpress.core.problems import Problem, ProblemList, Read, Source, did_you_mean, has_errors, same_word
from duckpress.files.workspace import Refused, Workspace
from duckpress.layout.theme_keys import REQUIRED, CodeKeys, ImprintKeys, StyleKeys, ThemeKeys
from duckpress.text import TextStyle, emoji_name

NONE = "none"  # the colour of what is not painted
NAMES = ("game", "version", "code", "card", "deck")
"""Names that the text of an imprint may have in braces."""
EVERY_DECK = ""
NAME = re.compile(r"\{([^{}]*)\}")
_LENGTHS = {"inset": "inset_mm", "x": "x_mm", "y": "y_mm", "size": "size_mm"}
_Record = TypeVar("_Record", "Imprint", "ReportRule")


class ThemeRule(NamedTuple):
    """A theme's rule for a text style, or for a mark on the cards of one deck or of all.

    It has only the keys that are written, each with its place, and the text style that it is `like`.
    """

    values: Mapping[str, object]
    source: Source
    sources: Mapping[str, Source]
    like: Placed | None = None


class Theme(Struct, frozen=True):
    """The look of a game, for every ink, merged with the themes it extends.

    `imprint` and `qr` are by deck id, the rule of all decks under `EVERY_DECK`.
    """

    name: str
    source: Source
    families: dict[str, Placed] = field(default_factory=dict)
    colours: dict[str, dict[str, Placed]] = field(default_factory=dict)
    styles: dict[str, ThemeRule] = field(default_factory=dict)
    icons: dict[str, Placed] = field(default_factory=dict)
    imprint: dict[str, ThemeRule] = field(default_factory=dict)
    qr: dict[str, ThemeRule] = field(default_factory=dict)
    is_vector_required: bool = False


class DeckMark(Struct, frozen=True):
    """The place of a mark on the cards of a deck. `inset_mm` is from the cut; None: the inset of the safe zone."""

    show: bool = False
    place: str = "bottom-left"
    side: str = "front"
    inset_mm: float | None = None
    x_mm: float = 0.0
    y_mm: float = 0.0


class Imprint(DeckMark, frozen=True):
    """The settings of a deck's imprint."""

    style: str = "imprint"
    colour: str | None = None
    turn: int = 0
    text: str = "{game} {version} · {code}"


class ReportRule(DeckMark, frozen=True):
    """The settings of a deck's report code. `size_mm` is its side, with `quiet` modules of light rim on all sides."""

    place: str = "bottom-right"
    size_mm: float = 12.0
    quiet: int = 4  # source: ISO/IEC 18004, 6.3.8
    fill: str = "ink"
    ground: str = "#ffffff"


def rule_of(rules: Mapping[str, ThemeRule], deck: str, record: type[_Record]) -> tuple[_Record, Source]:
    """Return the settings of a deck's imprint or code, and the most specific source."""
    common, own = rules.get(EVERY_DECK), rules.get(deck)
    values: dict[str, Any] = {**(common.values if common else {}), **(own.values if own else {})}
    source = own.source if own else common.source if common else Source("")
    return record(**{_LENGTHS.get(key, key): value for key, value in values.items()}), source


def in_finish(theme: Theme, finish: str, *, has_address: bool) -> Theme:
    """Return a theme with imprints and codes as a finish requires; without a finish, unchanged.

    Clean faces have none. Those of a prototype have imprints, but for decks that say otherwise, and the theme's codes
    where these lead to an address.
    """
    if not finish:
        return theme
    if finish == CLEAN:
        return replace(theme, imprint={}, qr={})
    common = theme.imprint.get(EVERY_DECK, ThemeRule({}, theme.source, {}))
    imprint = theme.imprint
    if common.values.get("style", Imprint().style) in theme.styles:
        imprint = {**imprint, EVERY_DECK: common._replace(values={**common.values, "show": True})}
    return replace(theme, imprint=imprint, qr=theme.qr if has_address else {})


class Look(Struct, frozen=True):
    """A theme in one ink: role -> `#rrggbb`, style name -> style, icon alias -> file.

    What is painted in a role of `unpainted`, or set in a style of that colour, is left out in this ink.
    """

    palette: dict[str, str]
    styles: dict[str, TextStyle]
    icons: dict[str, str]
    ink: str = "color"
    unpainted: frozenset[str] = frozenset()
    fonts_at: dict[str, Source] = {}  # by style: where its family is named
    is_vector_required: bool = False

    @property
    def is_grey(self) -> bool:
        return self.ink == "grey"

    def colour(self, text: str) -> str | None:
        """Return the `#rrggbb` of a role or of a written colour, `none` for what is not painted; None if unknown."""
        if text in self.palette:
            return self.palette[text]
        colour = meant_colour(text, (*self.palette, *self.unpainted))
        if colour is None or not colour.startswith("#"):
            return None if colour is None else self.palette.get(colour, NONE)
        return grey_of(colour) if self.is_grey else colour


def meant_colour(text: str, roles: Collection[str], of: str = "") -> str | None:
    """Return the role that a text names in any case, `none`, or the `#rrggbb` that it writes; None for other texts.

    `of` is the role whose colour this is: `red: red` is the red of CSS.
    """
    role = same_word(text, {*roles, NONE}) if not text.startswith("#") else None
    if role is None and text.casefold() in map(str.casefold, roles):
        return None  # several roles differ in capitals alone
    return typed_colour(text) if role is None or role == of else role


def look_of(theme: Theme, ink: str) -> Look:
    """Return the look of a checked theme in `color`, `low` or `grey` ink.

    A role without a value for low ink keeps its colour; without one for grey it becomes the grey as light as it looks.
    """
    colours = {role: _resolved(theme, role, ink) for role in theme.colours}
    palette = {role: colour for role, colour in colours.items() if colour is not None}
    unpainted = frozenset((*(colours.keys() - palette.keys()), NONE))
    icons = {emoji_name(alias): written.text for alias, written in theme.icons.items()}
    look = Look(palette, {}, icons, ink, unpainted, is_vector_required=theme.is_vector_required)
    styles, fonts_at = {}, {}
    for name, rule in theme.styles.items():
        values = _values(theme, rule)
        role = str(values.get("font", next(iter(theme.families), "")))
        family = theme.families.get(role) or Placed(role, rule.sources.get("font", rule.source))
        styles[name] = _text_style(values, family.text, look)
        fonts_at[name] = family.source
    return replace(look, styles=styles, fonts_at=fonts_at)


def _resolved(theme: Theme, role: str, ink: str) -> str | None:
    seen = set()
    while role not in seen and role in theme.colours:
        seen.add(role)
        inks = theme.colours[role]
        written = inks.get(ink) or inks["color"]
        colour = meant_colour(written.text, theme.colours, role)
        if colour is not None and colour.startswith("#"):
            return grey_of(colour) if ink == "grey" else colour
        role = colour or written.text
    return None if role == NONE else "#000000"


def _text_style(values: Mapping[str, Any], family: str, look: Look) -> TextStyle:
    size_pt = float(values.get("size", 9.0))
    return TextStyle(
        family=family,
        weight=str(values.get("weight", "regular")),
        is_italic=bool(values.get("italic", False)),
        size_pt=size_pt,
        min_pt=min(size_pt, float(values.get("min", size_pt))),
        leading=float(values.get("leading", 1.2)),
        align=str(values.get("align", "left")),
        colour=look.colour(str(values.get("colour", "ink"))) or "#000000",
        is_hyphenated=bool(values.get("hyphenate", False)),
        tracking=float(values.get("tracking", 0.0)),
        caps="upper" if values.get("caps") else "small" if values.get("small-caps") else "none",
        figures=str(values.get("figures", "own")),
    )


def _values(theme: Theme, rule: ThemeRule) -> dict[str, Any]:
    if rule.like is None:
        return dict(rule.values)
    inherited = _values(theme, theme.styles[rule.like.text])
    if "size" in rule.values and "min" not in rule.values:
        inherited.pop("min", None)  # a smallest size belongs to the size it was written with
    return inherited | dict(rule.values)


_MOST_ANCESTORS = 8


def load_theme(
    workspace: Workspace, game_id: str, name: str, named_at: Source | None = None
) -> tuple[Theme | None, list[Problem]]:
    """Return a theme merged with its base themes: the game's own `theme.yaml` if it has the game's name.

    `named_at` is where the game names it; without it, a theme that is missing is told of `game.yaml` as a whole.
    """
    theme, read_problems = _read(workspace, game_id, name, named_at or Source(f"content/{game_id}/game.yaml"))
    problems = [*read_problems, *(_problems_of(theme) if theme is not None else ())]
    return (None if has_errors(problems) else theme), problems


def _read(
    workspace: Workspace, game_id: str, name: str, named_at: Source, heirs: tuple[str, ...] = ()
) -> Read[Theme | None]:
    """Return a theme merged with those that it extends, None if it cannot be read; `named_at` is where it is named.

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
        styles=_merged_rules(base.styles, {style: _rule(keys) for style, _, keys in written.text}),
        icons={**base.icons, **{alias: file for alias, _, file in written.icons}},
        is_vector_required=written.vector == REQUIRED if written.vector else base.is_vector_required,
        imprint=_merged_rules(base.imprint, _deck_rules(written.imprint)),
        qr=_merged_rules(base.qr, _deck_rules(written.qr)),
    )
    return Read(theme, problems)


def _deck_rules(written: ImprintKeys | CodeKeys | None) -> dict[str, ThemeRule]:
    if written is None:
        return {}
    return {**{deck: _rule(own) for deck, _, own in written.decks}, EVERY_DECK: _rule(written)}


def _rule(written: Shape) -> ThemeRule:
    values = {key: value for key, value in written.written.items() if key not in ("like", "decks")}
    return ThemeRule(values, written.source, written.sources, written.like if isinstance(written, StyleKeys) else None)


def _merged_rules(base: Mapping[str, ThemeRule], rules: Mapping[str, ThemeRule]) -> dict[str, ThemeRule]:
    """Return a theme's rules merged over those of the theme it extends: name by name, key by key."""
    merged = dict(base)
    for name, rule in rules.items():
        known = merged.get(name)
        if known is not None and rule.like is None:
            sources = {**known.sources, **rule.sources}
            rule = ThemeRule({**known.values, **rule.values}, rule.source, sources, known.like)
        merged[name] = rule
    return merged


def _problems_of(theme: Theme) -> Iterator[Problem]:
    """Yield the problems of unknown names in a theme.

    Problems: `bad-colour`, `unknown-colour`, `unknown-style`, `unknown-font-role`, `bad-imprint`.
    """
    for role, inks in theme.colours.items():
        for colour, source in inks.values():
            if meant_colour(colour, theme.colours, role) is not None:
                continue
            what = f"the colour {colour!r} of {role!r} is neither #rrggbb nor another role, nor 'none'"
            fix = "write it as #rrggbb" if colour.startswith("#") else did_you_mean(colour, theme.colours)
            yield Problem("bad-colour", source, what, fix)
    yield from _styles(theme)
    yield from _imprint(theme)
    for rule in theme.qr.values():
        yield from _unknown_colour(theme, rule, "fill", "the code of a report")
        if rule.values.get("ground") != NONE:
            yield from _unknown_colour(theme, rule, "ground", "the code of a report")


def _unknown_colour(theme: Theme, rule: ThemeRule, key: str, whose: str) -> Iterator[Problem]:
    colour = rule.values.get(key)
    if isinstance(colour, str) and meant_colour(colour, theme.colours) in (None, NONE) and colour not in theme.colours:
        what = f"{whose} has the {key} {colour!r}, which is not a role"
        yield Problem("unknown-colour", rule.sources[key], what, did_you_mean(colour, theme.colours))


def _styles(theme: Theme) -> Iterator[Problem]:
    for name, rule in theme.styles.items():
        seen, at = {name}, rule.like
        while at is not None and at.text in theme.styles and at.text not in seen:
            seen.add(at.text)
            at = theme.styles[at.text].like
        if rule.like is not None and (rule.like.text not in theme.styles or (at is not None and at.text in seen)):
            what = f"the text style {name!r} is like {rule.like.text!r}, which leads nowhere"
            others = [other for other in theme.styles if other != name]
            yield Problem("unknown-style", rule.like.source, what, did_you_mean(rule.like.text, others))
        font = rule.values.get("font")
        if isinstance(font, str) and font not in theme.families:
            what = f"the text style {name!r} has the font {font!r}, which is not one of the families' roles"
            yield Problem("unknown-font-role", rule.sources["font"], what, did_you_mean(font, theme.families))
        yield from _unknown_colour(theme, rule, "colour", f"the text style {name!r}")


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
