"""The program, watched: a face, page or cover that is not as it was asked for is an error of the command."""

from duckpress.__main__ import main
from oracle.covers.watched_covers import watch_covers
from oracle.watching import watch

watch()
watch_covers()
main()
