"""One mistake, one finding: which problems have one cause, and where that occurs, over player counts and variants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from msgspec import Struct, field

from duckpress.core.problems import Problem, Source

_Way = str | None  # how a game is played: None is the basic game
_Places = set[tuple[int, _Way]]
_MOST_NAMED = 3


class Occurrences(Struct):
    """Where was looked, and the player counts and ways to play in which each cause was found.

    Those are included that only repeat what the basic game has: they are no problems of their own.
    """

    looked_at: dict[_Way, Sequence[int]] = field(default_factory=dict)
    places_of: dict[str, _Places] = field(default_factory=dict)

    def grouped(self, problems: Iterable[Problem], players: int, way: _Way) -> list[Problem]:
        """Return the problems of one run, each with a cause of its own, and note where that is."""
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
        """Return problems with the words that say where their cause occurs.

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
    """Return the key that the problems of one mistake share; nothing in it differs by player count or variant."""
    return f"{source} {code} {about}".rstrip()


def occurrence(places: Collection[tuple[int, _Way]], counts_of: Mapping[_Way, Collection[int]]) -> str:
    """Return where a finding occurs: `at 5 to 7 players, in every variant`."""
    ways_at: dict[tuple[int, ...], list[_Way]] = {}
    for way in dict.fromkeys((*counts_of, *(way for _, way in places))):
        counts = tuple(sorted({count for count, where in places if where == way}))
        is_every = len(counts) > 1 and set(counts) == set(counts_of.get(way, ()))
        if counts:
            ways_at.setdefault(() if is_every else counts, []).append(way)
    clauses = [", ".join(filter(None, (_at(at), _in(ways, list(counts_of))))) for at, ways in ways_at.items()]
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


def _in(ways: Sequence[_Way], every: Sequence[_Way]) -> str:
    """Return which ways to play are meant, in as few words as possible; nothing where there is only the basic game."""
    if len(ways) == len(every) > 1:
        return "in every variant"
    parts = dict.fromkeys(part for way in every for part in _parts(way))
    having = next((part for part in parts if [way for way in every if part in _parts(way)] == ways), None)
    lacking = next((part for part in parts if [way for way in every if part not in _parts(way)] == ways), None)
    if having is not None:
        return f"with {having!r}"
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
