"""The checks behind the table ``health``, by what they look at."""
