"""The doors to what lies on the disk: files of a workspace, and zips that came from anywhere."""
