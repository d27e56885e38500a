"""The store: traces read once into Parquet, opened lazily, with launches linked and host events nested."""
