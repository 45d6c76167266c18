"""A real game in a folder of its own: released as 0.1, played with, and tweaked three times."""

from __future__ import annotations

import shutil
from pathlib import Path

from click.testing import Result

from running import run

ROOT = Path(__file__).resolve().parents[2]
GAME = "duck-blind"
LEFT_OUT = (
    ("[duck, warden, action]", "[action]"),
    ("""  - {id: blinds, title: "Six blinds of ten cards", decks: [blind]}\n""", ""),
    ("  - {id: bonus, title: Bonus cards, decks: [bonus]}\n", ""),
    ("[aid, setup-card]", "[setup-card]"),
    ("  - {id: tokens, title: Order tokens and start player token, decks: [order-token, start-token]}\n", ""),
    ("  - {id: scoring, title: Scoring sheet, decks: [scoring]}\n", ""),
    ("  - {id: feedback, title: Playtest feedback form, decks: [feedback]}\n", ""),
    ("[marsh-box, hunters-box]", "[hunters-box]"),
    ("[marsh-divider, hunters-divider]", "[hunters-divider]"),
)
"""What the tweaks do not touch: other decks are only counted, in the setup and by the box; nobody plays rounds."""


class Story:
    """The game's folder, and the commands run on it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.folder = root / "content" / GAME

    def copied(self, root: Path) -> Story:
        """Return the story once more, from here on with an ending of its own."""
        shutil.copytree(self.root, root, dirs_exist_ok=True)
        return Story(root)

    def begin(self) -> None:
        """Take the game, and release it."""
        left_out = shutil.ignore_patterns("releases", "lang", "*.fr.md")
        shutil.copytree(ROOT / "content" / GAME, self.folder, ignore=left_out)
        self.edit("game.yaml", ('version: "0.3"', 'version: "0.1"'), ("languages: [en, fr]", "languages: [en]"))
        self.edit("game.yaml", ("booklet: yes", "bundle: {papers: [a4]}"), *LEFT_OUT)
        (self.folder / "rules.md").write_text("# Play\n\nBid for the ducks of a flight.\n", encoding="utf-8")
        setup = (self.folder / "setup.yaml").read_text(encoding="utf-8").partition("# How cards flow")[0]
        (self.folder / "setup.yaml").write_text(setup, encoding="utf-8")
        released = self.run("release", GAME)
        assert released.exit_code == 0, released.output

    def edit(self, file: str, *pairs: tuple[str, str]) -> None:
        path = self.folder / file
        text = path.read_text(encoding="utf-8")
        for old, new in pairs:
            assert text.count(old) >= 1, (file, old)
            text = text.replace(old, new, 1)
        path.write_text(text, encoding="utf-8")

    def run(self, *words: str, has_cache: bool = True) -> Result:
        own = str(self.root.with_name(f"{self.root.name}-settings"))
        cache = str(self.root / "cache") if has_cache else "off"
        return run(self.root, *words, DUCKPRESS_CACHE=cache, XDG_CONFIG_HOME=own, APPDATA=own)

    def tweak(self) -> None:
        """Change a text, a count and a number of the setup, with what the game's own checks hold them against."""
        self.edit("game.yaml", ('version: "0.1"', 'version: "0.2"'))
        self.edit(
            "decks/action.yaml",
            ("Take **one duck from the common discard**.", "Take **one duck of your choice** from the common discard."),
            ("id: double-barrel\n    copies: 7", "id: double-barrel\n    copies: 8"),
        )
        self.edit(
            "setup.yaml",
            ("remove:   {2: 5,", "remove:   {2: 4,"),
            ("play_deck, is: {2: 30,", "play_deck, is: {2: 31,"),
            ("  action: 42\n", "  action: 43\n"),
            ("""  - {that: "count('action', where='card.copies == 7')", is: 6 * 7}\n""", ""),
        )
