"""What a theme says of rules sheets, completed: every role a sheet needs, made from the theme's own where it is silent.

A theme need not know that there are rules sheets. What it writes (`rules-h1: {size: 18}`) changes the default of that
name key by key; with a `like` of its own it stands for itself.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from duckpress.content.yaml.kinds import Placed
from duckpress.layout import Theme, ThemeRule

_LIGHT = "#ffffff"
_INK = ("ink", "#1d1b18")

# By ink: the first of these roles that the theme has, else the last.
COLOURS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "rules-ink": {"color": _INK},
    "rules-muted": {"color": ("muted", "soft", *_INK)},
    "rules-accent": {"color": ("accent", "signal", *_INK)},
    "rules-line": {"color": ("line", "hair", "#b9b2a6")},
    "rules-panel": {"color": ("panel", "#f2efe8"), "low": (_LIGHT,)},
    "rules-paper": {"color": (_LIGHT,)},
    "rules-band": {"color": ("rules-accent",), "low": (_LIGHT,)},
    "on-rules-band": {"color": (_LIGHT,), "low": ("rules-ink",)},
}

# The style that each is like, and what differs; sizes in points, chosen by eye for columns of 80 to 120 mm.
STYLES: Mapping[str, tuple[str, Mapping[str, object]]] = {
    "rules-text": ("body", {"size": 9.6, "leading": 1.3, "align": "left", "colour": "rules-ink", "hyphenate": True}),
    "rules-lead": ("rules-text", {"size": 11.5, "leading": 1.34, "hyphenate": False}),
    "rules-small": ("rules-text", {"size": 8.4, "leading": 1.27}),
    "rules-callout": ("rules-text", {"size": 9.2, "leading": 1.28}),
    "rules-caption": ("rules-text", {"size": 8.2, "leading": 1.2, "hyphenate": False, "colour": "rules-muted"}),
    "rules-table": ("rules-text", {"size": 9.2, "leading": 1.18, "hyphenate": False}),
    "rules-table-head": ("rules-table", {"size": 8.2, "leading": 1.12, "weight": "bold", "colour": "rules-accent"}),
    "rules-h1": (
        "title",
        {"size": 15.5, "leading": 1.08, "align": "left", "colour": "rules-accent", "hyphenate": False},
    ),
    "rules-h2": ("rules-text", {"size": 11.2, "leading": 1.15, "weight": "bold", "hyphenate": False}),
    "rules-h3": ("rules-text", {"leading": 1.25, "weight": "bold", "hyphenate": False}),
    "rules-footer": ("rules-text", {"size": 7.2, "hyphenate": False, "colour": "rules-muted"}),
    "rules-title": (
        "title",
        {"size": 34, "min": 16, "leading": 1.0, "align": "left", "colour": "on-rules-band", "hyphenate": False},
    ),
    "rules-subtitle": (
        "rules-text",
        {"size": 11.5, "min": 8.5, "leading": 1.15, "hyphenate": False, "colour": "on-rules-band"},
    ),
}


def with_rules_roles(theme: Theme) -> Theme:
    """Return a theme with every role of rules sheets in it."""
    colours = dict(theme.colours)
    for role, by_ink in COLOURS.items():
        if role not in colours:
            own = {
                ink: next((one for one in roles if one in theme.colours), roles[-1]) for ink, roles in by_ink.items()
            }
            colours[role] = {ink: Placed(colour, theme.source) for ink, colour in own.items()}
    styles = dict(theme.styles)
    for name, (like, values) in STYLES.items():
        styles[name] = _completed(styles.get(name), like, values, theme)
    return replace(theme, colours=colours, styles=styles)


def _completed(own: ThemeRule | None, like: str, defaults: Mapping[str, object], theme: Theme) -> ThemeRule:
    if own is not None and own.like is not None:
        return own
    is_known = like in theme.styles or like.startswith("rules-")
    base = Placed(like, theme.source) if is_known else None
    values = dict(defaults)
    if "size" in values:
        values.setdefault("min", values["size"])  # a rules sheet has all the room it needs: nothing shrinks
    if own is None:
        return ThemeRule(values, theme.source, {}, base)
    if "size" in own.values and "min" not in own.values and "min" in values:
        values["min"] = min(values["min"], own.values["size"])  # type: ignore[call-overload]
    return ThemeRule({**values, **own.values}, own.source, own.sources, base)
