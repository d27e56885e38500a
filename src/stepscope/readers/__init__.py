"""Readers: one module per file format, each turning bytes into the store's tables and knowing nothing of analyses."""
