"""A worker that is kept from one run to the next, in a program that goes on: it has templates, fonts and words at hand.

It knows the game as it was laid out when it began; cards that are written otherwise now come with their tasks. It is
asked only as long as all else that a face may depend on is as it was. What it makes counts only where it is a plain
face: one of which nothing is told, that shows no other card, and whose size depends on none. Any other goes to workers
that know today's game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from duckpress.layout.dependencies import SHOWN
from duckpress.layout.faces.answers import Batch, LayoutAnswer, LayoutTask
from duckpress.layout.faces.face_maker import wanted_cards
from duckpress.layout.faces.last_run import LastRun, last_run
from duckpress.layout.faces.share import laying_out
from duckpress.model import Card, packed_cards
from duckpress.pool import Done, ProcessPool, Work, jobs

MOST_CARDS = 8
"""Of one run; for more, workers that begin anew take no longer."""


class KeptWorker:
    """A worker for the pieces of a batch."""

    def __init__(self, batch: Batch) -> None:
        """Let it begin, and lay out a card of each deck. Raises `MachineError` where no worker can be had."""
        runs = [last_run(wanted.known) for wanted in batch.pieces]
        self._known = [run and (run.chain, frozenset(run.cards.decks)) for run in runs]
        self._pool = ProcessPool(Work(laying_out, batch, LayoutTask, LayoutAnswer), min(1, jobs()))
        for number, (wanted, run) in enumerate(zip(batch.pieces, runs, strict=True)):
            for id_, deck in run.cards.decks.items() if run is not None else ():
                cards = enumerate(wanted_cards(batch.of(wanted).game.decks[id_], wanted.copies))
                first = next(((at, deck.cards[card.id]) for at, card in cards if card.id in deck.cards), None)
                if first is not None:
                    at, (_, front, _) = first
                    self._pool.add([LayoutTask(number, id_, {}, [at], [front.key])])
        self._pool.start()

    def knows(self, piece: int, deck: str, last: LastRun | None) -> bool:
        """Return whether all that faces of a deck depend on is still as it was when the worker began."""
        known = self._known[piece] if piece < len(self._known) else None
        if known is None or last is None:
            return False
        chain, decks = known
        return last.chain is chain and deck in decks

    def serves(self, batch: Batch) -> bool:
        """Return whether it knows all decks of a batch that were laid out last, and is there."""
        runs = [last_run(wanted.known) for wanted in batch.pieces]
        known = [
            self.knows(at, deck, run) for at, run in enumerate(runs) if run is not None for deck in run.cards.decks
        ]
        return self._pool.is_alive and all(known)

    def faces(self, piece: int, deck: str, cards: Mapping[int, Card]) -> Iterator[tuple[LayoutTask, LayoutAnswer]]:
        """Yield what came of cards of a deck, by their numbers there: of those that gave plain faces."""
        tasks = []
        for number, card in cards.items():
            packed = packed_cards((card,))
            if isinstance(packed, bytes):
                tasks.append(LayoutTask(piece, deck, {}, [number], [], packed))
        self._pool.add(tasks)
        self._pool.start()
        for event in self._pool.events():
            if isinstance(event, Done) and event.task in tasks and _is_plain(event.result):
                yield event.task, event.result

    def end(self) -> None:
        """End the worker, whatever it is at."""
        self._pool.__exit__()


def _is_plain(answer: LayoutAnswer) -> bool:
    sides = [side for both in answer.cards for side in both if side is not None]
    sides += [answer.back] if answer.back is not None else []
    return (
        bool(answer.cards)
        and not answer.opened
        and not any(art.problems for art in answer.art)
        and all(side.is_there and side.face is None and side.bare is None for side in sides)
        and not any(side.problems or side.once for side in sides)
        and not any(entry.together for entry in answer.new_faces.entries)
        and not any(use[0] == SHOWN for use, _ in answer.new_faces.uses)
    )
