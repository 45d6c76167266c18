"""PDF bytes held against the data they were made from: a build that fails its proof is not written."""

from duckpress.proof.expected import Expected, ExpectedFace
from duckpress.proof.prove import prove_pdf

__all__ = ["Expected", "ExpectedFace", "prove_pdf"]
