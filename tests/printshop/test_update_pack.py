"""The new cards of an update pack, printed, turned over and cut: just those put in, each with its own back."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from cutting import ALIKE, cut_sheets, difference, most_like
from shop import faces, make_shop

from duckpress.cli.commands import main
from duckpress.core.sizes import FORMATS


@pytest.mark.sweep(2)
@pytest.mark.parametrize(("paper", "turn", "backs"), [("a4", "long", "duplex"), ("letter", "short", "duplex")])
def test_new_cards_come_out_right(paper: str, turn: str, backs: str, tmp_path: Path) -> None:
    workspace = make_shop(tmp_path, "poker", {"ada": 3, "bo": 1, "cy": 7}, backs="each")
    game = tmp_path / "content" / "shop"

    def run(*words: str) -> Result:
        done = CliRunner().invoke(main, ["--workspace", str(tmp_path), *words])
        assert done.exit_code == 0, done.output
        return done

    run("release", "shop")
    cards = (game / "decks" / "card.yaml").read_text()
    cards = cards.replace("id: ada, copies: 3, number: 0", "id: ada, copies: 3, number: 4")
    cards = cards.replace("id: cy, copies: 7", "id: cy, copies: 9")
    (game / "decks" / "card.yaml").write_text(cards)
    (game / "game.yaml").write_text((game / "game.yaml").read_text().replace("1.0", "1.1"))
    options = ("--paper", paper, "--turn", turn, "--backs", backs, "--format", "json")
    data = json.loads(run("update", "shop", *options).output)
    assert set(data) == {"game", "folder", "files", "sheets", "take_out", "put_in", "changes", "problems"}
    assert [(one["card"], one["copies"]) for one in data["take_out"]] == [("ada", 3)]
    wanted = faces(workspace)
    fronts = {name: face for name, (face, _, _) in wanted.items()}
    found: Counter[str] = Counter()
    for one in cut_sheets(Path(data["folder"]) / f"shop-update-{paper}.pdf", *FORMATS["poker"].trim):
        name, differs = most_like(one.face, fronts)
        back = wanted[name][1]
        assert differs < ALIKE, f"{name}: its face is off"
        assert one.back is not None
        assert back is not None
        assert difference(one.back, back) < ALIKE, f"{name}: its back is off"
        found[name] += 1
    assert found == {one["card"]: one["copies"] for one in data["put_in"]} == {"ada": 3, "cy": 2}
