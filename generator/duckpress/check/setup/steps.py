"""Running the steps of a setup on counts, with all possible random draws and free choices.

After each step there are states: how the cards may lie, each with its probability. Only what a later condition tells
apart makes states different, so that there is one of them in most setups. Where there would be too many, states are
drawn at random, beside the most uneven ones, and the run says that it is not exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from random import Random

from duckpress.check.expressions import Stopped
from duckpress.check.setup.card_classes import CardClasses, anonymous
from duckpress.check.setup.counting import GONE, SOME, CardKey, Contents, added_up
from duckpress.check.setup.moves import Move, active_instances, instances_of, is_personal, moves_of, scene_of
from duckpress.check.setup.rule_book import Book
from duckpress.check.setup.steps_run import (
    FEWER_TRIES,
    REMOVAL,
    TRIES,
    Draw,
    Falling,
    GroupId,
    Repairs,
    State,
    StepsRun,
    Trouble,
    merged_states,
    outcomes,
    settled,
)
from duckpress.check.setup.tabletop import Tabletop
from duckpress.core.problems import Problem, Source
from duckpress.model.setup import PlaceKind, Step, Take


def finish(run: StepsRun, step: Step, states: list[State], passing: list[State]) -> list[State]:
    """Return states after a step's removal, with the cards at its places compared with their room."""
    run.look(run.kinds.looked_at(run.moment + 1))
    states = settled(run, states, run.kinds.looked_at(run.moment + 1), run.moment + 1)
    after: list[State] = []
    earlier = list(run.ended)
    for state in states:
        try:
            places = active_instances(run.scene(state), step, state.top.active)
            branches = [state.copy()]
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
    """Yield the states after removing cards unseen; None removes all."""
    contents = state.top.places.get((step.place, instance), {})
    name = (run.moment, REMOVAL, instance, None)
    if name in run.repairs.put:
        contents = added_up(contents, {next(iter(contents), SOME): run.repairs.put[name]})
    size = sum(contents.values())
    count = size if number is None else number
    state = _served(run, state, count, size, Falling(step, None, name, goals=(instance,)))
    watched = run.kinds.is_watched(step.place, run.moment + 1)
    may_wait = watched and run.kinds.may_wait(step.place)
    draw = Draw(None, count, run.moment + 1, False, watched, False, 1, may_wait)
    guesses = run.guesses
    for taken, rest, chance, _ in outcomes(run, state, contents, draw):
        if run.guesses > guesses:
            run.guess({step.place})
        after = state.copy(chance)
        after.top.places[step.place, instance] = rest
        if GONE in rest:
            run.open_names.add(step.place)
        after.top.remove(step.place, sum(taken.values()))
        yield after


def _compare_rooms(run: StepsRun, step: Step, state: State, instances: list[int]) -> None:
    """Note each place with more cards than room, once for each state, for its fullest instance.

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
    """Note a problem in some states; of one mistake only the worst case is reported."""
    trouble = run.troubles.setdefault(key, Trouble(problem, [], list(run.states), list(run.ended), place))
    if excess > trouble.excess:
        trouble.problem, trouble.excess = problem, excess
    trouble.states += states


def run_steps(
    book: Book, players: int, variant: str | None, repairs: Repairs, *, until: int | None = None,
    goes_on: bool = False, is_rough: bool = False,
) -> StepsRun:  # fmt: skip
    """Run the steps, or those up to a moment.

    First one draw is guessed, wherever there are several. All that comes before anybody looks at the cards is the same
    in every draw, so what is found there is certain; only what comes after is worked out with all of them.
    """
    steps = book.steps(variant)

    def run_all(*, is_guess: bool) -> StepsRun:
        top = Tabletop(book, players, variant, extra=dict(repairs.extra))
        kinds, random = CardClasses(scene_of(top), steps), Random(f"{book.game.id} {players} {variant or ''}")
        tries = TRIES if not is_rough and book.calculator.budget.is_mostly_left else FEWER_TRIES
        states = [State(top, Fraction(1))]
        run = StepsRun(book, players, variant, repairs, goes_on, is_guess, tries, states, kinds, random)
        for step in steps:
            _run_step(run, step)
            run.formed.add(step.place)
            if not run.states or not run.is_sure or (until is not None and run.moment >= until):
                return run
        _settle(run, run.moment + 1)
        return run

    run = run_all(is_guess=True)
    return run if run.is_sure else run_all(is_guess=False)


def _settle(run: StepsRun, moment: int) -> None:
    """Resolve the unseen draws whose cards matter at this moment."""
    names = run.kinds.looked_at(moment)
    run.look(names)
    run.states = settled(run, run.states, names, moment)


def _run_step(run: StepsRun, step: Step) -> None:
    first = run.moment + 1
    run.moment += len(step.takes)
    _settle(run, first)
    happening: list[State] = []
    passing: list[State] = []
    for state in run.states:
        try:
            places = instances_of(run.scene(state), step)
        except Stopped as stopped:
            stop(run, stopped, step, [state])
            continue
        (happening if places else passing).append(state)
        if places:
            run.carried_out.add(id(step))
            # What the step itself takes changes nothing of whether it happens, and for whom.
            state.top.active = tuple(instance for instance, _ in places)
        for instance, _ in places if step.kind is not PlaceKind.BOX else ():
            state.top.form(step.place, instance)
    for at, take in enumerate(step.takes, first):
        is_known = take.origin in run.book.game.decks or take.origin in run.formed
        if happening and (take.source in run.book.faulty or not is_known):
            stop(run, Stopped(None), step, happening)
            happening = []
        happening = _run_take(run, step, take, at, happening, passing)
    if step.remove is not None or step.slots is not None or any(state.top.rooms for state in happening):
        happening = finish(run, step, happening, passing)
    for state in happening:
        state.top.active = ()
    run.states = merged_states([*happening, *passing])


def _run_take(run: StepsRun, step: Step, take: Take, at: int, states: list[State], passing: list[State]) -> list[State]:
    run.book.spend(len(run.falling) // 8)  # all that falls short is gone through for each take
    run.look(run.kinds.looked_at(at))
    looked_at = {step.place, *run.kinds.looked_at(at)}
    if run.kinds.is_watched(step.place, at + 1) or step.kind is PlaceKind.BOX or take.is_chosen:
        looked_at.add(take.origin)
    states = settled(run, states, looked_at, at)
    after: list[State] = []
    asking: list[tuple[State, set[GroupId]]] = []
    most, earlier = 0, list(run.ended)
    has_own = is_personal(run.book, run.variant, take.where)
    for state in states:
        try:
            scene = run.scene(state)
            moves = moves_of(scene, step, take, active_instances(scene, step, state.top.active))
        except Stopped as stopped:
            stop(run, stopped, step, [state])
            continue
        most = max(most, sum(move.number for move in moves))
        branches = [state]
        asking.append((state, set()))
        is_shared = _is_shared(moves)
        for group in _groups_of(run, moves, has_own=has_own, is_shared=is_shared):
            origin, keys = group[0].origin, group[0].keys
            name = (at, origin, group[0].to, group[0].drawn)
            asking[-1][1].add(name)
            if name in run.repairs.put and keys is not None:
                keys |= {SOME}
                group = [move._replace(keys=keys) for move in group]
            if any(move.number for move in group):
                run.giving.add(id(take))
                _mark_used(run, take, origin, keys)
            if keys is not None:  # an earlier draw of this take may have merged cards
                keys = run.kinds.with_kinds(keys, at)
                run.look({take.origin})  # at what moves before it have left
            branches = list(_supplied(run, step, take, name, keys, group, branches))
            for move in group:
                branches = _after_move(run, step, take, at, move, branches, is_shared=is_shared)
        after += branches
    run.moved += most
    for falling in (falling for name, falling in run.falling.items() if name[0] == at):
        falling.of += [*passing, *(state for state, names in asking if falling.group not in names)]
        falling.ended = earlier
    after = run.going_on(after, at)
    if len(after) > 1:
        after = [_forgetting(run, state, (take.origin, step.place), at + 1) for state in after]
    return merged_states(after)


def _is_shared(moves: Sequence[Move]) -> bool:
    """Return whether different moves may take the same cards, so that one depends on the other's draw."""
    parts = list(dict.fromkeys((move.origin, move.keys) for move in moves))
    return any(
        origin == other and (keys is None or others is None or keys & others)
        for at, (origin, keys) in enumerate(parts)
        for other, others in parts[at + 1 :]
    )


def _groups_of(run: StepsRun, moves: Sequence[Move], *, has_own: bool, is_shared: bool) -> list[list[Move]]:
    """Return moves grouped by the cards that they take.

    Where others may take of these cards, too, only moves next to each other are one: in between, some may be gone.
    Where no card of the game is right, who has a condition of an own wants cards of an own.
    """
    groups: list[list[Move]] = []
    by_kind: dict[object, list[Move]] = {}
    decks = run.book.game.decks
    for move in moves:  # those that were imagined to be tried are no cards of the game
        right = (key == SOME or key.position < len(decks[key.deck].cards) for key in move.keys or ())
        is_own = has_own and move.keys is not None and not any(right)
        kind = (move.origin, move.keys, (move.to, move.drawn) if is_own else None)
        group = by_kind.get(kind)
        if group is None or (is_shared and group is not groups[-1]):
            group = by_kind[kind] = []
            groups.append(group)
        group.append(move)
    return groups


def _forgetting(run: StepsRun, state: State, names: tuple[str, ...], moment: int) -> State:
    """Return a state that distinguishes cards at some places only as far as anything from a moment on does."""
    after = state.copy()
    for cells in (after.top.decks, after.top.places):
        for (name, instance), cards in cells.items():
            if name in names and len(cards) > 1:
                is_watched = run.kinds.is_watched(name, moment)
                cells[name, instance] = run.kinds.merged(cards, moment) if is_watched else anonymous(cards)
    return after


def _supplied(
    run: StepsRun, step: Step, take: Take, name: GroupId, keys: frozenset[CardKey] | None, group: list[Move],
    states: list[State],
) -> Iterator[State]:  # fmt: skip
    """Yield the states, and note those in which a group of moves needs more cards than there are."""
    need, numbers = sum(move.number for move in group), {move.number for move in group}
    for state in states:
        if name in run.repairs.put:
            state = state.copy()
            contents = state.top.contents(take.origin, name[1])
            kind = next((key for key in contents if keys is None or key in keys), SOME)
            state.top.lay(take.origin, name[1], added_up(contents, {kind: run.repairs.put[name]}))
        contents = state.top.contents(take.origin, name[1])
        supply = sum(number for key, number in contents.items() if keys is None or key in keys)
        each = group[0].number if len(group) > 1 and len(numbers) == 1 else None
        is_all, goals = any(move.is_all for move in group), tuple(move.to for move in group)
        falling = Falling(step, take, name, keys=keys, each=each, is_all=is_all, goals=goals)
        yield _served(run, state, need, supply, falling)


def _served(run: StepsRun, state: State, need: int, supply: int, falling: Falling) -> State:
    """Return a state after a group's check; if there are too few cards, note the shortage."""
    name, take = falling.group, falling.take
    origin = falling.step.place if take is None else take.origin
    served = run.served.setdefault(name, [])
    served.append(state)
    run.spare[name] = min(supply - need, run.spare.get(name, supply - need))
    if need <= supply or name in run.repairs.waived or origin in run.repairs.tainted:
        return state
    falling = run.falling.setdefault(name, falling)
    falling.of = served
    falling.states.append((state, need, supply))
    after = state.copy()
    after.top.is_short = True
    return after


def _after_move(
    run: StepsRun, step: Step, take: Take, at: int, move: Move, states: list[State], *, is_shared: bool
) -> list[State]:
    """Return the states after a move; `is_shared`: another move of this take depends on its draw."""
    is_watched = run.kinds.is_watched(step.place, at + 1) or step.kind is PlaceKind.BOX
    is_origin_watched = is_shared or is_watched or run.kinds.is_watched(take.origin, at + 1)
    after: list[State] = []
    for state in states:
        contents = state.top.contents(take.origin, move.origin)
        may_wait = is_origin_watched and not (is_watched or is_shared or move.keys or take.is_chosen)
        may_wait = may_wait and run.kinds.may_wait(take.origin)
        keys = None if move.keys is None else run.kinds.with_kinds(move.keys, at)
        draw = Draw(keys, move.number, at, is_watched, is_origin_watched, take.is_chosen, len(states), may_wait)
        guesses = run.guesses
        for taken, rest, chance, is_pick in outcomes(run, state, contents, draw):
            if GONE in rest:
                run.open_names.add(take.origin)
            if run.guesses > guesses or take.origin in run.guessed:
                decks = run.book.game.decks if step.kind is PlaceKind.BOX else ()
                run.guess({take.origin, step.place, *decks})
            is_drawn = (chance != 1 or GONE in rest or run.guesses > guesses) and not take.is_chosen
            if is_drawn and (at, step) not in run.draws.setdefault(take.origin, []):
                run.draws[take.origin].append((at, step))
            top, cards = state.top.copy(), taken if is_watched else anonymous(taken)
            top.lay(take.origin, move.origin, rest)
            if step.kind is PlaceKind.BOX:
                top.give_back(step.place, cards)
            else:
                top.put(step.place, move.to, cards)
            picks = (*state.picks, _picked(run.book, move, taken)) if is_pick else state.picks
            after.append(State(top, state.weight * chance, picks))
    return merged_states(after) if len(states) > 1 else after


def _picked(book: Book, move: Move, taken: Contents) -> str:
    names = {key: repr(book.card(key).id) if key != SOME else "another card" for key in taken}
    cards = ", ".join(f"{n} x {names[key]}" if n > 1 else names[key] for key, n in taken.items())
    return f"{f'player {move.to}' if move.to else 'somebody'} picks {cards}"


def _mark_used(run: StepsRun, take: Take, origin: int, keys: frozenset[CardKey] | None) -> None:
    if take.origin not in run.book.game.decks:
        return
    if (take.origin, origin, keys) not in run.used_parts:
        run.used_parts.add((take.origin, origin, keys))
        copies = run.book.deck_part(take.origin, origin).copies
        members = copies if keys is None else [member for key in keys for member in run.kinds.members(key)]
        run.book.spend(len(members))
        run.used.update(members)
