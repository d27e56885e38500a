/** Which rows of a long table are in sight: places in the list, px of scrolling, and the keyboard's cursor. */

/** Height of a row in px. */
export const ROW = 24

/** No browser scrolls an element of some 16 million px any further; beyond this, scrolling is scaled. */
const TALLEST = 8_000_000

/** Height of the element whose scrolling says where one is. */
export function spaceFor(rows: number): number {
  return Math.min(rows * ROW, TALLEST)
}

/** Place of the first row in sight, with its fraction, for a table scrolled so far. */
export function firstRow(scrolled: number, rows: number, room: number): number {
  const last = Math.max(0, rows - room / ROW)
  const way = spaceFor(rows) - room
  if (way <= 0) return 0
  const share = Math.min(1, Math.max(0, scrolled / way))
  return rows * ROW <= TALLEST ? Math.min(last, Math.max(0, scrolled / ROW)) : share * last
}

/** Rows from the top among which a row is looked for that was chosen elsewhere, and those that stand around it. */
const LOOKED_AT = 8
export const AROUND = 2

/** How far to scroll until a row is in sight; null when it is. */
export function scrollFor(row: number, scrolled: number, rows: number, room: number): number | null {
  const [first, fits] = [firstRow(scrolled, rows, room), room / ROW]
  if (row >= first && row + 1 <= first + fits) return null
  return scrollOf(row < first ? row : row + 1 - fits, rows, room)
}

/** The same for a row that was chosen elsewhere: near the top, so that the page need not scroll to what is far below. */
export function scrollToNamed(row: number, scrolled: number, rows: number, room: number): number | null {
  const [first, fits] = [firstRow(scrolled, rows, room), room / ROW]
  if (row >= first && row + 1 <= first + Math.min(fits, LOOKED_AT)) return null
  return scrollOf(Math.max(0, Math.min(row - Math.min(AROUND, fits - 1), rows - fits)), rows, room)
}

function scrollOf(wanted: number, rows: number, room: number): number {
  const fits = room / ROW
  if (rows * ROW <= TALLEST) return Math.ceil(wanted * ROW)
  return Math.ceil((wanted / (rows - fits)) * (spaceFor(rows) - room))
}

export const PAGE_KEYS = new Set([
  'ArrowUp',
  'ArrowDown',
  'ArrowLeft',
  'ArrowRight',
  'PageUp',
  'PageDown',
  'Home',
  'End',
])

interface Cursor {
  row: number
  column: number
}

/** Where a key moves the cursor; row -1 is the heading. With Ctrl, Home and End go to the first and last row and cell. */
export function moved(
  { row, column }: Cursor,
  key: string,
  control: boolean,
  size: { rows: number; columns: number; pageRows: number },
): Cursor {
  const rows = (next: number, least = 0) => Math.max(Math.min(next, size.rows - 1), least)
  const columns = (next: number) => Math.min(Math.max(next, 0), size.columns - 1)
  switch (key) {
    case 'ArrowUp':
      return { row: rows(row - 1, -1), column }
    case 'ArrowDown':
      return { row: rows(row + 1), column }
    case 'PageUp':
      return { row: rows(row - size.pageRows), column }
    case 'PageDown':
      return { row: rows(row + size.pageRows), column }
    case 'ArrowLeft':
      return { row, column: columns(column - 1) }
    case 'ArrowRight':
      return { row, column: columns(column + 1) }
    case 'Home':
      return { row: 0, column: control ? 0 : column }
    default:
      return { row: rows(size.rows - 1), column: control ? columns(size.columns - 1) : column }
  }
}

/** Width of a sheet of A4 without its margins, px. */
const PAPER = 640

/** How much smaller than on the screen a table so wide is printed, so that its last column is on the sheet, too. */
export function paperZoom(width: number): number {
  return Math.min(0.64, PAPER / width)
}

/** Whether a table is so wide that its letters were too small to read upright: it has sheets across for itself. */
export const isWideOnPaper = (width: number): boolean => paperZoom(width) < 0.56
