# Words of lists and of what is missing.

list-none = 无
