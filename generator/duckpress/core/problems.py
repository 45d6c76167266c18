"""What is wrong, where, and how to fix it: problems are values, gathered and shown all at once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from enum import StrEnum
from itertools import islice
from typing import Generic, NamedTuple, TypeVar

from duckpress.core.limits import how_to_raise, limit, written

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Level(StrEnum):
    """How much a problem weighs: an error stops the printing, a warning still prints well, a note informs."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


_RANKS = {level: rank for rank, level in enumerate(reversed(Level))}


class Source(NamedTuple):
    """A place in a file: path as seen from the workspace (with `/`), line and column counted from 1."""

    file: str
    line: int = 1
    column: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


NOWHERE = Source("")


class Problem(NamedTuple):
    """One mistake: a stable code, its source, its description (quoting the value) and the next action to take.

    What is found at several player counts and in several variants is a problem for each, with the same `cause`;
    `occurs` says where that is found: `at 5 to 7 players, in every variant`. The same mistake of many cards is one for
    each, with the same `cause` and without `occurs`; `weight` says which of them is worst. Where it is told of the
    first card only, `others` are the words for the other cards, as `what` begins with those for the first.
    """

    code: str
    source: Source
    what: str
    fix: str = ""
    level: Level = Level.ERROR
    game: str | None = None
    players: int | None = None
    variant: str | None = None
    cause: str = ""
    occurs: str = ""
    weight: float = 0.0
    others: tuple[str, ...] = ()

    def __str__(self) -> str:
        head = f"{self.source}: {self.level.value}[{self.code}]: {self.what}"
        return f"{head}\n    fix: {self.fix}" if self.fix else head

    @property
    def heading(self) -> str:
        """The words before `what` that name the player count and the variant."""
        players = f"{self.players} {'player' if self.players == 1 else 'players'}" if self.players is not None else ""
        variant = f"variant {self.variant!r}" if self.variant is not None else ""
        return ", ".join(filter(None, (players, variant)))

    @property
    def headed(self) -> Problem:
        return self._replace(what=f"{self.heading}: {self.what}") if self.heading else self

    @property
    def order(self) -> tuple[object, ...]:
        """The key that sorts problems: notes, warnings, errors; then by place, player count, variant, code and words.

        Errors come last, next to the prompt. All that tells two problems apart is in it, so that their order never
        hangs on how they were gathered.
        """
        place = (_RANKS[self.level], self.source, self.players or 0, self.variant or "")
        return (*place, self.code, self.what, self.fix, self.game or "", self.players is None)


# Looking for what a word may mean compares it with every name. For one game no more is done than this; a game with more
# mistakes than that is told what they are all the same, only not what is near.
_MOST_NAMES = 4_000_000
_COMPARISON = 200  # comparing with one name takes as long as sorting so many in
_LONGEST = 100
_MANY = 500
_MOST_LETTERS = 200  # of names that a fix lists without leaving some out
_looked_at = [0]  # names, since a game was begun


def begin_looking() -> None:
    _looked_at[0] = 0


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word nearest to a misspelt one, or None if none is near."""
    if len(word) > _LONGEST or _looked_at[0] > _MOST_NAMES:
        return None
    names = list(known)
    _looked_at[0] += len(names)
    if len(names) > _MANY:
        first, last = word[:1].casefold(), word[-1:].casefold()
        as_long = (name for name in names if abs(len(name) - len(word)) <= 2)
        near = (name for name in as_long if name[:1].casefold() == first or name[-1:].casefold() == last)
        names = list(islice(near, _MANY))
    _looked_at[0] += _COMPARISON * len(names)
    folded = {name[:_LONGEST].casefold(): name for name in reversed(names)}
    import difflib  # only for whoever made a mistake

    close = difflib.get_close_matches(word.casefold(), list(folded), n=1, cutoff=0.6)
    return folded[close[0]] if close else None


def same_word(text: str, words: Collection[str]) -> str | None:
    """Return the word that is written: the same, else the only one that differs in capitals alone."""
    if text in words:
        return text
    folded = text.casefold()
    alike = [word for word in words if word.casefold() == folded]
    return alike[0] if len(alike) == 1 else None


def did_you_mean(word: str, known: Iterable[str], *, else_say: str = "use one of") -> str:
    """Return the words of a fix: the nearest known name, or if none is near all, of many long ones the first twelve."""
    if _looked_at[0] > _MOST_NAMES:
        return "correct the name"
    names = sorted(known)
    near = nearest(word, names)
    if near is not None:
        return f"did you mean {near!r}?"
    most = len(names) if sum(map(len, names)) <= _MOST_LETTERS else 12
    shown = ", ".join(name[:_LONGEST] for name in names[:most]) + (", ..." if len(names) > most else "")
    return f"{else_say}: {shown}" if names else ""


_REPORT_IT = (
    "this is a fault in duckpress, not in the game: please report it; "
    "`duckpress build --force` prints the game all the same, marked UNPROVEN"
)


def fault(code: str, what: str, source: Source = NOWHERE) -> Problem:
    """Return a problem that is the program's own fault, never the game's."""
    return Problem(code, source, what, _REPORT_IT)


def is_fault(problem: Problem) -> bool:
    """Return whether a problem is a fault of the program: nobody can accept it, and its subject is unproven."""
    return problem.fix == _REPORT_IT


def has_errors(problems: Iterable[Problem]) -> bool:
    return any(problem.level is Level.ERROR for problem in problems)


def sorted_problems(problems: Iterable[Problem]) -> list[Problem]:
    """Return the problems in the order of the report, without repetitions."""
    return sorted(set(problems), key=lambda problem: problem.order)


class Mistake(Exception):
    """What stops a computation or a reading, in the words of a problem: `code`, `what` is wrong, how to `fix` it."""

    def __init__(self, code: str, what: str, fix: str = "") -> None:
        super().__init__(what)
        self.code, self.what, self.fix = code, what, fix

    def problem(self, source: Source) -> Problem:
        return Problem(self.code, source, self.what, self.fix)


class MachineError(Exception):
    """The machine cannot do its part (disk full, folder read-only, no usable font): one message, exit status 3."""


class UnusableContent(MachineError):
    """Content that cannot be printed, and that no earlier check could detect: its problems, exit status 1."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__(*problems)
        self.problems = problems

    def __str__(self) -> str:
        return "\n".join(map(str, self.problems))


class Read(NamedTuple, Generic[T_co]):
    """A value that was read, and what is wrong with it."""

    value: T_co
    problems: Sequence[Problem] = ()


class ProblemList(list[Problem]):
    """The problems of one function, up to one more than may be reported; the rest is dropped."""

    @property
    def is_full(self) -> bool:
        """Whether there are more problems than may be reported, so that reading can stop."""
        return len(self) > limit("problems")

    def append(self, problem: Problem) -> None:
        if not self.is_full:
            super().append(problem)

    def extend(self, problems: Iterable[Problem]) -> None:
        for problem in problems:
            self.append(problem)

    def __iadd__(self, problems: Iterable[Problem]) -> ProblemList:  # type: ignore[override, misc]
        self.extend(problems)
        return self

    def add(self, code: str, source: Source, what: str, fix: str = "", level: Level = Level.ERROR) -> None:
        self.append(Problem(code, source, what, fix, level))

    def take(self, read: Read[T]) -> T:
        """Return a value that was read, and add its problems to the list."""
        if read.problems:
            self.extend(read.problems)
        return read.value

    def cut(self, source: Source) -> list[Problem]:
        """Return the first problems, as many as may be reported, and at `source` a problem that says there are more."""
        most = limit("problems")
        what = f"there are more than {written(most)} problems; what comes behind them was not looked at"
        fix = f"correct these first; {how_to_raise('problems')}"
        return [*self[:most], Problem("too-many-problems", source, what, fix)]
