"""The data loader: its ranges, each fetch, the copies of a batch to the GPU."""
