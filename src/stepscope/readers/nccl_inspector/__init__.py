"""Reader of what NCCL Inspector, NCCL's own profiler plugin, writes of every collective."""
