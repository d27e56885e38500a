"""Perfetto traces (protobuf), whoever wrote them."""
