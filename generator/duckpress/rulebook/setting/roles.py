"""What a theme says of rules sheets, completed: every role a sheet needs, made from the theme's own where it is silent.

A theme need not know that there are rules sheets. What it writes (`rules-h1: {size: 18}`) changes the default of that
name key by key; with a `like` of its own it stands for itself.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from duckpress.content.yaml.kinds import Placed
from duckpress.layout import Theme, ThemeRule

_LIGHT, _DARK = "#ffffff", "#1d1b18"

COLOURS = (
    "rules-ink", "rules-muted", "rules-accent", "rules-line", "rules-panel", "rules-paper", "rules-band",
    "on-rules-band",
)  # fmt: skip


class _Style(Struct, frozen=True):
    like: str
    values: Mapping[str, object]


# Sizes in points, chosen by eye for columns of 80 to 120 mm.
STYLES = {
    "rules-text": _Style("body", {
        "size": 9.6, "leading": 1.3, "align": "left", "colour": "rules-ink", "hyphenate": True,
    }),
    "rules-lead": _Style("rules-text", {"size": 11.5, "leading": 1.34, "hyphenate": False}),
    "rules-small": _Style("rules-text", {"size": 8.4, "leading": 1.27}),
    "rules-callout": _Style("rules-text", {"size": 9.2, "leading": 1.28}),
    "rules-caption": _Style("rules-text", {
        "size": 8.2, "leading": 1.2, "hyphenate": False, "colour": "rules-muted",
    }),
    "rules-table": _Style("rules-text", {"size": 9.2, "leading": 1.18, "hyphenate": False}),
    "rules-table-head": _Style("rules-table", {
        "size": 8.2, "leading": 1.12, "weight": "bold", "colour": "rules-accent",
    }),
    "rules-h1": _Style("title", {
        "size": 15.5, "leading": 1.08, "align": "left", "colour": "rules-accent", "hyphenate": False,
    }),
    "rules-h2": _Style("rules-text", {
        "size": 11.2, "leading": 1.15, "weight": "bold", "hyphenate": False,
    }),
    "rules-h3": _Style("rules-text", {"leading": 1.25, "weight": "bold", "hyphenate": False}),
    "rules-footer": _Style("rules-text", {"size": 7.2, "hyphenate": False, "colour": "rules-muted"}),
    "rules-title": _Style("title", {
        "size": 34, "min": 16, "leading": 1.0, "align": "left", "colour": "on-rules-band", "hyphenate": False,
    }),
    "rules-subtitle": _Style("rules-text", {
        "size": 11.5, "min": 8.5, "leading": 1.15, "hyphenate": False, "colour": "on-rules-band",
    }),
}  # fmt: skip


def with_rules_roles(theme: Theme) -> Theme:
    """Return a theme with every role of rules sheets in it."""
    colours = dict(theme.colours)
    for role, default in _colours(theme).items():
        if role not in colours:
            colours[role] = {ink: Placed(colour, theme.source) for ink, colour in default.items()}
    styles = dict(theme.styles)
    for name, style in STYLES.items():
        styles[name] = _completed(styles.get(name), style, theme)
    return replace(theme, colours=colours, styles=styles)


def _completed(own: ThemeRule | None, style: _Style, theme: Theme) -> ThemeRule:
    if own is not None and own.like is not None:
        return own
    known = style.like in theme.styles or style.like.startswith("rules-")
    like = Placed(style.like, theme.source) if known else None
    values = dict(style.values)
    if "min" not in values and "size" in values:
        values["min"] = values["size"]  # a rules sheet has all the room it needs: nothing shrinks
    if own is None:
        return ThemeRule(values, theme.source, {}, like)
    if "size" in own.values and "min" not in own.values and "min" in values:
        values["min"] = min(values["min"], own.values["size"])  # type: ignore[call-overload]
    return ThemeRule({**values, **own.values}, own.source, own.sources, like)


def _colours(theme: Theme) -> dict[str, dict[str, str]]:
    ink = _first(theme, "ink", else_=_DARK)
    accent = _first(theme, "accent", "signal", else_=ink)
    return {
        "rules-ink": {"color": ink},
        "rules-muted": {"color": _first(theme, "muted", "soft", else_=ink)},
        "rules-accent": {"color": accent},
        "rules-line": {"color": _first(theme, "line", "hair", else_="#b9b2a6")},
        "rules-panel": {"color": _first(theme, "panel", else_="#f2efe8"), "low": _LIGHT},
        "rules-paper": {"color": _LIGHT},
        "rules-band": {"color": "rules-accent", "low": _LIGHT},
        "on-rules-band": {"color": _LIGHT, "low": "rules-ink"},
    }


def _first(theme: Theme, *roles: str, else_: str) -> str:
    return next((role for role in roles if role in theme.colours), else_)
