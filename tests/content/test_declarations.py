"""What YAML may hold is declared as data that others read: the schemas for editors are made of it."""

from __future__ import annotations

from collections.abc import Iterator

from duckpress.content import Shape
from duckpress.content.game.game_file import EditionKeys
from duckpress.content.yaml.declared_shapes import Key, omittable, optional, read_shape
from duckpress.content.yaml.kinds import TEXT
from duckpress.content.yaml.yaml_file import read_yaml
from duckpress.views.new_game import SCHEMAS


def every_shape(shape: type[Shape] = Shape) -> Iterator[type[Shape]]:
    for heir in shape.__subclasses__():
        yield heir
        yield from every_shape(heir)


def test_every_key_says_what_it_holds_and_what_it_is_for() -> None:
    assert SCHEMAS  # whose module imports what they are made of
    shapes = [one for one in every_shape() if one.__module__.startswith("duckpress")]
    assert len(shapes) > 30
    for key in (key for one in shapes for key in one.keys.values()):
        assert isinstance(key, Key)
        assert key.about, key
        assert key.kind.takes or key.kind.choices, key
        assert not key.is_required or key.default == key.kind.empty, key


def test_a_record_knows_the_places_of_its_fields_however_their_keys_are_called() -> None:
    node = read_yaml("game.yaml", b"apart: 2\ndeal: {duck: 3}\n").value
    assert node is not None
    written = read_shape(node, EditionKeys, "'edition'").value
    assert written is not None
    plan = written.plan()
    assert [plan.at(field).line for field in ("apart", "draws")] == [1, 2]


class ThingKeys(Shape):
    free = optional(TEXT, "d", "")
    filled = omittable(TEXT, "")


def test_any_key_may_be_left_out_and_an_optional_one_may_be_empty() -> None:
    for text, filled, codes in (("free:", None, []), ("filled: x", "x", []), ("filled:", None, ["empty-value"])):
        node = read_yaml("f.yaml", text.encode()).value
        assert node is not None
        written, problems = read_shape(node, ThingKeys, "the thing")
        assert written is not None
        assert (written.free, written.filled, [one.code for one in problems]) == ("d", filled, codes)
