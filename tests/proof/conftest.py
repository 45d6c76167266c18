"""The proof is tried on sheets made by hand, with the means of the tests of `render`."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "render"))
