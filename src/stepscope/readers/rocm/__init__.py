"""What rocprofv3 writes: databases (rocpd), CSV and JSON."""
