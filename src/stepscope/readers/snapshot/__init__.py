"""Memory snapshots of PyTorch's caching allocator, from the bytes of a pickle to columns; nothing is unpickled."""
