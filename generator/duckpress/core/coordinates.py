"""The names of a board's spaces or points: letters one way, numbers the other, counted from a corner."""

from __future__ import annotations

import re
from typing import NamedTuple

ORIGINS = ("top-left", "top-right", "bottom-left", "bottom-right")
LETTERS = ("across", "down")
NAME = re.compile(r"([A-Za-z]{1,3})([0-9]{1,4})")


class Coordinates(NamedTuple):
    """The names of a grid's columns and rows. `letter` and `number` name the first ones; letters count from 0."""

    columns: int
    rows: int
    letter: int = 0
    number: int = 1
    is_lettered_across: bool = True
    from_right: bool = False
    from_bottom: bool = False

    def grown(self) -> Coordinates:
        """Return the names of the grid points around the spaces: one more column and row."""
        return self._replace(columns=self.columns + 1, rows=self.rows + 1)

    def column(self, index: int) -> str:
        """Return the name of a column, counted from 0 at the left."""
        at = self.columns - 1 - index if self.from_right else index
        return column_letters(self.letter + at) if self.is_lettered_across else str(self.number + at)

    def row(self, index: int) -> str:
        """Return the name of a row, counted from 0 at the top."""
        at = self.rows - 1 - index if self.from_bottom else index
        return str(self.number + at) if self.is_lettered_across else column_letters(self.letter + at)

    def name(self, column: int, row: int) -> str:
        """Return a name such as B3: the letters come first, also where the rows are lettered."""
        across, down = self.column(column), self.row(row)
        return f"{across}{down}" if self.is_lettered_across else f"{down}{across}"

    def locate(self, name: str) -> tuple[int, int] | None:
        """Return a name's column and row, counted from 0 at the top left, even off the board; None if it is no name."""
        match = NAME.fullmatch(name.strip())
        if match is None:
            return None
        letter, number = letters_column(match[1]) - self.letter, int(match[2]) - self.number
        column, row = (letter, number) if self.is_lettered_across else (number, letter)
        column = self.columns - 1 - column if self.from_right else column
        return column, self.rows - 1 - row if self.from_bottom else row

    def find(self, name: str) -> tuple[int, int] | None:
        """Return a name's column and row, counted from 0 at the top left; None if it is no name or off the board."""
        place = self.locate(name)
        return place if place is not None and self.has(place) else None

    def has(self, place: tuple[int, int]) -> bool:
        """Return whether a column and row, counted from 0 at the top left, are on the board."""
        return 0 <= place[0] < self.columns and 0 <= place[1] < self.rows

    def nearest(self, place: tuple[int, int]) -> tuple[int, int]:
        """Return the column and row on the board nearest to a place off the board."""
        return min(max(place[0], 0), self.columns - 1), min(max(place[1], 0), self.rows - 1)

    @property
    def ends(self) -> str:
        """The first and the last name, for messages."""
        left, right = (self.columns - 1, 0) if self.from_right else (0, self.columns - 1)
        top, bottom = (self.rows - 1, 0) if self.from_bottom else (0, self.rows - 1)
        return f"{self.name(left, top)} to {self.name(right, bottom)}"


def counted_from(
    first: str, columns: int, rows: int, *, letters: str = "across", origin: str = "top-left"
) -> Coordinates | None:
    """Return the names of a board with the space `first` at the corner `origin`; None for an invalid name."""
    match = NAME.fullmatch(first.strip())
    if match is None:
        return None
    across, right, bottom = letters == "across", origin.endswith("right"), origin.startswith("bottom")
    return Coordinates(columns, rows, letters_column(match[1]), int(match[2]), across, right, bottom)


def column_letters(number: int) -> str:
    """Return the letters of a column counted from 0: A to Z, then AA, AB ..."""
    letters = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def letters_column(letters: str) -> int:
    """Return the column, counted from 0, that letters name."""
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - 64
    return number - 1
