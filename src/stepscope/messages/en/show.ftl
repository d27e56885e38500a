# What stands below a table.

show-origin = { $columns }: time since the first event of the recording
