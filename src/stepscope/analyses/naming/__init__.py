"""What kernel names say."""
