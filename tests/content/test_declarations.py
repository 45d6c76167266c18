"""What YAML may hold is declared as data that others read: the schemas for editors are made of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from duckpress.content import Shape
from duckpress.content.game.game_file import EditionKeys
from duckpress.content.yaml.declared_shapes import Key, read_shape
from duckpress.content.yaml.yaml_file import read_yaml


def every_shape(shape: type[Shape] = Shape) -> Iterator[type[Shape]]:
    for heir in shape.__subclasses__():
        yield heir
        yield from every_shape(heir)


@pytest.mark.parametrize(
    "shape", [one for one in every_shape() if one.__module__.startswith("duckpress")], ids=lambda shape: shape.__name__
)
def test_every_key_says_what_it_holds_and_what_it_is_for(shape: type[Shape]) -> None:
    for key in shape.keys.values():
        assert isinstance(key, Key)
        assert key.about
        assert key.kind.takes or key.kind.choices
        assert not key.is_required or key.default == key.kind.empty


def test_a_record_knows_the_places_of_its_fields_however_their_keys_are_called() -> None:
    node = read_yaml("game.yaml", b"apart: 2\ndeal: {duck: 3}\n").value
    assert node is not None
    written = read_shape(node, EditionKeys, "'edition'").value
    assert written is not None
    plan = written.plan()
    assert [plan.at(field).line for field in ("apart", "draws")] == [1, 2]
