"""What differs between the copies of a game, and what is wrong with that before there are any."""
