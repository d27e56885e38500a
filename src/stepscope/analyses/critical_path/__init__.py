"""The critical path of a step, and what the start of each activity depended on."""
