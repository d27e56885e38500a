/**
 * Conditions that a report can answer: comparisons of columns with numbers and texts, joined by AND.
 *
 * The server takes any SQL condition; the pages of the app need no more than this.
 */

import type { Cell, TableData } from './types.ts'

const COMPARISON = /^\s*([A-Za-z_]\w*)\s*(=|!=|<>|<=|>=|<|>)\s*('(?:[^']|'')*'|-?\d+(?:\.\d+)?)\s*(?:\bAND\b|$)/i

type Test = (row: number) => boolean

/** Whether a row fulfils a condition; null for a condition that is more than comparisons of columns there are. */
export function condition(text: string, data: TableData): Test | null {
  const tests: Test[] = []
  let rest = text
  while (rest.trim() !== '') {
    const found = COMPARISON.exec(rest)
    const [whole, name, operator, value] = found ?? []
    const cells = data.data[name ?? '']
    if (whole === undefined || !cells || operator === undefined || value === undefined) return null
    tests.push(comparison(cells, operator, wanted(value, name ?? '', data)))
    rest = rest.slice(whole.length)
    if (rest.trim() === '' && /\bAND\b\s*$/i.test(whole)) return null
  }
  return tests.length ? (row) => tests.every((test) => test(row)) : null
}

/** A literal as a cell. Moments are held as offsets and asked for on the trace's clock. */
function wanted(value: string, name: string, data: TableData): string | number {
  if (value.startsWith("'")) return value.slice(1, -1).replaceAll("''", "'")
  const isMoment = data.columns.find((column) => column.name === name)?.moment ?? false
  if (!isMoment || value.includes('.')) return Number(value)
  return Number(BigInt(value) - BigInt(data.origin_ns))
}

function comparison(cells: Cell[], operator: string, value: string | number): Test {
  const compared: Record<string, (cell: string | number) => boolean> = {
    '=': (cell) => cell === value,
    '!=': (cell) => cell !== value,
    '<>': (cell) => cell !== value,
    '<': (cell) => cell < value,
    '<=': (cell) => cell <= value,
    '>': (cell) => cell > value,
    '>=': (cell) => cell >= value,
  }
  const test = compared[operator]
  return (row) => {
    const cell = cells[row]
    // As in SQL, nothing is neither equal to anything nor different from it; and texts are no numbers.
    return typeof cell === typeof value && test !== undefined && test(cell as string | number)
  }
}
