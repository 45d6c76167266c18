"""What ends a step: cards that are removed again unseen, the room of its places, and what cannot be computed."""

from __future__ import annotations

from collections.abc import Iterator

from duckpress.check.setup.counting import GONE, SOME, added_up
from duckpress.check.setup.moves import active_instances
from duckpress.check.setup.outcomes import Draw, outcomes, settled
from duckpress.check.setup.steps_run import REMOVAL, Falling, State, StepsRun, Trouble, merged_states, short
from duckpress.check.setup_expressions import Stopped
from duckpress.core.problems import Problem, Source
from duckpress.model.setup import Step


def finish(run: StepsRun, step: Step, states: list[State], passing: list[State]) -> list[State]:
    """Return states after what a step removes, with the rooms of its places noted and compared."""
    run.look(run.kinds.looked_at(run.moment + 1))
    states = settled(run, states, run.kinds.looked_at(run.moment + 1), run.moment + 1)
    after: list[State] = []
    earlier = list(run.ended)
    for state in states:
        try:
            places = active_instances(run.scene(state), step, state.top.active)
            branches = [State(state.top.copy(), state.weight, state.picks)]
            for instance, scene in places:
                if step.remove is not None:
                    number = scene.number_or_all(step.remove)
                    branches = merged_states(
                        [new for one in branches for new in _removed(run, step, one, number, instance)]
                    )
                if step.slots is not None:
                    room = scene.number(step.slots)
                    for branch in branches:
                        branch.top.rooms[step.place, instance] = room, step.slots.source.line
            branches = run.going_on(branches, run.moment)
            for branch in branches:
                _compare_rooms(run, step, branch, [instance for instance, _ in places])
        except Stopped as stopped:
            stop(run, stopped, step, [state])
            continue
        after += branches
    for name, falling in run.falling.items():
        if name[:2] == (run.moment, REMOVAL):
            falling.of += passing
            falling.ended = earlier
    return after


def _removed(run: StepsRun, step: Step, state: State, number: int | None, instance: int) -> Iterator[State]:
    """Yield what removing cards unseen makes of a state; None removes all."""
    contents = state.top.places.get((step.place, instance), {})
    name = (run.moment, REMOVAL, instance, None)
    if name in run.repairs.put:
        contents = added_up(contents, {next(iter(contents), SOME): run.repairs.put[name]})
    size = sum(contents.values())
    count = size if number is None else number
    falling = run.falling.get(name)
    run.served.setdefault(name, []).append(state)
    run.spare[name] = min(size - count, run.spare.get(name, size - count))
    if count > size and name not in run.repairs.waived and step.place not in run.repairs.tainted:
        if falling is None:
            falling = run.falling[name] = Falling(step, None, name, of=run.served[name], goals=(instance,))
        falling.states.append((state, count, size))
        state = short(state)
    watched = run.kinds.is_watched(step.place, run.moment + 1)
    may_wait = watched and run.kinds.may_wait(step.place)
    draw = Draw(None, count, run.moment + 1, False, watched, False, 1, may_wait)
    guesses = run.guesses
    for taken, rest, chance, _ in outcomes(run, state, contents, draw):
        if run.guesses > guesses:
            run.guess({step.place})
        top = state.top.copy()
        top.places[step.place, instance] = rest
        if GONE in rest:
            run.open_names.add(step.place)
        top.remove(step.place, sum(taken.values()))
        yield State(top, state.weight * chance, state.picks)


def _compare_rooms(run: StepsRun, step: Step, state: State, instances: list[int]) -> None:
    """Note that a place has more cards than room, the fullest of them once for each state.

    What a step says of it stays true for the steps after it.
    """
    cells = [(step.place, instance) for instance in instances if (step.place, instance) in state.top.rooms]
    sizes = [(state.top.size(*cell), *state.top.rooms[cell]) for cell in cells]
    size, room, line = max(sizes, key=lambda one: one[0] - one[1], default=(0, 0, 0))
    if size <= room or run.repairs.tainted:
        return
    says = "" if step.slots is not None else f" (line {line})"
    what = f"{step.place!r} gets {size} cards and has room for {room}{says}"
    fix = f"take {size - room} fewer, or give it more slots"
    source = step.slots.source if step.slots is not None else step.source
    problem = run.scene(state).problem(Problem("no-room", source, what, fix))
    _trouble(run, ("no-room", source), problem, [state], None, size - room)


def stop(run: StepsRun, stopped: Stopped, step: Step, states: list[State]) -> None:
    key = ("stopped", id(step), stopped.problem.code if stopped.problem else None)
    _trouble(run, key, stopped.problem, states, step.source)


def _trouble(
    run: StepsRun, key: tuple[object, ...], problem: Problem | None, states: list[State], place: Source | None,
    excess: int = 0,
) -> None:  # fmt: skip
    """Note what is wrong in some states; of one mistake the worst case is told."""
    trouble = run.troubles.setdefault(key, Trouble(problem, [], list(run.states), list(run.ended), place))
    if excess > trouble.excess:
        trouble.problem, trouble.excess = problem, excess
    trouble.states += states
