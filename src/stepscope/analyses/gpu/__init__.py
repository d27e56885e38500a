"""What ran on the GPU: kernels and their names, copies, graphs, sequences, occupancy, tensor cores."""
