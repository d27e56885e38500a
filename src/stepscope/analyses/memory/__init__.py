"""Device memory: allocations paired with their releases, peaks, timelines, growth."""
