"""Reader of what torch.compile logs of itself: compilations, recompiles, graph breaks, where kernels come from."""
