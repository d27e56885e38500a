"""What a device can do: its peaks, occupancy, tensor cores."""
