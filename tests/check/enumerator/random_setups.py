"""Random setups: small enough that everything that may come of them can be worked out."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from json import dumps

from enumerator.laying import OwnDeck

_KINDS = "abcd"
_COPIES = {1: (2, 9), 2: (1, 7), 3: (1, 5), 4: (1, 3)}  # by how many kinds there are: more come to too much
_FIT = {"": ("", "player", "team", "number"), "player": ("", "player", "team"), "team": ("", "team", "player")}
"""Of whose places a step may take, by what has its own place."""


@dataclass(frozen=True)
class Setup:
    """A setup as text, with the cards and player counts of its game."""

    text: str
    decks: dict[str, OwnDeck]
    players: tuple[int, ...]


def random_setup(seed: int) -> Setup:
    """Return a setup; the same one for the same seed."""
    return _Writer(random.Random(seed)).setup()


@dataclass
class _Writer:
    chance: random.Random
    decks: dict[str, OwnDeck] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)  # that are formed in the basic game, with what has one
    numbers: dict[str, str] = field(default_factory=dict)  # how many there are of a place, where that is said
    kinds: dict[str, str] = field(default_factory=dict)
    players: tuple[int, ...] = (2,)
    values: list[str] = field(default_factory=list)
    extensions: str = ""  # the names of modules and variants
    is_replacing: bool = False  # whether the step stands where another did, so that places may be formed only later

    def setup(self) -> Setup:
        least = self.chance.choice((1, 2, 2, 2, 2, 3))
        self.players = (least, least + 1) if self.chance.random() < 0.7 else (least,)
        for name in ("d", "e")[: self.chance.choice((1, 1, 2))]:
            self.decks[name] = self._deck(name)
        self.extensions = self.chance.choice(("", "", "", "", "m", "m", "mn", "mn", "w", "mw"))
        lines = ["seats: {teams: seat % 2 + 1, relations: {beside: seat + 1}}"]
        if self._may(0.25):
            lines += [f"values: {{v: {self._number(3)}}}"]
            self.values.append("v")
        lines += ["setup:"]
        for at in range(self.chance.choice((1, 2, 2) if len(self.extensions) > 1 else (1, 2, 2, 3, 3, 4))):
            lines += self._step(f"p{at}", "")
        lines += self._wishes(0.5)
        basic = "\n".join(lines)
        for at, name in enumerate("mnw"):
            if name in self.extensions:
                lines += [{"m": "modules:", "w": "variants:"}.get(name, ""), *self._extension(name, at, basic)]
        return Setup("\n".join([*lines, ""]), self.decks, self.players)

    def _may(self, share: float) -> bool:
        return self.chance.random() < share

    def _deck(self, name: str) -> OwnDeck:
        kinds = self.chance.choice((1, 2, 2, 2, 3, 3, 4))
        copies = [self.chance.randint(*_COPIES[kinds]) for _ in range(kinds)]
        cards = [
            {"id": f"{name}-{_KINDS[at]}", "copies": n, "kind": _KINDS[at], "worth": self.chance.randint(1, 3)}
            for at, n in enumerate(copies)
        ]
        return OwnDeck(name, tuple(cards), self._may(0.12))

    def _each_of(self, origin: str) -> str:
        if origin in self.decks:
            return "player" if self.decks[origin].is_per_player else ""
        return self.places[origin]

    def _step(self, name: str, before: str) -> list[str]:
        """Return the lines of a step; most form a place of their own."""
        chance = self.chance
        self.is_replacing = bool(before)
        kind = chance.choice(("pile", "pile", "row", "row", "hand", "box"))
        each = "player" if kind == "hand" else chance.choice(("", "", "", "player", "team", "number"))
        if kind == "box":
            each = ""
            kind = kind if self.places and not before else "pile"
        if kind != "box" and (before or (self.places and self._may(0.2))):
            name = name if before else chance.choice([*self.places])
            each, kind = self.places[name], self.kinds[name]
        number = self.numbers.get(name) or chance.choice(("2", "2", "players", *self.values))
        head = [f"{kind}: {name}"]
        if each == "number" and all(deck.is_per_player for deck in self.decks.values()):
            each = ""
        if each and kind != "hand":
            head.append(f"each: {number if each == 'number' else each}")
        if len(self.players) > 1 and self._may(0.1):
            head.append(f"only: {chance.choice(self.players)}")
        if self._may(0.15):
            head.append(f"when: {self._condition(each)}")
        if kind != "box" and self._may(0.08):
            head.append(f"slots: {chance.choice(('1', '2', '3', '4', 'players', *self.values))}")
        if before:
            head.append(before)
        lines = [f"  - {head[0]}", *(f"    {line}" for line in head[1:]), "    take:"]
        fit = [
            origin
            for origin in (*self.decks, *self.places, *self.places)
            if origin != name
            and not (before and origin in self.places)  # they may be formed only afterwards
            and (self._each_of(origin) in _FIT.get(each, ("", each)))
            and (kind != "box" or origin in self.places)
            and not (each == "number" and self._each_of(origin) == each and self.numbers[origin] != number)
        ]
        origins = chance.sample(fit, min(len(fit), chance.choice((1, 1, 1, 2)))) if fit else [*self.decks][:1]
        for origin in dict.fromkeys(origins):
            lines += self._part(origin, each)
        if kind != "box":
            self.places[name] = each
            self.kinds[name] = kind
            self.numbers[name] = number
            if self._may(0.12):
                lines.append(f"    remove: {chance.randint(1, 2)}")
        return lines

    def _part(self, origin: str, each: str) -> list[str]:
        entries = [self._entry(origin, each) for _ in range(self.chance.choice((1, 1, 1, 2)))]
        if len(entries) == 1:
            return [f"      {origin}: {entries[0]}"]
        return [f"      {origin}:", *(f"        - {entry}" for entry in entries)]

    def _entry(self, origin: str, each: str) -> str:
        is_few = bool(each) or bool(self._each_of(origin))
        amount = self._amount(self.chance.choice((1, 1, 1, 2) if is_few else (1, 1, 2, 3)), each)
        commons = [place for place in self._seen("") if place != origin]
        if commons and not self.is_replacing and self._may(0.08):
            return f"{{per: {self.chance.choice(commons)}, where: card.kind == drawn.kind, count: 1}}"
        if self._may(0.06):
            return f"{{choose: {amount}}}"
        if self._may(0.5):
            return f"{{where: {dumps(self._where(each))}, count: {amount}}}"
        if not is_few and self._may(0.12):
            return "all"
        if each and not self._each_of(origin) and self._may(0.1):
            return "even"
        return f"{{count: {amount}}}"

    def _number(self, most: int) -> str:
        chance = self.chance
        if self._may(0.15):
            return "players"
        if self._may(0.12):
            entries = ", ".join(f"{count}: {chance.randint(1, most)}" for count in self.players)
            return f"{{{entries}}}"
        return str(chance.randint(1, most))

    def _amount(self, most: int, each: str) -> str:
        chance = self.chance
        if self.values and self._may(0.2):
            return self.values[0]
        if each == "player" and self._may(0.1):
            return "seat"
        if self._may(0.12):
            deck = chance.choice([*self.decks])
            options = [f"left('{deck}') // 2", f"max(0, {most} - taken('{deck}'))"]
            for place in self._seen(each):
                options.append(f"max(0, {most} - count('{place}', where='{self._of_kind()}'))")
                options.append(place)
            return dumps(chance.choice(options))
        return self._number(most)

    def _seen(self, each: str) -> list[str]:
        """Return the places whose cards mean the same to whoever has such a place of its own."""
        return [place for place, whose in self.places.items() if not whose or whose == each]

    def _of_kind(self) -> str:
        kind = self.chance.choice(_KINDS[:3])
        return self.chance.choice((f'card.kind == "{kind}"', f"card.worth > {self.chance.randint(1, 2)}"))

    def _where(self, each: str) -> str:
        chance = self.chance
        kinds = chance.sample(_KINDS, 2)
        options = [
            f"card.kind == '{kinds[0]}'", f"card.kind in {kinds}", f"card.kind != '{kinds[0]}'",
            f"card.worth > {chance.randint(1, 2)}", "card.worth <= players - 1",
        ]  # fmt: skip
        if each == "player":
            options += ["card.worth == seat", "card.worth >= seat", "card.worth != seat", "card.worth == beside"]
            options += ["card.worth > seat % 2", "card.worth == team"]
        if each == "team":
            options += ["card.worth != team"]
        if each == "number":
            options += ["card.worth == nth", "card.worth > nth % 2"]
        for place in self._seen(""):
            options += [f"card.worth <= {place}"]
        return chance.choice(options)

    def _condition(self, each: str) -> str:
        deck = self.chance.choice([*self.decks])
        options = [f"left('{deck}') > {self.chance.randint(1, 4)}", f"players > {self.players[0]}"]
        options += [f"'{name}' not in modules" for name in self.extensions if name != "w"]
        options += ["variant == 'w'"] if "w" in self.extensions else []
        if each == "player":
            options += ["seat > 1", "seat == 1", "beside == 1"]
        for place in self._seen(each):
            options += [f"count('{place}', where='{self._of_kind()}') > 0"] * 2
        return dumps(self.chance.choice(options))

    def _wishes(self, share: float, inset: str = "") -> list[str]:
        if not self.places or not self._may(share):
            return []
        lines = [f"{inset}expect:"]
        for _ in range(self.chance.choice((1, 1, 2))):
            place = self.chance.choice([*self.places])
            asks = [f"count('{place}', where='{self._of_kind()}')", place, f"left('{next(iter(self.decks))}')"]
            asks += [f"sum('{place}', 'worth')", f"distinct('{place}', 'kind')", f"total('{place}')"]
            ask, number = self.chance.choice(asks), self.chance.randint(0, 3)
            line = self.chance.choice((f"that: {dumps(f'{ask} > {number}')}", f"that: {dumps(ask)}, is: {number}"))
            if self._may(0.1):
                entries = ", ".join(f"{count}: {self.chance.randint(0, 3)}" for count in self.players)
                line = f"that: {dumps(ask)}, is: {{{entries}}}"
            if self._may(0.2):
                line = f"each: player, {line}"
            if self._may(0.1):
                line += ", for: [base]"
            if self._may(0.1):
                line += f", when: {self._condition('')}"
            if len(self.players) > 1 and self._may(0.1):
                line += f", only: {self.chance.choice(self.players)}"
            lines.append(f"{inset}  - {{{line}}}")
        return lines

    def _extension(self, name: str, at: int, basic: str) -> list[str]:
        """Return the lines of a module or variant of a basic game."""
        chance = self.chance
        lines = [f"  {name}:", f"    title: {name.upper()}", f"    about: {name} is played."]
        if len(self.players) > 1 and self._may(0.25):
            lines.append(f"    only: {chance.choice(self.players)}")
        if name == "n" and self._may(0.7):
            lines.append(f"    {chance.choice(('needs', 'excludes'))}: m")
        lines.append("    setup:")
        known = dict(self.places)
        alone = [place for place in known if place.startswith("p") and not known[place]]
        before = f"replaces: {alone[-1]}" if alone and self._may(0.25) else ""
        unnamed = [place for place in known if basic.count(place) == 1 and self.extensions == name and not before]
        if unnamed and self._may(0.5):  # nothing takes from there or asks for it
            self.places.pop(unnamed[-1])
            lines.insert(-1, f"    drops: [{unnamed[-1]}]")
        step = self._step(alone[-1] if before else f"{name}{at}", before)
        lines += [f"  {line}" for line in step]
        lines += self._wishes(0.2, "    ")
        self.places = known
        return lines
