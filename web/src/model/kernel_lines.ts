/** The table `kernel_lines`: source lines of a kernel, and the same lines of the baseline. */

import { type Columns, numbersOf, textsOf } from './columns_of.ts'

export interface LinesBeside {
  /** By row of the kernel: the row of the same line in the baseline. */
  pairs: Map<number, number>
  /** Rows of the baseline that are no line of the kernel, those with most samples first. */
  alone: number[]
}

/** Name of a file without its folders: builds of one program lie in different ones. */
export const fileName = (file: string): string => file.replace(/^.*[\\/]/, '')

/**
 * A line is the same where file and number are, and the text if both reports hold it; else the one with this text in a
 * file of this name, if there is one in each kernel: lines move as a program is edited.
 */
export function linesBeside(table: Columns, rows: number[], baseRows: number[]): LinesBeside {
  const [files, texts, lines] = [textsOf(table, 'file'), textsOf(table, 'text'), numbersOf(table, 'line')]
  const text = (row: number) => (texts[row] ?? '').trim()
  const whole = (row: number) => `${files[row]}:${lines[row]}`
  const named = (row: number) => `${fileName(files[row] ?? '')}:${lines[row]}`
  const worded = (row: number) => text(row) && `${fileName(files[row] ?? '')}:${text(row)}`
  const pairs = new Map<number, number>()
  const free = { own: new Set(rows), base: new Set(baseRows) }
  for (const key of [whole, named, worded]) {
    const [own, base] = [byKey(free.own, key), byKey(free.base, key)]
    for (const [name, row] of own) {
      const other = base.get(name)
      if (row === null || other == null || (text(row) && text(other) && text(row) !== text(other))) continue
      pairs.set(row, other)
      free.own.delete(row)
      free.base.delete(other)
    }
  }
  const samples = numbersOf(table, 'samples')
  return { pairs, alone: [...free.base].sort((a, b) => (samples[b] ?? 0) - (samples[a] ?? 0)) }
}

/** Rows by what they are called; null of several with one name. */
function byKey(rows: Iterable<number>, key: (row: number) => string): Map<string, number | null> {
  const found = new Map<string, number | null>()
  for (const row of rows) {
    const name = key(row)
    if (name) found.set(name, found.has(name) ? null : row)
  }
  return found
}
