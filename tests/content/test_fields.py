"""Fields: what a deck may declare, what a card holds in each kind of them, and what is wrong with a value."""

from __future__ import annotations

from typing import Any

import pytest

from duckpress.content import Mapping, read_yaml
from duckpress.content.game.fields import FIELDS, FieldTyper, can_be_field
from duckpress.content.yaml.nodes import Cell, Entry
from duckpress.core.problems import Read, Source
from duckpress.model import Field, FieldKind, Value
from problem_lines import problem_lines

HERE = Source("f.yaml", 1, 2)


def mapping(text: str) -> Mapping:
    node, problems = read_yaml("f.yaml", text.encode())
    assert not problems, problems
    assert isinstance(node, Mapping)
    return node


def declared(text: str) -> Read[dict[str, Field]]:
    fields, problems = FIELDS.read(mapping(text), "'fields' of deck 'd'")
    assert fields is not None
    return Read(fields, problem_lines(problems, "f.yaml"))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "field"),
    [
        *((kind.value, Field("a", kind, HERE)) for kind in FieldKind if kind is not FieldKind.CHOICE),
        ("{}", Field("a", FieldKind.TEXT, HERE)),
        ("{kind: choice, choices: [x, y], default: y}", Field("a", FieldKind.CHOICE, HERE, ("x", "y"), False, "y")),
        ("{kind: whole, optional: yes}", Field("a", FieldKind.WHOLE, HERE, is_required=False)),
        ("{kind: whole, default: 0}", Field("a", FieldKind.WHOLE, HERE, is_required=False, default=0)),
        ("{kind: list, default: [x]}", Field("a", FieldKind.LIST, HERE, is_required=False, default=("x",))),
        ("{kind: text, default: }", Field("a", FieldKind.TEXT, HERE, is_required=False)),
        ("{translate: no, label: Wings}", Field("a", FieldKind.TEXT, HERE, is_words=False, label="Wings")),
    ],
)  # fmt: skip
def test_a_field_is_declared_in_short_or_by_its_keys(text: str, field: Field) -> None:
    assert declared(f"{{a: {text}}}") == ({"a": field}, [])


UNKNOWN = Field("a", FieldKind.TEXT, HERE, is_required=False)
"""A field of which nobody knows what it holds."""
TEXT = Field("a", FieldKind.TEXT, HERE)
WHOLE = Field("a", FieldKind.WHOLE, HERE, is_required=False)


@pytest.mark.parametrize(
    ("text", "field", "problem"),
    [
        ("", UNKNOWN, "1:5 empty-value"),
        ("[x]", UNKNOWN, "1:5 wrong-type"),
        ("{kind: choice}", UNKNOWN, "1:5 missing-key"),
        ("{kind: choice, choices: []}", UNKNOWN, "1:29 missing-key"),
        ("{kind: choice, choices: x}", UNKNOWN, "1:29 wrong-type"),
        ("{kind: choice, choices: [x, '']}", Field("a", FieldKind.CHOICE, HERE, ("x", "")), "1:33 empty-value"),
        ("{kind: text, choices: [x]}", TEXT, "1:18 unknown-key"),
        ("{kind: [whole]}", TEXT, "1:12 wrong-type"),
        ("{kind: whole, default: '3'}", WHOLE, "1:28 wrong-type"),
    ],
)
def test_a_field_that_is_declared_wrongly_is_one_problem(text: str, field: Field, problem: str) -> None:
    fields, (told,) = declared(f"{{a: {text}}}")
    assert (fields, told.partition(": ")[0]) == ({"a": field}, problem)


LETTERS = "letters, digits and '_', a letter first"


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        *((name, f"a field cannot be called {name!r}: every card has one of its own -> take another word")
          for name in ("id", "where")),
        *((name, f"'{name}' cannot be the name of a field -> write '{other}': {LETTERS}")
          for name, other in (("-a b--c-", "a_b_c"), ("2nd", "field_2nd"), ("é", "text"))),
    ],
)  # fmt: skip
def test_a_name_that_no_field_can_have_is_told_and_left_out(name: str, problem: str) -> None:
    field = Field("b", FieldKind.TEXT, Source("f.yaml", 2, 1))
    assert declared(f"{name}: text\nb: text\n") == ({"b": field}, [f"1:1 bad-name: {problem}"])
    assert not can_be_field(name)
    assert [can_be_field(one) for one in ("Z9_", "a" * 60, "a" * 61, "", "a\n")] == [True, True, False, False, False]


ART = {"art/duck.svg"}


def typed(kind: FieldKind, text: str, *, is_cell: bool = False, **more: Any) -> Read[Value]:
    """Return the value that a card with this text in its one field has, and what is told of it."""
    entry = mapping(f"a: {text}").entries["a"]
    if is_cell:
        entry = Entry(Cell(text, True, Source("f.yaml", 1, 4)), entry.source)
    typer = FieldTyper({"a": Field("a", kind, HERE, **more)}, ART.__contains__)
    (values, sources, missing), problems = typer.type_values([("a", entry)], "card 'x'")
    assert missing == []
    assert sources == {"a": entry.value.source}
    return Read(values["a"], problem_lines(problems, "f.yaml"))  # type: ignore[arg-type]


DIGITS = "9" * 15
LONG_NUMBER = f"1.{'0' * 30}"


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        (FieldKind.TEXT, "no", "no"),
        (FieldKind.TEXT, "|\n  two\n  lines\n\n", "two\nlines"),
        (FieldKind.TEXT, "'a '", "a "),
        (FieldKind.WHOLE, "012", 12),
        (FieldKind.WHOLE, "+3", 3),
        (FieldKind.WHOLE, DIGITS, int(DIGITS)),
        (FieldKind.NUMBER, "1.5", 1.5),
        (FieldKind.NUMBER, LONG_NUMBER, 1.0),
        (FieldKind.YES_NO, "Yes", True),
        (FieldKind.CHOICE, "y", "y"),
        (FieldKind.IMAGE, "art/duck.svg", "art/duck.svg"),
        (FieldKind.ICON, "drop", "drop"),
        (FieldKind.COLOUR, "'#aAbB09'", "#aAbB09"),
        (FieldKind.COLOUR, "pond-2", "pond-2"),
        (FieldKind.LIST, "[a, '2;3']", ("a", "2;3")),
    ],
)
def test_a_value_is_read_by_the_kind_of_its_field(kind: FieldKind, text: str, value: Value) -> None:
    for is_required in (True, False):
        read = typed(kind, text, choices=("x", "y"), is_required=is_required)
        assert read == (value, [])
        assert type(read.value) is type(value)


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        (FieldKind.LIST, "a; b ;;  ; c", ("a", "b", "c")), (FieldKind.LIST, ";", ()),
        (FieldKind.LIST, "a, b", ("a, b",)), (FieldKind.TEXT, "null", "null"),
    ],
)  # fmt: skip
def test_a_cell_of_a_table_is_read_as_it_stands(kind: FieldKind, text: str, value: Value) -> None:
    assert typed(kind, text, is_cell=True) == (value, [])


@pytest.mark.parametrize("text", ["", "~", "null", "''"])
@pytest.mark.parametrize("kind", [kind for kind in FieldKind if kind is not FieldKind.TEXT])
def test_an_optional_field_may_be_left_empty(kind: FieldKind, text: str) -> None:
    more = {"choices": ("x",), "is_required": False}
    empty = {FieldKind.WHOLE: None, FieldKind.NUMBER: None, FieldKind.YES_NO: False, FieldKind.LIST: ()}.get(kind, "")
    assert typed(kind, text, **more) == (empty, [])
    for default in ("d", 0):
        assert typed(kind, text, **more, default=default) == (default, [])


@pytest.mark.parametrize(
    ("kind", "text", "value", "problem"),
    [
        (FieldKind.TEXT, "", "", "1:3 empty-value"),
        (FieldKind.TEXT, "[a]", "", "1:4 wrong-type"),
        (FieldKind.WHOLE, "", 0, "1:3 empty-value"),
        *(
            (FieldKind.WHOLE, text, 0, "1:4 wrong-type")
            for text in ("1.0", "1_000", "0x1f", "0o14", "12:30", "1e3", "yes", ".inf", ".nan", "[]")
        ),
        (FieldKind.WHOLE, f"{DIGITS}9", 0, "1:4 out-of-range"),
        (FieldKind.NUMBER, f"{LONG_NUMBER}0", 0, "1:4 out-of-range"),
        (FieldKind.NUMBER, "x", 0, "1:4 wrong-type"),
        (FieldKind.YES_NO, "on", False, "1:4 wrong-type"),
        (FieldKind.CHOICE, "z", "", "1:4 unknown-choice"),
        (FieldKind.IMAGE, "art/dukc.svg", "art/dukc.svg", "1:4 missing-art"),
        (FieldKind.COLOUR, "", "", "1:3 empty-value"),
        *((FieldKind.COLOUR, f"'{text}'", "", "1:4 bad-colour") for text in ("#aabbc", "#aabbccd", "#aabbcg", "a b")),
        (FieldKind.LIST, "a; b", (), "1:4 wrong-type"),
        (FieldKind.LIST, "[a, [b]]", (), "1:8 wrong-type"),
    ],
)
def test_16_a_wrong_value_is_one_problem_and_stands_as_the_default(
    kind: FieldKind, text: str, value: Value, problem: str
) -> None:
    read, (told,) = typed(kind, text, choices=("x", "y"))
    assert (read, told.partition(": ")[0]) == (value, problem)
    if text and kind is not FieldKind.IMAGE:
        assert typed(kind, text, choices=("x", "y"), is_required=False, default="d") == ("d", [told])


def test_a_wrong_number_that_may_be_left_out_is_no_number_to_compute_with() -> None:
    """An empty number is none, and a layout that adds one to it would be told off as well."""
    assert typed(FieldKind.WHOLE, "x", is_required=False).value == 0


def test_the_fields_of_a_card_are_typed_in_one_go() -> None:
    fields, _ = declared("{a: text, b: whole, c: {optional: yes}, d: yes-no, e: {kind: whole, default: 4}}")
    typer = FieldTyper(fields, ART.__contains__)
    (values, sources, missing), problems = typer.type_values(mapping("a: A\nc:\nb: 2\n").entries.items(), "card 'x'")
    assert values == {"a": "A", "b": 2, "c": "", "d": False, "e": 4}
    assert list(sources) == ["a", "c", "b"]
    assert (missing, problems) == (["d"], [])
