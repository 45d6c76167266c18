"""Files for others: bundles for playtesters, and updates for owners of an older version."""
