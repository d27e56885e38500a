/** Which column of a table its right edge cuts: a number without its last digits, or its unit, is another number. */

/** Behind the contents of a cell. */
const PADDING = 10

/** The column whose contents may end behind `edge`, px from the first column's begin; null where none does. */
export function cutAt(widths: readonly number[], edge: number): number | null {
  let begin = 0
  for (const [i, width] of widths.entries()) {
    if (begin >= edge) return null
    if (begin + width - PADDING > edge + 0.5) return i
    begin += width
  }
  return null
}
