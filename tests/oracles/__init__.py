"""Second, slow computations of tables, by which the tests judge those of stepscope."""
