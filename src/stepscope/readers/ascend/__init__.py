"""Reader of what the profilers of Ascend NPUs write: torch_npu, MindSpore on a device, msprof."""
