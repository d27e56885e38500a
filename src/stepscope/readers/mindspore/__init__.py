"""Read what MindSpore's profiler and its data engine, MindData, write (see docs/mindspore.md)."""
