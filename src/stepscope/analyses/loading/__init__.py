"""How a step gets its data: the loader, each fetch, the copies to the GPU."""
