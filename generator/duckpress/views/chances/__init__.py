"""What a game may bring: odds that are asked, games that are played often, and both drawn as a chart."""
