"""The program, watched: a face or a page that is not as it was asked for is an error of the command."""

from duckpress.__main__ import main
from oracle.watching import watch

watch()
main()
