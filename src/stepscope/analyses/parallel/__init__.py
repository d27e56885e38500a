"""What a job's parallelism costs: sizes of messages, links between ranks, pipeline stages, experts."""
