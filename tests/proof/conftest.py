"""The proof is tried on sheets made by hand.

Every test of a file's proof runs twice: with all pages looked at here, and with each looked at by a child, which sends
what it found.
"""

import pytest

from duckpress.pool.process_pool import can_fork
from duckpress.proof import prove
from forking import child_does


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run what proves files twice."""
    if hasattr(metafunc.module, "prove_pdf") and can_fork():
        metafunc.fixturenames.append("who_looks")
        metafunc.parametrize("who_looks", ["here", "by a child"], indirect=True)


@pytest.fixture
def who_looks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this process look at the pages, or a child."""
    if request.param == "here":
        return
    monkeypatch.setattr(prove, "PAGES_A_PART", 1)
    monkeypatch.setattr(prove, "LEAST_PARTS", 1)
    monkeypatch.setattr(prove, "in_parts", lambda work, count, _jobs: child_does(count)(work, count, max(count, 2)))
    monkeypatch.setattr(prove.prove_pdf, "__defaults__", (2, None))
