"""The steps of a setup and of a round, prepared once as deeds that are done as often as games are played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from duckpress.check.setup_expressions import Stopped
from duckpress.core.problems import Problem
from duckpress.model.amounts import ALL, EVEN
from duckpress.model.setup import Each, Step, Take
from duckpress.playtest.formulas import Formulas
from duckpress.playtest.game_table import GameTable, Key
from duckpress.playtest.transfers import TakeTransfers, Transfer, Transfers
from duckpress.playtest.view import Fixed, View

Deed = Callable[[], bool]
"""Does a part of a step; returns whether the game goes on."""


class StepDeeds:
    """Prepares steps; `rooms` are those that say how many cards a place has room for, by place."""

    def __init__(self, table: GameTable, formulas: Formulas, moves: TakeTransfers, rooms: Mapping[str, Step]) -> None:
        self._table, self._formulas, self._moves, self._rooms = table, formulas, moves, rooms
        self.done: set[int] = set()  # by id: steps whose condition has held since somebody looked

    def of_setup(self, step: Step) -> Deed:
        """Return what does a step of the setup: of each take, all amounts are worked out before any card moves."""
        return self._at_once(step, is_round=False)

    def of_round(self, step: Step) -> list[Deed]:
        """Return what does a step of a round: one place after the other takes what it wants by then.

        Only what is shared out evenly is worked out before any card moves, as in a setup.
        """
        self._refuse_all_for_several(step)
        if any(self._text(take) == EVEN for take in step.takes):
            return [self._at_once(step, is_round=True)]
        views = self._views(step)
        if isinstance(views, Fixed):
            return [deed for view in views.value for deed in self._of_view(step, view)]
        prepared = dict[View, list[Deed]]()

        def do() -> bool:
            for view in views():
                if view not in prepared:
                    prepared[view] = self._of_view(step, view)
                if not all(deed() for deed in prepared[view]):
                    return False
            return True

        return [do]

    def _of_view(self, step: Step, view: View) -> list[Deed]:
        """Return what a step of a round does at one place: one deed where it hangs on a condition."""
        parts: list[Deed] = []
        for take in step.takes:
            moves = self._moves.of_take(step, take, view, is_round=True)
            parts += [move.deed for move in moves.value] if isinstance(moves, Fixed) else [_all_done(moves)]
        parts += self._finish(step, view, is_round=True)
        if step.when is None:
            return parts
        # A step that is nobody's happens where anybody has what its condition asks for, as `until` does.
        formulas = self._formulas
        when = formulas.value(step.when, view) if step.each is not Each.NOBODY else formulas.of_anybody(step.when)
        done, this = self.done, id(step)

        def do() -> bool:
            if when():
                done.add(this)
                for part in parts:
                    if not part():
                        return False
            return True

        return [do]

    def _at_once(self, step: Step, *, is_round: bool) -> Deed:
        views, finish, prepared = self._views(step), dict[View, list[Deed]](), dict[tuple[int, View], Transfers]()

        def do() -> bool:
            places = [view for view in views() if step.when is None or self._formulas.value(step.when, view)()]
            self.done.update([id(step)] if places else [])
            for at, take in enumerate(step.takes):
                pending: list[tuple[Transfer, int | None]] = []
                shared: Counter[Key] = Counter()
                for view in places:
                    if (at, view) not in prepared:
                        prepared[at, view] = self._moves.of_take(step, take, view, is_round=is_round)
                    for move in prepared[at, view]():
                        number = move.wanted()
                        if self._text(take) == EVEN:
                            share, rest = divmod(move.supply(), len(places))
                            number = share + (shared[move.origin] < rest)
                            shared[move.origin] += 1
                        pending.append((move, number))
                for move, number in pending:
                    if not move.do(number):
                        return False
            for view in places:
                if view not in finish:
                    finish[view] = self._finish(step, view, is_round=is_round)
                for deed in finish[view]:
                    deed()
            return True

        return do

    def _views(self, step: Step) -> Callable[[], Sequence[View]]:
        """Return what gives the places that a step is for, each as what is seen from there; `Fixed` if always these."""
        table, place = self._table, step.place
        if step.each is not Each.NUMBER or step.instances is None:
            return Fixed([View().at(step.each, instance) for instance in table.instances(place)])
        number = self._formulas.number(step.instances)

        def numbered() -> Sequence[View]:
            count = number()
            table.form(place, count)
            return [View(nth=nth) for nth in range(1, count + 1)]

        return numbered

    def _finish(self, step: Step, view: View, *, is_round: bool) -> list[Deed]:
        """Return what a step removes again, and how it is held against the room there is."""
        table, formulas, deeds = self._table, self._formulas, list[Deed]()
        key = (step.place, table.instance(step.place, view))
        if step.remove is not None:
            is_all = formulas.expression(step.remove).text == ALL
            number = Fixed(None) if is_all else formulas.number(step.remove, view)

            def remove() -> bool:
                wanted = number()
                if table.remove(key, wanted) < (wanted or 0):
                    self._moves.shorts[step.place] += 1
                return True

            deeds.append(remove)
        slots = self._rooms[step.place].slots if is_round and step.place in self._rooms else None
        if slots is not None:
            room, here = formulas.number(slots, view), table.list_at(key)

            def compare() -> bool:
                if (over := len(here) - room()) > 0:
                    what = f"in round {table.round} {step.place!r} has {len(here)} cards and room for {room()}"
                    fix = f"take {over} fewer, or give it more slots"
                    problem = Problem("no-room", step.source, what, fix, players=formulas.players)
                    raise Stopped(problem)
                return True

            deeds.append(compare)
        return deeds

    def _refuse_all_for_several(self, step: Step) -> None:
        """Raise `Stopped`, `unclear-amount`, where each of several places would take all of the same cards."""
        for take in step.takes if step.each is not Each.NOBODY and step.when is None else ():
            origin = self._table.each.get(take.origin, Each.NOBODY)
            is_own = origin is step.each or (step.each is Each.TEAM and origin is Each.PLAYER)
            is_same = take.where is None or self._formulas.is_common(take.where.text)
            if self._text(take) == ALL and not is_own and is_same and take.per is None:
                what = "'all' of the same cards cannot go to each player"
                fix = "say how many each player gets: left('...') // players, or share them out: even"
                raise Stopped(Problem("unclear-amount", take.amount.source, what, fix))

    def _text(self, take: Take) -> str:
        return self._formulas.expression(take.amount).text


def _all_done(moves: Transfers) -> Deed:
    return lambda: all(move.deed() for move in moves())
