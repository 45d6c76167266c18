"""Rows of plain data -> items: every field is looked at, for whoever wrote them may have been taken over."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from duckpress.frame import Group, Item, Outline, Paint, Picture, Placed, Text
from duckpress.geometry import Matrix

_DASH = Paint._fields.index("dash_mm")


def read_items(rows: list[Any]) -> tuple[Item, ...]:
    """Give items from rows of their fields; raises `TypeError`, `ValueError` or `IndexError` for anything else.

    No two kinds of item have as many fields of the same kinds, so a row says by itself what it is.
    """
    items: list[Item] = []
    new = tuple.__new__  # as `_make` does it, which looks at the length once more
    for row in rows:
        kinds = tuple(map(type, row))
        kind = _known_kinds.get(kinds) or _kind_of(kinds)
        if kind is Text:
            items.append(new(Text, row))
        elif kind is Outline:
            d, paint = row
            if _known_kinds.get(kinds := tuple(map(type, paint))) is not Paint and _kind_of(kinds) is not Paint:
                items.append(Placed(d, _matrix(paint)))
                continue
            paint[_DASH] = tuple(map(_number, paint[_DASH]))
            items.append(new(Outline, (d, new(Paint, paint))))
        elif kind is Picture:
            items.append(new(Picture, row))
        elif kind is Group:
            inner, matrix, clip, opacity = row
            items.append(Group(read_items(inner), _matrix(matrix), clip, opacity))
        else:
            raise TypeError(row)
    return tuple(items)


_NUMBERS: frozenset[type] = frozenset((int, float))
_WORDS: frozenset[type] = frozenset((str,))
_WORDS_OR_NONE: frozenset[type] = frozenset((str, type(None)))
_ROWS: frozenset[type] = frozenset((list,))
_YES_NO: frozenset[type] = frozenset((bool,))
_FIELDS: Mapping[type, tuple[frozenset[type], ...]] = {
    Text: (_NUMBERS, _NUMBERS, _NUMBERS, _WORDS, _WORDS, _WORDS, _WORDS, _NUMBERS),
    Picture: (_WORDS, _NUMBERS, _NUMBERS, _NUMBERS, _NUMBERS),
    Group: (_ROWS, _ROWS, _WORDS, _NUMBERS),
    Outline: (_WORDS, _ROWS),  # or placed: its row of numbers tells
    Paint: (
        _WORDS_OR_NONE, _WORDS_OR_NONE, _NUMBERS, _NUMBERS, _NUMBERS, _ROWS, _NUMBERS, _NUMBERS, _YES_NO,
    ),
    Matrix: (_NUMBERS,) * 6,
}  # fmt: skip
_known_kinds: dict[tuple[type, ...], type] = {}


def _kind_of(kinds: tuple[type, ...]) -> type:
    """Give the record that has fields of such kinds; raises `TypeError` where none has."""
    for kind, fields in _FIELDS.items():
        if len(fields) == len(kinds) and all(one in allowed for one, allowed in zip(kinds, fields, strict=True)):
            _known_kinds[kinds] = kind
            return kind
    raise TypeError(kinds)


def _matrix(row: list[Any]) -> Matrix:
    if len(row) != len(Matrix._fields):
        raise TypeError(row)
    return Matrix._make(map(_number, row))


def _number(found: Any) -> float:
    if type(found) not in _NUMBERS:
        raise TypeError(found)
    return found  # type: ignore[no-any-return]
