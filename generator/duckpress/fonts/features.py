"""The OpenType features under which words are shaped: what any reader expects, and what styles ask for beside it."""

from __future__ import annotations

Features = tuple[tuple[str, bool], ...]

# Discretionary ligatures ("st", "ct") are for titles set by hand; the rest is what any reader expects.
USUAL_FEATURES: Features = (("kern", True), ("liga", True), ("clig", True), ("calt", True), ("dlig", False))
# Spaced-out letters must not be joined. Source: CSS Text 3, letter-spacing.
SPACED_FEATURES: Features = (("kern", True), ("liga", False), ("clig", False), ("calt", False), ("dlig", False))
SMALL_CAPS: Features = (("smcp", True),)
FIGURES: dict[str, Features] = {
    "own": (),
    "lining": (("lnum", True),),
    "tabular": (("lnum", True), ("tnum", True)),
    "old-style": (("onum", True),),
}
"""By how a style has its figures; a font without a feature keeps its own."""
