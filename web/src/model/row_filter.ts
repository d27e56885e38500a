/** Which rows of a table are asked for. Typed, since a report has no engine that could read a condition. */

export interface RowFilter {
  /** The values that columns hold. */
  equal: Record<string, string | number>
  /** A column of moments and two of them, on the clock of the trace. Reports hold whole tables: they need none. */
  between?: { column: string; first: string; last: string }
}

/** The same as the server and the command line read it. */
export function conditionText({ equal, between }: RowFilter): string {
  const parts = Object.entries(equal).map(([name, value]) => `${name} = ${literal(value)}`)
  if (between) parts.push(`${between.column} >= ${between.first}`, `${between.column} <= ${between.last}`)
  return parts.join(' AND ')
}

function literal(value: string | number): string {
  return typeof value === 'number' ? `${value}` : `'${value.replaceAll("'", "''")}'`
}
