"""The recorded steps replayed: without the profiler, or with something changed."""
