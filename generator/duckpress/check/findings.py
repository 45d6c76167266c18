"""Findings: repeated ones are merged, with their places, and accepted ones become notes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct, field

from duckpress.core.problems import Level, Problem, Source, is_fault
from duckpress.model import Accepted, Game

_Way = str | None  # how a game is played: None is the basic game
_Places = set[tuple[int, _Way]]
_MOST_NAMED = 3
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
_NEVER = ("setup-stopped", "too-many-steps")  # what was not computed cannot be lived with


class Occurrences(Struct):
    """The checked player counts and variants, and those in which each cause was found.

    Those are included that only repeat what the basic game has: they are no problems of their own.
    """

    looked_at: dict[_Way, Sequence[int]] = field(default_factory=dict)
    places_of: dict[str, _Places] = field(default_factory=dict)

    def grouped(self, problems: Iterable[Problem], players: int, way: _Way) -> list[Problem]:
        """Return the problems of one run, each with a cause of its own, and note their player count and variant."""
        caused: dict[str, Problem] = {}
        numbers: Counter[str] = Counter()
        for problem in dict.fromkeys(problems):
            cause = problem.cause or cause_of(problem.code, problem.source)
            numbers[cause] += 1
            cause += f" ({numbers[cause]})" if numbers[cause] > 1 else ""
            self.places_of.setdefault(cause, set()).add((players, way))
            caused[cause] = problem._replace(cause=cause)
        return list(caused.values())

    def with_places(self, problems: Sequence[Problem]) -> list[Problem]:
        """Return problems with words for the places of their causes.

        Where some of a cause are accepted and others are not, each say their own places.
        """
        own: dict[tuple[str, str], _Places] = {}
        levels: dict[str, set[str]] = {}
        for problem in problems:
            counts = self.looked_at.get(problem.variant, ()) if problem.players is None else (problem.players,)
            own.setdefault((problem.cause, problem.level), set()).update((count, problem.variant) for count in counts)
            levels.setdefault(problem.cause, set()).add(problem.level)
        words = {
            (cause, level): occurrence(self.places_of[cause] if len(levels[cause]) == 1 else places, self.looked_at)
            for (cause, level), places in own.items()
            if cause in self.places_of
        }
        return [problem._replace(occurs=words.get((problem.cause, problem.level), "")) for problem in problems]


def cause_of(code: str, source: Source, about: str = "") -> str:
    """Return the common key of one mistake's problems, equal at all player counts and in all variants."""
    return f"{source} {code} {about}".rstrip()


def occurrence(places: Collection[tuple[int, _Way]], counts_of: Mapping[_Way, Collection[int]]) -> str:
    """Return the places of a finding in words: `at 5 to 7 players, in every variant`."""
    ways_at: dict[tuple[int, ...], list[_Way]] = {}
    for way in dict.fromkeys((*counts_of, *(way for _, way in places))):
        counts = tuple(sorted({count for count, where in places if where == way}))
        is_every = len(counts) > 1 and set(counts) == set(counts_of.get(way, ()))
        if counts:
            ways_at.setdefault(() if is_every else counts, []).append(way)
    clauses = [", ".join(filter(None, (_at(at), _in_words(ways, list(counts_of))))) for at, ways in ways_at.items()]
    if len(clauses) <= _MOST_NAMED:
        return "; ".join(clauses)
    return f"{_at(sorted({count for count, _ in places}))}, not at each of them in every variant"


def _at(counts: Sequence[int]) -> str:
    if not counts:
        return "at every player count"
    spans: list[list[int]] = []
    for count in counts:
        if spans and count == spans[-1][-1] + 1:
            spans[-1].append(count)
        else:
            spans.append([count])
    words = [word for span in spans for word in ([f"{span[0]} to {span[-1]}"] if len(span) > 2 else map(str, span))]
    said = f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else words[0]
    return f"at {said} {'player' if list(counts) == [1] else 'players'}"


def _in_words(ways: Sequence[_Way], every: Sequence[_Way]) -> str:
    """Return variants in as few words as possible; empty if there is only the base game."""
    if len(ways) == len(every) > 1:
        return "in every variant"
    parts = dict.fromkeys(part for way in every for part in _parts(way))
    common = next((part for part in parts if [way for way in every if part in _parts(way)] == ways), None)
    lacking = next((part for part in parts if [way for way in every if part not in _parts(way)] == ways), None)
    if common is not None:
        return f"with {common!r}"
    if lacking is not None and len(ways) > 1:
        return f"without {lacking!r}"
    if len(ways) > _MOST_NAMED:
        return f"in {len(ways)} of {len(every)} ways to play, {_named(ways[0])} for one"
    return " and ".join(map(_named, ways)) if len(every) > 1 or ways[0] is not None else ""


def _named(way: _Way) -> str:
    parts = _parts(way)
    names = " and ".join(map(repr, parts))
    return f"with {names}{' together' if len(parts) > 1 else ''}" if parts else "in the basic game"


def _parts(way: _Way) -> list[str]:
    return way.split(",") if way else []


_Key = tuple[str, int | None, str | None]  # code, player count, variant


def accept_findings(game: Game, problems: Iterable[Problem], ink: str | None = None) -> list[Problem]:
    """Return the problems; those that `accept` in game.yaml names become notes with the reason.

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
    """Yield an `accept-unused` for each acceptance that matches no finding, of rules or else of other checks.

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
    """Return the keys by which an acceptance can match a problem, the most specific first."""
    code, players, variant = problem.code, problem.players, problem.variant
    keys = ((code, players, variant), (code, players, None), (code, None, variant), (code, None, None))
    return list(dict.fromkeys(keys))
