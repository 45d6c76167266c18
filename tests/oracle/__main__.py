"""The program, watched: a face or sheet that is not as it was asked for is an error of the command."""

import sys

from duckpress.__main__ import main
from oracle.known_geometry import wrong_answers
from oracle.watching import watch

for wrong in wrong_answers():
    sys.exit(f"the program's own arithmetic is wrong: {wrong}")
watch()
main()
