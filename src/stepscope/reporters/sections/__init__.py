"""Sections of the report for a terminal, one module per theme: a `Report` in, `Line`s out."""
