"""Gaps of the GPU and calls that hold the host: what causes them, and how launches queue."""
