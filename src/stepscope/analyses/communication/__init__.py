"""Collectives and messages: their time, bandwidth, sizes, links, pipeline stages and experts."""
