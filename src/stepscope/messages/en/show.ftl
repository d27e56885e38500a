# What stands below a table.

show-origin = { $columns }: time since the first event of the recording; --where and other formats hold absolute ns
show-where-leaves-none = no rows: --where leaves none
show-more-rows = and { $count } more { $count ->
    [one] row
   *[other] rows
} (--limit 0 for all)
show-note = note: { $note }
show-left-out = { $full ->
    [none] { "" }
   *[other] no room for: { $full }
}{ $both ->
    [yes] ; { "" }
   *[no] { "" }
}{ $blank ->
    [none] { "" }
   *[other] empty, left out: { $blank }
}{ $hint ->
    [none] { "" }
   *[other] { " " }({ $hint })
}
show-other-columns = --columns NAME,... or --format csv
