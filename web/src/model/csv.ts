/** Rows as CSV after RFC 4180. */

export type CsvCell = string | number | bigint | boolean | null

/** A text that a spreadsheet would run as a formula gets a `'` in front: names come from whoever made the recording. */
function field(cell: CsvCell): string {
  if (cell === null) return ''
  const text = typeof cell === 'string' && /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : String(cell)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** The first row is the header; missing values are empty fields. */
export function csvText(rows: CsvCell[][]): string {
  return rows.map((row) => `${row.map(field).join(',')}\r\n`).join('')
}
