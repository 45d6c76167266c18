"""The faults of `make mutants` stay such as can be put into the program as it is now."""

from __future__ import annotations

import importlib.util
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest


def mutants() -> ModuleType:
    spec = importlib.util.spec_from_file_location("mutants", Path(__file__).parent / "mutants" / "run.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.soak
def test_every_fault_stands_once_in_the_program_and_changes_it() -> None:
    run = mutants()
    faults = run.mutants()
    for fault in faults:
        assert fault.faulty()
        assert fault.old != fault.new
        assert fault.game in run.GAMES
        path, _, name = fault.test.partition("::")
        assert not fault.test or f"def {name.partition('[')[0]}(" in (run.ROOT / path).read_text(encoding="utf-8")
    assert len({(fault.file, fault.new, fault.old) for fault in faults}) == len(faults) >= 270


def test_the_page_on_security_has_the_score_of_these_faults_and_names_no_others() -> None:
    run = mutants()
    faults = run.mutants()
    _, _, after = run.PAGE.read_text(encoding="utf-8").partition("<!-- mutants: begin -->")
    lines = after.partition("<!-- mutants: end -->")[0].splitlines()
    rows = (line.strip("| ").split(" | ") for line in lines if line.startswith("|"))
    score = {name: tuple(map(int, cells)) for name, *cells in [*rows][2:]}
    counts = Counter(fault.package for fault in faults) + Counter({"all": len(faults)})
    assert {name: count for name, (count, *_) in score.items()} == counts
    assert all(count == sum(became) for count, *became in score.values())
    survivors = [fault for fault in faults if f"- `{fault.file}`: {fault.what}" in lines]
    assert len(survivors) == sum(line.startswith("- ") for line in lines) == score["all"][3]
    for name, (_, _, _, survived) in score.items():
        assert survived == sum(name in (fault.package, "all") for fault in survivors)
    assert len(survivors) <= run.MOST_SURVIVE * len(faults)


@pytest.mark.parametrize(
    ("statuses", "files", "word"),
    [
        ([1], {"a.pdf": "other"}, "proof"),
        ([0], {"a.pdf": "sound"}, "same paper"),
        ([0, 1], {"a.pdf": "other"}, "oracle"),
        ([0, 0, 1], {"a.pdf": "other"}, "test"),
        ([0, 0, 0], {"a.pdf": "other"}, "survived"),
    ],
)
def test_who_caught_a_fault_is_the_first_that_objects(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, statuses: list[int], files: dict[str, str], word: str
) -> None:
    run = mutants()
    fault = run.Mutant("core/units.py", "old", "new", "what is wrong", test="tests/test_it.py::test_it")
    asked: list[str] = []

    def outcome(_self: object, _folder: Path, *_command: object, is_watched: bool = False) -> object:
        asked.append("watched" if is_watched else "plain")
        return run.Outcome(statuses[len(asked) - 1], "", files)

    def tested(_self: object, _folder: Path, test: str) -> int:
        asked.append(test)
        return statuses[len(asked) - 1]

    monkeypatch.setattr(run.Bench, "__init__", lambda _self: None)
    monkeypatch.setattr(run.Bench, "_run", outcome)
    monkeypatch.setattr(run.Bench, "_tested", tested)
    bench = run.Bench()
    bench._scratch, bench._sound = tmp_path, {(fault.game, fault.command): run.Outcome(0, "", {"a.pdf": "sound"})}
    assert bench.tried(0, fault).word == word
    assert asked == ["plain", "watched", fault.test][: len(statuses)]
