"""How long each of the events of one name took, and how these durations are spread."""
