/**
 * Conditions that a report can answer: comparisons of columns with numbers and texts, joined by AND.
 *
 * The server takes any SQL condition; the pages of the app need no more than this.
 */

import { clockOrigin } from '../model/clock.ts'
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

/** A literal as a cell of each row. Moments are held as offsets and asked for on the clock of the row's rank. */
function wanted(value: string, name: string, data: TableData): (row: number) => string | number {
  const text = value.slice(1, -1).replaceAll("''", "'")
  if (value.startsWith("'")) return () => text
  const isMoment = data.columns.find((column) => column.name === name)?.moment ?? false
  const number = Number(value)
  if (!isMoment || value.includes('.')) return () => number
  const moment = BigInt(value)
  return (row) => Number(moment - clockOrigin(data, data.data['rank']?.[row]))
}

function comparison(cells: Cell[], operator: string, of: (row: number) => string | number): Test {
  const compared: Record<string, (cell: string | number, value: string | number) => boolean> = {
    '=': (cell, value) => cell === value,
    '!=': (cell, value) => cell !== value,
    '<>': (cell, value) => cell !== value,
    '<': (cell, value) => cell < value,
    '<=': (cell, value) => cell <= value,
    '>': (cell, value) => cell > value,
    '>=': (cell, value) => cell >= value,
  }
  const test = compared[operator]
  return (row) => {
    const [cell, value] = [cells[row], of(row)]
    // As in SQL, nothing is neither equal to anything nor different from it; and texts are no numbers.
    return typeof cell === typeof value && test !== undefined && test(cell as string | number, value)
  }
}
