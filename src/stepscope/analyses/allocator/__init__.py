"""Memory events: allocations paired with their releases, and memory that grows."""
