"""What every other package may use: lengths, geometry, frames, problems, limits, named sizes. It knows no game."""
