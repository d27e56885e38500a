"""What keeps a recording from working on a machine: one check a module, each a pure function of a `System`."""
