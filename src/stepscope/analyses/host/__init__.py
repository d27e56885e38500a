"""What the host did: operators, modules, annotations, launches, and what stands behind a moment of a thread."""
