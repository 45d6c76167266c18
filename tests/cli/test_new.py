"""`duckpress new`: the game it makes is complete, builds without a finding, and never overwrites anything."""

from __future__ import annotations

from pathlib import Path

from duckpress import cli
from duckpress.views.new_game import MAX_TITLE_LENGTH
from running import run, run_json


def everything_in(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


def test_a_new_game_in_an_empty_folder_builds_without_a_finding(tmp_path: Path) -> None:
    told = run_json(tmp_path, "new", "harvest-moon")
    assert (told["game"], told["folder"], told["problems"]) == ("harvest-moon", str(tmp_path), [])
    assert all((tmp_path / file).is_file() for file in told["files"])
    assert [name for name in everything_in(tmp_path) if "duckpress" in name] == [], "something is left behind"

    assert run_json(tmp_path, "check", "harvest-moon")["problems"] == []
    data = run_json(tmp_path, "build", "harvest-moon", "--paper", "letter")
    assert (data["problems"], data["shrunk"]) == ([], [])
    (game,) = data["games"]
    assert {piece["piece"]: piece["cards"] for piece in game["pieces"]} == {"cards": 34, "aids": 4, "rules": 0}
    assert (tmp_path / "output" / "harvest-moon" / "harvest-moon-all-letter.pdf").is_file()


def test_the_title_is_made_of_the_name_or_given(tmp_path: Path) -> None:
    given = 'The "Best"\\ Game: # 1'
    run(tmp_path, "new", "harvest-moon")
    run(tmp_path, "new", "no")
    run(tmp_path, "new", "best", "--title", given)
    titles = {game["game"]: game["title"] for game in run_json(tmp_path, "list")["games"]}
    assert titles == {"harvest-moon": "Harvest moon", "no": "No", "best": given}


def test_a_game_is_added_to_the_workspace_around(tmp_path: Path) -> None:
    run(tmp_path, "new", "one")
    inside = tmp_path / "content" / "one" / "decks"
    assert run(inside, "new", "two").exit_code == cli.DONE
    assert (tmp_path / "content" / "two" / "game.yaml").is_file()


def test_a_name_that_is_no_id_is_refused_and_a_title_that_is_none(tmp_path: Path) -> None:
    for name in ("Pond", "../pond", "", "-pond", "pönd", "a" * 81):
        run(tmp_path, "new", "--", name, status=cli.USAGE_ERROR)
        assert everything_in(tmp_path) == []
    for title in ("  ", "two\nlines", "a" * (MAX_TITLE_LENGTH + 1)):
        run(tmp_path, "new", "pond", "--title", title, status=cli.USAGE_ERROR)
        assert everything_in(tmp_path) == []


def test_what_is_there_already_is_never_touched(tmp_path: Path) -> None:
    for taken in ("full", "empty"):
        (tmp_path / "content" / taken).mkdir(parents=True)
    (tmp_path / "content" / "full" / "game.yaml").write_text("mine")
    (tmp_path / "content" / "dangling").symlink_to(tmp_path / "nowhere")
    before = everything_in(tmp_path)
    for taken in ("full", "empty", "dangling"):
        done = run(tmp_path, "new", taken)
        assert (done.exit_code, "is there already" in done.output) == (cli.USAGE_ERROR, True), taken
    assert everything_in(tmp_path) == before
    assert (tmp_path / "content" / "full" / "game.yaml").read_text() == "mine"


def test_a_folder_with_other_things_in_it_is_no_workspace(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "holiday.jpg").write_bytes(b"")
    done = run(tmp_path, "new", "pond")
    assert (done.exit_code, "not empty" in done.output) == (cli.USAGE_ERROR, True)
    (tmp_path / "holiday.jpg").unlink()
    (tmp_path / "output").mkdir()
    assert run(tmp_path, "new", "pond").exit_code == cli.DONE, "hidden files do no harm, nor what was built before"
