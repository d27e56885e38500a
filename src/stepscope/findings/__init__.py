"""Findings: what the tables mean for the step."""
