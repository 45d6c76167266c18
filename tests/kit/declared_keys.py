"""The keys that a file may hold, as the program declares them: a page of the documentation names each of them."""

from __future__ import annotations

from duckpress.content import Shape
from duckpress.content.yaml.declared_shapes import Kind, ListOf, NamesOf


def keys_of(shape: type[Shape]) -> set[str]:
    """Return every key of a mapping, of its other forms, and of the mappings in it."""
    names: set[str] = set()
    for form in _forms(shape):
        for name, key in form.keys.items():
            names |= {name} | _keys_in(key.kind)
    return names


def _forms(shape: type[Shape]) -> list[type[Shape]]:
    return [shape, *(form for heir in shape.__subclasses__() for form in _forms(heir))]


def _keys_in(kind: object) -> set[str]:
    if isinstance(kind, Kind | ListOf | NamesOf):
        inner = kind.takes if isinstance(kind, Kind) else kind.entries if isinstance(kind, ListOf) else kind.values
        return {name for one in inner for name in _keys_in(one)}
    return keys_of(kind) if isinstance(kind, type) and issubclass(kind, Shape) else set()
