"""Families: which cards an entry with `for:` stands for, what its texts say, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import pytest

from duckpress.content import Mapping as MappingNode
from duckpress.content import Scalar, Sequence, read_yaml
from duckpress.content.game.families import Data, filled_cards
from duckpress.content.yaml.nodes import Cell, Node
from duckpress.core import limits
from duckpress.core.problems import ProblemList, Read, Source
from problem_lines import problem_lines

SPECIES = {
    "teal": {"id": "teal", "name": "Teal", "value": 3, "rare": True},
    "smew": {"id": "smew", "name": "Smew", "value": 1, "rare": False},
}
FRENCH = {"teal": {**SPECIES["teal"], "name": "Sarcelle"}, "smew": {**SPECIES["smew"], "name": "Harle"}}


def data(species: Mapping[str, Any] = SPECIES) -> Data:
    return Data({"hand size": 4}, {"species": species, "none": {}})


def family(text: str) -> MappingNode:
    node, problems = read_yaml("f.yaml", text.encode())
    assert not problems
    assert isinstance(node, MappingNode)
    return node


def text_of(node: Node) -> Any:
    return node.text if isinstance(node, Scalar) else [text_of(item) for item in node.items]


def filled(
    text: str, of: Data | None = None, spoken: Data | None = None, words: Collection[str] = ()
) -> Read[list[str]]:
    """Return the cards as `id`, or as all their values where they have others, and the problems in one line each."""
    problems = ProblemList()
    made = filled_cards(family(text), of or data(), problems, spoken, words)
    cards = [" ".join(str(text_of(entry.value)) for entry in card.values()) for card in made]
    return Read(cards, problem_lines(problems, "f.yaml"))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("lists", "text", "cards"),
    [
        ("n: 1-3", "{{ n }}", ["1", "2", "3"]),
        ("n: 008-010", "{{ n + 1 }}", ["9", "10", "11"]),
        ("n: 999998-999999", "{{ n }}", ["999998", "999999"]),
        ("n: '1-2'", "{{ n }}", ["1", "2"]),
        ("s: species", "{{ s.id }}{=id}{{ s.rare }}", ["teal{=id}yes", "smew{=id}no"]),
        ("s: [2, 1.5, '3']", "{{ s + s }}", ["4", "3", "33"]),
        ("s: [[a, b], [c, d]]", "{{ s[1] }}", ["b", "d"]),
        ("n: 1-2, s: [x, y]", "{{ s }}{{ n }}", ["x1", "y1", "x2", "y2"]),
        ("s: [x]", "{{ s }}-{{ facts['hand size'] }}-{{ lists.species.teal.name }}", ["x-4-Teal"]),
        (f"{'n' * 60}: [x]", "{{ " + "n" * 60 + " }}", ["x"]),
    ],
)
def test_a_family_is_a_card_for_each_combination(lists: str, text: str, cards: list[str]) -> None:
    assert filled(f'{{for: {{{lists}}}, id: "{text}"}}') == (cards, [])


@pytest.mark.parametrize(
    ("where", "cards"),
    [
        ("s.rare", ["teal"]), ("'{{ not s.rare }}'", ["smew"]), ("'{{ s.value > 0 }}'", ["teal", "smew"]),
        ("s.value", ["teal", "smew"]),
    ],
)  # fmt: skip
def test_a_condition_takes_the_combinations_for_which_it_is_true(where: str, cards: list[str]) -> None:
    assert filled(f"for: {{s: species}}\nwhere: {where}\nid: '{{{{ s.id }}}}'") == (cards, [])


def test_a_value_keeps_its_place_and_what_has_no_expression_stays_as_it_is_written() -> None:
    node = family("for: {s: [a]}\ncopies: 2\nname: 'x{{ s }}'\ntags: ['{{ s }}', b, [c]]\nmore: [['{{ s }}']]\n")
    problems = ProblemList()
    (card,) = filled_cards(node, data(), problems)
    assert problems == []
    assert [(key, entry.source.line) for key, entry in card.items()] == [
        ("copies", 2), ("name", 3), ("tags", 4), ("more", 5),
    ]  # fmt: skip
    for key in ("copies", "more"):
        assert card[key].value is node.entries[key].value
    assert card["name"].value == Cell("xa", True, Source("f.yaml", 3, 7))
    tags, as_written = card["tags"].value, node.entries["tags"].value
    assert isinstance(tags, Sequence)
    assert isinstance(as_written, Sequence)
    assert (tags.source, tags.items[1:]) == (Source("f.yaml", 4, 7), as_written.items[1:])
    assert tags.items[0] == Cell("a", True, Source("f.yaml", 4, 8))


def test_a_family_in_another_language_has_its_words_and_the_ids_of_the_original() -> None:
    text = 'for: {s: species}\nwhere: s.name == "Teal"\nid: "{{ s.name }}"\nname: "{{ s.name }}, {{ s.value }}"\n'
    assert filled(text, spoken=data(FRENCH), words=["name"]) == (["Teal Sarcelle, 3"], [])
    assert filled(text, spoken=data(FRENCH)) == (["Teal Teal, 3"], [])
    assert filled(text, words=["name"]) == (["Teal Teal, 3"], [])


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("for: {}", "1:6 wrong-type"),
        ("for: {s: {a: b}}", "1:10 wrong-type"),
        ("for: {s: 1-1234567}", "1:10 unknown-list"),
        *((f"for: {{{name}: species}}", "1:7 bad-name") for name in ("facts", "lists", "a-b", "1a", "n" * 61)),
        *((f"for: {lists}", "1:1 empty-family") for lists in ("{s: []}", "{n: 3-2, s: species}", "{s: none}")),
        ("for: {s: species}\nwhere: s.value > 3", "1:1 empty-family"),
        ("for: {s: species}\nwhere: [s]", "2:8 wrong-type"),
        ("for: {s: species}\nwhere: 's and'", "2:8 bad-expression"),
        ("for: {s: species}\nwhere: '{{ s }} {{ s }}'", "2:8 bad-expression"),
    ],
)
def test_a_mistake_is_one_problem_and_makes_no_cards(text: str, problem: str) -> None:
    cards, (told,) = filled(f"{text}\nid: x")
    assert (cards, told.partition(": ")[0]) == ([], problem)


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("for: {s: species}\nwhere: s.rair\nid: '{{ s.id }}'", ["2:8 unknown-name"]),
        ("for: {s: species}\nid: 'a }} {{ s }}'", ["2:8 bad-expression"]),
        ("for: {s: species}\nid: '{{ }}'", ["2:6 bad-expression"]),
        ('for: {s: species}\nid: "a\\n{{ nothing }}"', ["2:5 unknown-name"]),  # of several lines, where they begin
        ("for: {s: species}\nid: x\ntags: [a, '{{ s.di }}', '{{ s.di }}']", ["3:12 unknown-name"]),
        ("for: {s: specie, a-b: spec}\nid: '{{ s. }}'\nwhere: \"s.\"",
         ["1:10 unknown-list", "1:18 bad-name", "1:23 unknown-list", "2:6 bad-expression", "3:8 bad-expression"]),
    ],
)  # fmt: skip
def test_mistakes_that_spoil_every_card_are_told_once(text: str, codes: list[str]) -> None:
    cards, told = filled(text)
    assert cards == []
    assert sorted(":".join(one.split(":")[:2]) for one in told) == sorted(codes)


def test_a_list_that_is_not_there_is_offered_another_or_to_be_written() -> None:
    for lists, fix in (
        (data(), "did you mean 'species'?"),
        (Data({}, {}), "write the words in brackets: [drake, hen]"),
    ):
        assert filled("for: {s: specie}\nid: x", of=lists).problems[0].partition(" -> ")[2] == fix


def test_cards_before_a_mistake_are_made() -> None:
    cards, problems = filled("for: {n: [2, 1, 0]}\nid: '{{ n }}'\nvalue: '{{ 2 / n }}'")
    assert cards == ["2 1", "1 2"]
    assert [one.partition(": ")[0] for one in problems] == ["3:9 bad-expression"]


FAR = ", ".join(f"v{number}: 1-1000" for number in range(10))


@pytest.mark.parametrize(
    ("most", "lists", "cards", "problem"),
    [
        (3, "n: 1-3", 3, ""),
        (3, "n: 1-4", 0, "1:10 too-many-cards: the range '1-4' is longer than 3"),
        (6, "n: 1-3, s: [a, b]", 6, ""),
        (5, "n: 1-3, s: [a, b]", 0, "1:1 too-many-cards: the family has 6 combinations; 5 are allowed"),
        (2000, FAR, 0, "1:1 too-many-cards: the family has far too many combinations; 2000 are allowed"),
    ],
)
def test_a_family_has_as_many_combinations_as_are_allowed(most: int, lists: str, cards: int, problem: str) -> None:
    limits.use({"family-cards": most})
    made, problems = filled(f"for: {{{lists}}}\nid: x")
    assert (len(made), [one.partition(" -> ")[0] for one in problems]) == (cards, [problem] if problem else [])


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("for: {s: [a]}\nid: x", 3),  # a combination, its variable, its text
        ("for: {s: [a], n: 1-2}\nid: x\nname: y", 10),
        ("for: {s: [a]}\nwhere: s\nid: x", 1004),  # compiling takes a thousand
        ("for: {s: [a]}\nid: ['{{ s }}', x, y]", 1008),  # and each entry of a list
    ],
)
def test_filling_in_is_counted_in_steps(text: str, steps: int) -> None:
    limits.use({"family-steps": steps})
    assert not filled(text).problems
    limits.use({"family-steps": steps - 1})
    cards, (problem,) = filled(text)
    assert problem.startswith(f"1:1 too-many-cards: more than {steps - 1} steps are taken ")
    assert f"--limit family-steps=NUMBER (now {limits.written(steps - 1)})" in problem
    assert len(cards) < 4


def test_the_families_of_a_game_share_one_budget() -> None:
    limits.use({"family-steps": 5})
    shared = data()
    assert not filled("for: {s: [a]}\nid: x", of=shared).problems
    assert [one.partition(":")[0] for one in filled("for: {s: [a]}\nid: x", of=shared).problems]
