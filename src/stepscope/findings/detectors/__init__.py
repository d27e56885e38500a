"""Detectors: one module per kind of bottleneck, each a function from a case to the causes it sees."""
