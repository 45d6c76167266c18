"""Shortages as problems: what is needed and what there is, how many cards to add, and what else would help."""

from __future__ import annotations

from collections.abc import Sequence

from duckpress.check.findings.certainty import as_certain, once_mended
from duckpress.check.occurrences import cause_of
from duckpress.check.setup.shortages import Shortage
from duckpress.core.problems import Level, Problem
from duckpress.model.setup import Each

_WORDS = {Each.NOBODY: "", Each.PLAYER: " player", Each.TEAM: " team", Each.NUMBER: ""}


def shortage_problem(shortage: Shortage, players: int, fine: Sequence[int]) -> Problem:
    """Return a shortage as a `not-enough`, or as what it is in some draws and after some choices only.

    `fine` are the player counts at which its origin has enough, upwards.
    """
    falling, run = shortage.falling, shortage.run
    _, need, supply = max(falling.states, key=lambda entry: entry[1] - entry[2])
    problem = Problem("not-enough", shortage.source, _what(shortage, need, supply), _fix(shortage, players, fine))
    drawn = f"drawn {run.book.card(falling.group[3]).id}" if falling.group[3] is not None else ""
    place = falling.take.source if falling.take is not None else falling.step.source
    about = " ".join(filter(None, (shortage.origin, drawn)))
    weight = float((need - supply) * max(1, len(shortage.owners)))
    problem = problem._replace(cause=cause_of("not-enough", place, about), weight=weight)
    failing = [state for state, _, _ in falling.states]
    told = as_certain(problem, failing, falling.of, falling.ended, tried=run.tried)
    if shortage.is_certain:
        told = told._replace(code=problem.code, level=problem.level)
    elif shortage.is_dealable and told.code == problem.code:
        told = told._replace(code="unlucky-draw", level=Level.WARNING)
    return once_mended(told, shortage.after)


def _fix(shortage: Shortage, players: int, fine: Sequence[int]) -> str:
    falling, decks = shortage.falling, shortage.run.book.game.decks
    ways = []
    if shortage.to_add == 0:
        ways.append("add what the other findings about these cards ask for, which is enough for this one too")
    elif shortage.to_add is not None and shortage.card is not None:
        deck = decks[shortage.card.deck]
        whose = " (each player's)" if deck.is_per_player else ""
        if deck.id != shortage.origin and falling.take is not None and falling.take.where is None:
            kind = ""
        else:
            kind = _such(shortage)
        if shortage.is_one_kind:  # of other cards that the step may take, it takes more
            kind = f" like {shortage.run.book.card(shortage.card).id!r}"
        ways.append(f"add {_cards(shortage.to_add)}{kind} to {deck.id!r}{whose}{_for_each(shortage)}")
    elif shortage.is_only_counted:
        ways.append(f"add {_cards(shortage.to_add or 0)}{_such(shortage)} to {shortage.origin!r}{_for_each(shortage)}")
    elif shortage.to_add is not None:
        cards = f"{_cards(shortage.to_add)} more{_such(shortage)}"
        ways.append(f"put {cards} into {shortage.origin!r}{_for_each(shortage)}")
    elif falling.is_all:
        ways.append("say with 'count' how many are taken: several take all of the same cards")
    else:
        ways.append("take fewer: adding cards does not help")
    if shortage.is_earlier is not None:
        ways.append(f"or take them before the random draw in line {shortage.is_earlier.line}")
    smaller = [count for count in fine if count < players]
    if fine:
        count = smaller[-1] if smaller else fine[0]
        ways.append(f"or play with at {'most' if smaller else 'least'} {count} player{'s' * (count != 1)}")
    else:
        ways.append("for no player count works as it is")
    return ", ".join(ways)


def _what(shortage: Shortage, need: int, supply: int) -> str:
    falling, run = shortage.falling, shortage.run
    short, whose = f"{need - supply} too few", _whose(shortage)
    if falling.take is None:
        removed = f"{_cards(need)} {'is' if need == 1 else 'are'} to be removed"
        return f"{removed} from {whose}{shortage.origin!r}, which holds {supply}: {short}"
    each = f" ({falling.each} for each{_WORDS[falling.step.each]})" if falling.each is not None else ""
    is_deck = shortage.origin in run.book.game.decks
    has = f"which {'has' if is_deck else 'holds'} {supply}"
    whole = _whole(shortage) if is_deck else supply
    if whole != supply:
        has = f"{has} left of {whole}"
    if falling.take.where is not None:
        has = f"{has} such {'card' if whole == 1 else 'cards'}"
    is_theirs = bool(falling.group[1])
    to = "" if is_theirs else whose
    need_words = f"{_cards(need)} of {whose if is_theirs else ''}{shortage.origin!r}{_such(shortage)}{each}"
    return f"{to}{falling.step.place!r} needs {need_words}, {has}: {short}"


def _whose(shortage: Shortage) -> str:
    owners, each = shortage.owners, shortage.owner[0]
    word = _WORDS[each].strip() or "number"
    if len(owners) > 1 and each is Each.PLAYER and len(owners) == shortage.run.players:
        return "each player's "
    if len(owners) > 1:
        return f"{word}s {', '.join(map(str, owners[:-1]))} and {owners[-1]}'s "
    return "".join(f"{word} {owner}'s " for owner in owners)


def _whole(shortage: Shortage) -> int:
    """Return how many such cards there are before any is taken."""
    falling, book = shortage.falling, shortage.run.book
    copies = book.deck_part(shortage.origin, falling.group[1]).copies
    added = shortage.run.repairs.extra if shortage.after else {}
    extra = {at: n for (deck, at), n in added.items() if deck == shortage.origin}
    keys = shortage.fitting if falling.take is not None and falling.take.where is not None else copies
    return sum(copies.get(key, 0) + extra.get(key.position, 0) for key in keys)


def _for_each(shortage: Shortage) -> str:
    return " for each of them" if len(shortage.owners) > 1 else ""


def _such(shortage: Shortage) -> str:
    where = shortage.falling.take.where if shortage.falling.take is not None else None
    drawn = shortage.falling.group[3]
    by = f" (drawn: {shortage.run.book.card(drawn).id!r})" if drawn is not None else ""
    return f" where {where.text}{by}" if where is not None else by


def _cards(number: int) -> str:
    return "1 card" if number == 1 else f"{number} cards"
