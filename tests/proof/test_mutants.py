"""The faults of `make mutants` stay such as can be put into the program as it is now."""

from __future__ import annotations

import importlib.util
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
    assert len({(fault.file, fault.new, fault.old) for fault in faults}) == len(faults) >= 50
