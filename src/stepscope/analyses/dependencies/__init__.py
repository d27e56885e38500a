"""What waits for what: threads of the host, launches, streams, synchronisation. Built once for a rank."""
