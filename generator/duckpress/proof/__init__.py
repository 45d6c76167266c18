"""The proof: PDF bytes are compared with their data; a build that fails its proof is not written."""

from duckpress.proof.expected import Expected, ExpectedFace, ExpectedPage, proof_stopped
from duckpress.proof.file_proof import prove_pdf
from duckpress.proof.own_faces import check_own_faces, deck_copies
