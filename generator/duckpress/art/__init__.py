"""Drawings, pictures and codes -> their printable form; and why art cannot be printed, in the words of a problem."""

from __future__ import annotations

from duckpress.core.limits import how_to_raise, limit


class BadArt(ValueError):
    """Art, or a part of it, that is malformed or that cannot be printed."""

    def __init__(self, what: str, fix: str = "correct the file") -> None:
        super().__init__(what)
        self.fix = fix


class UndrawnArt(BadArt):
    """Valid art that the program cannot draw as outlines."""


class TooMuchArt(BadArt):
    """A file above a limit; none of its content is used."""


def refuse_more(
    count: int, limited_by: str, what: str, advice: str = "simplify it", error: type[BadArt] = TooMuchArt
) -> None:
    """Raise an error if a count is above a limit; `what` has `{most}` for its number."""
    most = limit(limited_by)
    if count > most:
        raise error(what.format(most=most), f"{advice}; {how_to_raise(limited_by)}")
