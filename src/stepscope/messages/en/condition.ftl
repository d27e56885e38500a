# Conditions of --where, and why one is refused.

condition-too-long = it is longer than { $most } characters
condition-incomplete = it is not a complete SQL condition
condition-unsupported = { $what } is not supported in a condition
condition-unsupported-form = this form of { $what } is not supported in a condition
condition-function = a function of that name
condition-too-deep = it is nested more than { $most } deep
condition-column-name = a column is named by its name alone
condition-no-column = there is no column "{ $name }"{ $close ->
    [none] {""}
   *[other] {" "}(did you mean { $close }?)
}
condition-number = a number cannot be read
condition-in = IN takes a list of values
condition-is = IS takes NULL, TRUE or FALSE
condition-like = LIKE takes a quoted text
condition-regex = a regular expression is a quoted text
condition-cast = CAST makes texts only: CAST(x AS VARCHAR)
condition-round = ROUND takes a number of digits from 0 to 9
condition-value = it is a value, not a condition
