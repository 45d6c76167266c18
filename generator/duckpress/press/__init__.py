"""One build: the stages from a game's files to proven files in `output/`, in their order (`pipeline`)."""
