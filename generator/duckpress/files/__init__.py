"""Reading from the disk: files of a workspace, and zips from anywhere."""
