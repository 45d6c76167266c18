"""Findings that a game lives with: they become notes that say why; they are listed, never hidden."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from duckpress.core.problems import Level, Problem
from duckpress.model import Accepted, Game

_Key = tuple[str, int | None, str | None]  # code, player count, variant
_NEVER = ("setup-stopped", "too-many-steps")  # what was not computed cannot be lived with


def accept_findings(game: Game, problems: Iterable[Problem], ink: str | None = None) -> list[Problem]:
    """Return the problems with those that `accept` in game.yaml names as notes, the reason added.

    `ink` is the one they were found in; what is accepted in one ink only is a problem in the others.
    """
    accepting: dict[_Key, Accepted] = {}
    for accepted in game.accepted:
        if accepted.ink in (None, ink):
            accepting.setdefault((accepted.code, accepted.players, accepted.variant), accepted)
    return [_accepted(accepting, problem) for problem in problems] if accepting else list(problems)


def unused_acceptances(
    game: Game, problems: Iterable[Problem], *, of_rules: bool, inks: Collection[str] = ()
) -> Iterator[Problem]:
    """Yield an `accept-unused` for each acceptance of a finding, of this room or of the others, that does not occur.

    Of an acceptance in one ink, only where that ink is among those looked at.
    """
    found = {key for problem in problems for key in _keys(problem)}
    for accepted in game.accepted:
        is_asked = (accepted.code in CODES) is of_rules and (accepted.ink is None or accepted.ink in inks)
        if is_asked and (accepted.code, accepted.players, accepted.variant) not in found:
            what = f"{accepted.code!r} is accepted{_circumstances(accepted)}, and does not occur"
            yield Problem("accept-unused", accepted.source, what, "delete it from 'accept'", Level.NOTE, game=game.id)


def _accepted(accepting: Mapping[_Key, Accepted], problem: Problem) -> Problem:
    found = [accepting[key] for key in _keys(problem) if key in accepting]
    if not found or problem.code in _NEVER:
        return problem
    return problem._replace(level=Level.NOTE, what=f"{problem.what} (accepted: {found[0].reason})", fix="")


def _keys(problem: Problem) -> list[_Key]:
    """Return what an acceptance of a problem can say of it, the closest first."""
    code, players, variant = problem.code, problem.players, problem.variant
    both = ((code, players, variant), (code, players, None), (code, None, variant), (code, None, None))
    return list(dict.fromkeys(both))


def _circumstances(accepted: Accepted) -> str:
    words = []
    if accepted.players is not None:
        words.append(f"with {accepted.players} players")
    if accepted.variant is not None:
        words.append(f"in variant {accepted.variant!r}")
    if accepted.ink is not None:
        words.append(f"in ink {accepted.ink!r}")
    return f" {' '.join(words)}" if words else ""


_CODES = """
    accept-unused bad-amount bad-cells bad-coordinate bad-expression bad-map cannot-place circular-value empty-deck
    expectation extra-count missing-count name-taken negative-amount no-room not-enough not-whole off-board
    place-dropped place-kind place-too-late player-count same-card same-shape setup-stopped shape-not-allowed
    shape-too-large space-taken too-many-steps torn-shape unbalanced unclear-amount uneven-spread unknown-board
    unknown-contents unknown-deck unknown-fact unknown-field unknown-field-in-text unknown-function unknown-name
    unknown-place unknown-shape unknown-variant unused-cards wrong-perimeter wrong-spaces wrong-total
"""
CODES = tuple(_CODES.split())
"""Every code that the checks here report, each explained in docs/checks.md; scripts and `accept` name them."""
