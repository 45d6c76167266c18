"""The faults of `make mutants` stay such as can be put into the program as it is now."""

from __future__ import annotations

import importlib.util
from collections import Counter
from pathlib import Path
from types import ModuleType


def mutants() -> ModuleType:
    spec = importlib.util.spec_from_file_location("mutants", Path(__file__).parent / "mutants" / "run.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_fault_stands_once_in_the_program_and_changes_it() -> None:
    faults = mutants().mutants()
    for fault in faults:
        assert fault.faulty()
        assert fault.old != fault.new
    assert len({(fault.file, fault.new, fault.old) for fault in faults}) == len(faults) >= 110


def test_the_page_on_security_has_the_score_of_these_faults_and_names_no_others() -> None:
    run = mutants()
    faults = run.mutants()
    _, _, after = run.PAGE.read_text(encoding="utf-8").partition("<!-- mutants: begin -->")
    lines = after.partition("<!-- mutants: end -->")[0].splitlines()
    rows = (line.strip("| ").split(" | ") for line in lines if line.startswith("|"))
    score = {name: tuple(map(int, cells)) for name, *cells in [*rows][2:]}
    counts = Counter(fault.package for fault in faults) + Counter({"all": len(faults)})
    assert {name: count for name, (count, *_) in score.items()} == counts
    survivors = [fault for fault in faults if f"- `{fault.file}`: {fault.what}" in lines]
    assert len(survivors) == sum(line.startswith("- ") for line in lines) == score["all"][3]
    for name, (_, _, _, survived) in score.items():
        assert survived == sum(name in (fault.package, "all") for fault in survivors)
