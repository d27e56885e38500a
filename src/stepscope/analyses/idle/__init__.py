"""Why the GPU idles: gaps and their causes, calls that block the host, queues of launches."""
