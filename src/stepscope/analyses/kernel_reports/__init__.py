"""What Nsight Compute measured of single kernels, and what limits each."""
