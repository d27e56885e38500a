"""CUDA graphs: their replays, and the operators of an eager recording of the same work."""
