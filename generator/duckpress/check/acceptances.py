"""Findings that a game lives with (`accept` in game.yaml) -> notes that say why; they are listed, never hidden."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from duckpress.core.problems import Level, Problem, is_fault
from duckpress.model import Accepted, Game

_CODES = """
    accept-unused bad-amount bad-cells bad-coordinate bad-expression bad-map cannot-place circular-value empty-deck
    empty-take expectation extra-count missing-count name-taken negative-amount no-room not-enough not-whole off-board
    place-dropped place-kind place-too-late player-count playout poor-choice same-card same-shape setup-stopped
    shape-not-allowed shape-too-large some-combinations space-taken too-many-steps torn-shape unbalanced unclear-amount
    uneven-spread unknown-board unknown-contents unknown-deck unknown-fact unknown-field unknown-field-in-text
    unknown-function unknown-name unknown-place unknown-shape unknown-variant unlucky-draw unused-cards
    unused-expectation unused-step unused-variant wrong-perimeter wrong-spaces wrong-total
"""
CODES = tuple(_CODES.split())
"""Every code that the checks here report, each explained in docs/checks.md; scripts and `accept` name them."""
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
    findings = []
    for problem in problems:
        acceptance = next((accepting[key] for key in _keys(problem) if key in accepting), None)
        if acceptance is not None and problem.code not in _NEVER and not is_fault(problem):
            what = f"{problem.what} (accepted: {acceptance.reason})"
            problem = problem._replace(level=Level.NOTE, what=what, fix="")
        findings.append(problem)
    return findings


def unused_acceptances(
    game: Game, problems: Iterable[Problem], *, of_rules: bool, inks: Collection[str] = ()
) -> Iterator[Problem]:
    """Yield an `accept-unused` for each acceptance of a finding, of this room or of the others, that does not occur.

    Of an acceptance in one ink, only where that ink is among those looked at.
    """
    occurring = {key for problem in problems for key in _keys(problem)}
    for accepted in game.accepted:
        is_asked = (accepted.code in CODES) is of_rules and (accepted.ink is None or accepted.ink in inks)
        if is_asked and (accepted.code, accepted.players, accepted.variant) not in occurring:
            where = f" with {accepted.players} players" if accepted.players is not None else ""
            where += f" in variant {accepted.variant!r}" if accepted.variant is not None else ""
            where += f" in ink {accepted.ink!r}" if accepted.ink is not None else ""
            what = f"{accepted.code!r} is accepted{where}, and does not occur"
            yield Problem("accept-unused", accepted.source, what, "delete it from 'accept'", Level.NOTE, game=game.id)


def _keys(problem: Problem) -> list[_Key]:
    """Return what an acceptance of a problem can say of it, the closest first."""
    code, players, variant = problem.code, problem.players, problem.variant
    keys = ((code, players, variant), (code, players, None), (code, None, variant), (code, None, None))
    return list(dict.fromkeys(keys))
