"""What the profilers of Ascend NPUs say themselves of kernels, steps and collectives."""
