# What stands below a table.

table-origin = { $columns }: time since the first event of the recording
