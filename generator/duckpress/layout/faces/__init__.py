"""Cards -> finished faces: made by workers, cached for later builds, put in order."""
