"""What was recorded of an input pipeline by the engine that runs it."""
