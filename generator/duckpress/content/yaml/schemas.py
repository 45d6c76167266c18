"""The declaration of a file -> a JSON Schema of it (draft 2020-12), for editors and whoever else checks before us.

It is made of what reads the file: keys, what they take, and the forms a mapping may have. A schema knows the structure
and no meaning: that a deck exists, that ids differ, or what an expression comes to, `duckpress check` says.
"""

from __future__ import annotations

import math
from typing import Any

from duckpress.content.yaml.declared_shapes import Key, Kind, ListOf, NamesOf, Plain, Shape, Taken, When

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_AS_YAML: dict[str, tuple[Any, ...]] = {"yes": ("Yes", "YES"), "no": ("No", "NO"), "true": (True,), "false": (False,)}
"""How else words may be written, and what an editor's YAML 1.2 makes of them."""


def schema_of(shape: type[Shape]) -> dict[str, Any]:
    """Return the schema of a file that holds such a mapping."""
    return _Definitions().file((shape,))


def schema_of_names(shape: type[Shape]) -> dict[str, Any]:
    """Return the schema of a file that holds such mappings by names of the writer's own."""
    return _Definitions().file((NamesOf((shape,)),))


class _Definitions:
    """The schemas of the mappings in a file, each once, by the names of their declarations."""

    def __init__(self) -> None:
        self._by_name: dict[str, Any] = {}

    def file(self, taken: tuple[Taken, ...]) -> dict[str, Any]:
        whole = self._any_of(taken)
        return {"$schema": DIALECT, **whole, "$defs": self._by_name}

    def _any_of(self, taken: tuple[Taken, ...]) -> dict[str, Any]:
        schemas = [self._taken(one) for one in taken]
        return schemas[0] if len(schemas) == 1 else {"anyOf": schemas}

    def _taken(self, one: Taken) -> dict[str, Any]:
        if isinstance(one, Plain):
            return _plain(one)
        if isinstance(one, ListOf):
            least = {"minItems": one.least} if one.least else {}
            return {"type": "array", "items": self._any_of(one.entries), **least}
        if isinstance(one, NamesOf):
            names = {"propertyNames": {"pattern": one.pattern}} if one.pattern else {}
            return {"type": "object", "additionalProperties": self._any_of(one.values), **names}
        if isinstance(one, Kind):
            return self._kind(one)
        return self._reference(one)

    def _kind(self, kind: Kind[Any]) -> dict[str, Any]:
        if kind.choices:
            return {"enum": list(dict.fromkeys(form for word in kind.choices for form in _forms_of(word)))}
        schema = self._any_of(kind.takes)
        ends = (("minimum", kind.low), ("maximum", kind.high))  # of numbers: a length with a unit is a text
        return {**schema, **{name: end for name, end in ends if end is not None and math.isfinite(end)}}

    def _reference(self, shape: type[Shape]) -> dict[str, Any]:
        name = shape.__name__.removesuffix("Keys")
        if name not in self._by_name:
            self._by_name[name] = {}  # it may hold others like itself
            self._by_name[name] = self._by_cases(shape)
        return {"$ref": f"#/$defs/{name}"}

    def _by_cases(self, shape: type[Shape]) -> dict[str, Any]:
        """Return the schema of a mapping, where it has several forms the first whose case holds."""
        cases = [case for case in shape.cases() if case[1] is not shape]
        schema = self._mapping(shape) if not cases or cases[-1][0].key else None
        for when, form in reversed(cases):
            then = self._mapping(form)
            schema = then if schema is None else {"if": _condition(when), "then": then, "else": schema}
        return {"type": "object", **(schema or {})}

    def _mapping(self, shape: type[Shape]) -> dict[str, Any]:
        needed = [name for name, key in shape.keys.items() if key.is_required]
        either = {"oneOf": [{"required": [name]} for name in shape.one_of]} if shape.one_of else {}
        return {
            "type": "object",
            "description": (shape.__doc__ or "").partition("\n")[0],
            "properties": {name: self._key(key) for name, key in shape.keys.items()},
            **({"required": needed} if needed else {}),
            **either,
            **({} if shape.is_open else {"additionalProperties": False}),
        }

    def _key(self, key: Key[Any]) -> dict[str, Any]:
        schema = self._kind(key.kind)
        if not key.is_filled and not key.kind.reads_null:
            schema = _or_null(schema)
        elif key.is_filled and key.kind.is_scalar:
            schema = {**schema, "not": {"type": "string", "pattern": r"^\s*$"}}
        about = f"{key.about}; {key.name} is required" if key.is_required else key.about
        default = key.default
        is_shown = isinstance(default, str | int | float) and default != "" and not key.is_required
        return {"description": about, **schema, **({"default": default} if is_shown else {})}


def _or_null(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a value that may be left empty; what is wrong inside of it keeps its place in messages."""
    if "enum" in schema:
        return {**schema, "enum": [*schema["enum"], None]}
    types = schema.get("type")
    if types is None:
        return {"anyOf": [schema, {"type": "null"}]}
    return {**schema, "type": list(dict.fromkeys([*([types] if isinstance(types, str) else types), "null"]))}


def _plain(one: Plain) -> dict[str, Any]:
    types = {"type": list(one.types) if len(one.types) > 1 else one.types[0]} if one.types else {}
    return {**types, **({"pattern": one.pattern} if one.pattern else {})}


def _forms_of(word: str) -> list[Any]:
    """Return a word as an editor may read it: `90` is a number there."""
    number = [int(word)] if word.isdigit() else []
    return [word, *number, *_AS_YAML.get(word, ())]


def _condition(when: When) -> dict[str, Any]:
    words = list(dict.fromkeys(form for word in when.words for form in _forms_of(word)))
    value = {"type": "object"} if when.is_mapping else {"enum": words} if words else {}
    without = {"not": {"required": [when.without]}} if when.without else {}
    return {"required": [when.key], "properties": {when.key: value}, **without}
