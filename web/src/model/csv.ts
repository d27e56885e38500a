/** Rows as CSV after RFC 4180. */

export type CsvCell = string | number | boolean | null

function field(cell: CsvCell): string {
  if (cell === null) return ''
  const text = String(cell)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** The first row is the header; missing values are empty fields. */
export function csvText(rows: CsvCell[][]): string {
  return rows.map((row) => `${row.map(field).join(',')}\r\n`).join('')
}
