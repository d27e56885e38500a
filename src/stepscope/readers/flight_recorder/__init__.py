"""Readers of flight recorder dumps: the last collectives of each process of a job, as it was when a job hung."""
