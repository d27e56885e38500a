"""Reports of Nsight Compute, read without its software."""
