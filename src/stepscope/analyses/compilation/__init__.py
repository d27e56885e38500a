"""What torch.compile did: compilations, recompiles with their reasons, graph breaks, where kernels come from."""
