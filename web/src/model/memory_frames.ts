/** Stacks of a table as a tree of frames, the outermost first, each as wide as the bytes allocated below it. */

import { type Columns, numbersOf, textsOf } from './columns_of.ts'
import { csvText, type CsvCell } from './csv.ts'
import { type Tree, treeOfParents } from './tree.ts'

/** Between the lines of a stack, innermost first. */
const BETWEEN = ' < '

export interface Frames {
  tree: Tree
  names: string[]
  /** Bytes of a frame with all that it called. */
  values: Float64Array
  /** What most bytes of a frame are for. */
  categories: string[]
  /** Row of the table that ends in a frame; null of those that only lead to others. */
  rows: (number | null)[]
  /** Sum of all stacks. */
  whole: number
}

interface Builder {
  names: string[]
  parents: number[]
  values: number[]
  bytesOf: Map<string, number>[]
  rows: (number | null)[]
  found: Map<string, number>
}

/**
 * Frames of rows with `lines`, `op` and `category`. The operator that allocated is the innermost frame. Rows without
 * bytes, as those that take back what was released unseen, have no width and are left out.
 */
export function framesOf(table: Columns, rows: number[], column: string): Frames {
  const [bytes, lines, ops] = [numbersOf(table, column), textsOf(table, 'lines'), textsOf(table, 'op')]
  const [sources, categories] = [textsOf(table, 'source'), textsOf(table, 'category')]
  const built: Builder = { names: [], parents: [], values: [], bytesOf: [], rows: [], found: new Map() }
  let whole = 0
  for (const row of rows) {
    const value = bytes[row] ?? 0
    if (value <= 0) continue
    whole += value
    const frames = stackOf(lines[row] ?? '', sources[row] ?? '')
    let at = -1
    for (const name of [...frames, ops[row] || '(unattributed)']) {
      at = child(built, at, name)
      built.values[at] = (built.values[at] ?? 0) + value
      const of = built.bytesOf[at]
      const category = categories[row] || 'unknown'
      of?.set(category, (of.get(category) ?? 0) + value)
    }
    built.rows[at] ??= row
  }
  return {
    tree: treeOfParents(built.parents),
    names: built.names,
    values: Float64Array.from(built.values),
    categories: built.bytesOf.map((of) => [...of].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 'unknown'),
    rows: built.rows,
    whole,
  }
}

/** Frames of a stack, the outermost first. */
function stackOf(lines: string, source: string): string[] {
  const frames = lines.split(BETWEEN).filter((one) => one.trim() !== '')
  return frames.length > 0 ? frames.reverse() : source ? [source] : []
}

function child(built: Builder, parent: number, name: string): number {
  const key = `${parent}\n${name}`
  const known = built.found.get(key)
  if (known !== undefined) return known
  const at = built.names.length
  built.found.set(key, at)
  built.names.push(name)
  built.parents.push(parent)
  built.values.push(0)
  built.bytesOf.push(new Map())
  built.rows.push(null)
  return at
}

/** A frame without its folders: `tools.py:14 forward()`. */
export function shortFrame(name: string): string {
  const [place = '', ...rest] = name.split(' ')
  const short = place.split(/[/\\]/).filter(Boolean).at(-1) ?? place
  return [short, ...rest].join(' ')
}

/** Folded stacks, as flame graph tools read them, with the bytes of each. */
export function foldedCsv(frames: Frames, words: { stack: string; bytes: string }): string {
  const rows = frames.rows.flatMap((row, at): CsvCell[][] => {
    if (row === null) return []
    const inside = (frames.tree.children[at] ?? []).reduce((sum, one) => sum + (frames.values[one] ?? 0), 0)
    const names: string[] = []
    for (let one = at; one >= 0; one = frames.tree.parent[one] ?? -1) names.unshift(frames.names[one] ?? '')
    return [[names.join(';'), (frames.values[at] ?? 0) - inside]]
  })
  return csvText([[words.stack, words.bytes], ...rows])
}
