"""Names in a theme that lead nowhere: colours, text styles, families of fonts, names in the text of the imprint."""

from __future__ import annotations

from collections.abc import Iterator

from duckpress.art.colours import hex_colour
from duckpress.core.problems import Problem, did_you_mean
from duckpress.layout.theme.deck_rules import NAME, NAMES
from duckpress.layout.theme.theme import NONE, StyleRule, Theme


def theme_problems(theme: Theme) -> Iterator[Problem]:
    """Yield `bad-colour`, `unknown-colour`, `unknown-style`, `unknown-font-role` and `bad-imprint` of a theme."""
    yield from _colours(theme)
    yield from _styles(theme)
    yield from _imprint(theme)
    yield from _codes(theme)


def _is_colour(theme: Theme, colour: str) -> bool:
    return colour in theme.colours or hex_colour(colour) is not None


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
        font, colour = rule.values.get("font"), rule.values.get("colour")
        if isinstance(font, str) and font not in theme.families:
            what = f"the text style {name!r} has the font {font!r}, which is not one of the families' roles"
            yield Problem("unknown-font-role", rule.sources["font"], what, did_you_mean(font, theme.families))
        if isinstance(colour, str) and not _is_colour(theme, colour):
            what = f"the text style {name!r} has the colour {colour!r}, which is not a role"
            yield Problem("unknown-colour", rule.sources["colour"], what, did_you_mean(colour, theme.colours))


def _is_like_itself(theme: Theme, name: str) -> bool:
    seen = {name}
    rule: StyleRule | None = theme.styles[name]
    while rule is not None and rule.like is not None:
        if rule.like.text in seen:
            return True
        seen.add(rule.like.text)
        rule = theme.styles.get(rule.like.text)
    return False


def _imprint(theme: Theme) -> Iterator[Problem]:
    rules = theme.imprint.values()
    for rule in rules:
        style, colour, text = rule.values.get("style"), rule.values.get("colour"), rule.values.get("text")
        if isinstance(style, str) and style not in theme.styles:
            what = f"the imprint is set in {style!r}, which is not a text style"
            yield Problem("unknown-style", rule.sources["style"], what, did_you_mean(style, theme.styles))
        if isinstance(colour, str) and not _is_colour(theme, colour):
            what = f"the imprint has the colour {colour!r}, which is not a role"
            yield Problem("unknown-colour", rule.sources["colour"], what, did_you_mean(colour, theme.colours))
        for name in NAME.findall(text) if isinstance(text, str) else ():
            if name not in NAMES:
                what = f"the text of the imprint names {{{name[:40]}}}, which it does not know"
                yield Problem("bad-imprint", rule.sources["text"], what, did_you_mean(name, NAMES))
    shown = [rule for rule in rules if rule.values.get("show")]
    if shown and not any("style" in rule.values for rule in rules) and "imprint" not in theme.styles:
        what = "the imprint is set in the text style 'imprint', which the theme does not have"
        fix = "add it under 'text', or begin the theme with 'extends: base'"
        yield Problem("unknown-style", shown[0].source, what, fix)


def _codes(theme: Theme) -> Iterator[Problem]:
    for rule in theme.qr.values():
        for key in ("fill", "ground"):
            colour = rule.values.get(key)
            if isinstance(colour, str) and not _is_colour(theme, colour) and (key, colour) != ("ground", NONE):
                what = f"the code of a report has the {key} {colour!r}, which is not a role"
                yield Problem("unknown-colour", rule.sources[key], what, did_you_mean(colour, theme.colours))
