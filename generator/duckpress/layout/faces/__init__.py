"""Cards -> finished faces: made by workers, kept for later builds, put in order."""
