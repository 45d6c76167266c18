"""What goes out to others: bundles for playtesters, and updates for those who hold an older version."""
