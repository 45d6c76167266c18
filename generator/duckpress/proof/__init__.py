"""PDF bytes held against the data they were made from: a build that fails its proof is not written."""

from duckpress.proof.expected import Expected, ExpectedCopy, ExpectedFace, ExpectedPiece, ExpectedSheets, proof_stopped
from duckpress.proof.kept_pages import Proven
from duckpress.proof.prove import prove_pdf

__all__ = [
    "Expected",
    "ExpectedCopy",
    "ExpectedFace",
    "ExpectedPiece",
    "ExpectedSheets",
    "Proven",
    "proof_stopped",
    "prove_pdf",
]
