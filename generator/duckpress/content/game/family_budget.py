"""How much the families of a game may take: filling them in, all together, is bounded, whatever their lists hold."""

from __future__ import annotations

from duckpress.core.limits import how_to_raise, limit

NAME = "family-steps"


class SpentError(Exception):
    """The budget is used up; its text is what is wrong, `fix` how to go on."""

    def __init__(self, what: str, fix: str) -> None:
        super().__init__(what)
        self.fix = fix


class Budget:
    """Steps: a value filled in, a name known to it, sixteen letters written, as many entries of a list looked at."""

    def __init__(self) -> None:
        self._left = self._most = limit(NAME)

    def spend(self, steps: int) -> None:
        """Take steps; raises `SpentError` once there are none."""
        self._left -= steps
        if self._left < 0:
            what = f"the families of the game take more than {self._most} steps to fill in"
            raise SpentError(what, f"use shorter lists, or simpler expressions; {how_to_raise(NAME)}")
