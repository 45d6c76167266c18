"""How a game is set up (first cut; the rules room completes it)."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Setup:
    """The steps of a setup."""
