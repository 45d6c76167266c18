"""The one door to the network: a file from an `https` address, when a person asks for it; a build never does."""
