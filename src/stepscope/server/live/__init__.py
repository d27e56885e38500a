"""Jobs that record themselves, as they run."""
