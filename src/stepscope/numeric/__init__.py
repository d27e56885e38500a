"""Hot loops over plain arrays: no file format, no Polars, no Python object per event."""
