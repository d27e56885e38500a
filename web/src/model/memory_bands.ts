/** The tables `memory_categories` and `memory_timeline` by `point`: what memory is for, over time, as bands. */

import { rowsOfDevice } from './chart_memory.ts'
import { type Columns, numbersOf, textsOf, cellsOf } from './columns_of.ts'
import { csvText, type CsvCell } from './csv.ts'
import { indexAt } from './decimate.ts'
import { categoryPlace } from './memory_categories.ts'

interface Band {
  category: string
  /** Bytes at each point. */
  values: number[]
}

export interface Bands {
  /** Numbers of the points, as both tables have them. */
  points: number[]
  /** Where they stand: their times, ns, or the numbers of their entries. */
  x: number[]
  timed: boolean
  /** Their times; null where none were recorded. */
  at: (number | null)[]
  /** From below, those that live longest first. */
  bands: Band[]
  allocated: number[]
  reserved: (number | null)[]
  /** Index of the point with most allocated. */
  peak: number
}

/**
 * Bands of a device. Where categories are not known there are none, and the levels alone are drawn.
 *
 * @param along what the points stand along: their times, if they have some, or the entries of the history, which give
 * what happens at once as much room as what takes long.
 */
export function bandsOf(
  categories: Columns,
  levels: Columns,
  device: { rank: number; device: string },
  along: 'time' | 'entry' = 'time',
): Bands {
  const points = numbersOf(levels, 'point')
  const rows = rowsOfDevice(levels, device).sort((a, b) => (points[a] ?? 0) - (points[b] ?? 0))
  const of = (column: string) => {
    const values = numbersOf(levels, column)
    return rows.map((row) => values[row] ?? null)
  }
  const [at, allocated] = [of('at_ns'), of('allocated_bytes').map((one) => one ?? 0)]
  const timed = along === 'time' && at.every((one) => one !== null)
  const entries = of('event')
  const peaks = cellsOf(levels, 'peak')
  const numbers = rows.map((row) => points[row] ?? 0)
  const peak = rows.findIndex((row) => peaks[row] === true)
  return {
    points: numbers,
    x: at.map((one, i) => (timed ? (one ?? 0) : (entries[i] ?? i))),
    timed,
    at,
    bands: bandsAt(categories, rowsOfDevice(categories, device), numbers),
    allocated,
    reserved: of('reserved_bytes'),
    peak: peak < 0 ? allocated.indexOf(Math.max(...allocated)) : peak,
  }
}

function bandsAt(categories: Columns, rows: number[], points: number[]): Band[] {
  const places = new Map(points.map((point, i) => [point, i]))
  const [names, bytes] = [textsOf(categories, 'category'), numbersOf(categories, 'bytes')]
  const at = numbersOf(categories, 'point')
  const found = new Map<string, Band>()
  for (const row of rows) {
    const [place, category] = [places.get(at[row] ?? -1), names[row] || 'unknown']
    if (place === undefined) continue
    const band = found.get(category) ?? { category, values: new Array<number>(points.length).fill(0) }
    found.set(category, band)
    band.values[place] = (band.values[place] ?? 0) + (bytes[row] ?? 0)
  }
  return [...found.values()].sort((a, b) => categoryPlace(a.category) - categoryPlace(b.category))
}

/** Where so many times as much is reserved as allocated, the bands would be pressed flat under it. */
const FLAT = 3

/** Largest level between two moments, and what of reserved memory lies beyond the picture then; null where all fits. */
export function mostIn(bands: Bands, from: number, to: number): { most: number; beyond: number | null } {
  let [allocated, reserved] = [0, 0]
  const [first, last] = [indexAt(bands.x, from), indexAt(bands.x, to)]
  for (let i = first; i <= last; i++) {
    allocated = Math.max(allocated, bands.allocated[i] ?? 0)
    reserved = Math.max(reserved, bands.reserved[i] ?? 0)
  }
  const fits = reserved <= FLAT * allocated || allocated === 0
  return { most: fits ? Math.max(allocated, reserved) : allocated, beyond: fits ? null : reserved }
}

/** Bands on top of each other: of each its lower edge at every point; the upper one is that of the next. */
export function edgesOf(bands: Bands): number[][] {
  const edges = [bands.x.map(() => 0)]
  for (const { values } of bands.bands) {
    const below = edges.at(-1) ?? []
    edges.push(values.map((value, i) => value + (below[i] ?? 0)))
  }
  return edges
}

/** An area between two edges as an SVG path: each value holds until the next point. */
export function areaPath(
  lower: readonly number[],
  upper: readonly number[],
  left: (i: number) => number,
  top: (value: number) => number,
): string {
  if (upper.length === 0) return ''
  const edge = (values: readonly number[]) => steps(values, left, top)
  const back = edge(lower).reverse()
  return `M${[...edge(upper), ...back].map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}Z`
}

/** A line that holds each value until the next point; gaps where nothing is known. */
export function levelPath(
  values: readonly (number | null)[],
  left: (i: number) => number,
  top: (value: number) => number,
): string {
  let path = ''
  values.forEach((value, i) => {
    if (value === null) return
    const joins = i > 0 && values[i - 1] !== null
    path += `${joins ? 'L' : 'M'}${left(i).toFixed(1)} ${top(value).toFixed(1)}H${left(i + 1).toFixed(1)}`
  })
  return path
}

function steps(
  values: readonly number[],
  left: (i: number) => number,
  top: (value: number) => number,
): [number, number][] {
  return values.flatMap((value, i): [number, number][] => [
    [left(i), top(value)],
    [left(i + 1), top(value)],
  ])
}

/** Every point, as drawn. */
export function bandsCsv(bands: Bands, words: { at: string; allocated: string; reserved: string }): string {
  const header = [words.at, ...bands.bands.map((one) => one.category), words.allocated, words.reserved]
  const rows = bands.x.map((at, i): CsvCell[] => [
    at,
    ...bands.bands.map(({ values }) => values[i] ?? null),
    bands.allocated[i] ?? null,
    bands.reserved[i] ?? null,
  ])
  return csvText([header, ...rows])
}

/** The moments that a stretch of the picture is of; null where times were not recorded. */
export function momentsOf(bands: Bands, [from, to]: readonly [number, number]): [number, number] | null {
  if (bands.timed) return [from, to]
  const [first, last] = [bands.at[indexAt(bands.x, from)], bands.at[indexAt(bands.x, to)]]
  return first == null || last == null ? null : [first, Math.max(last, first + 1)]
}

/** Where a moment stands: itself, or the entry of the first point that is not before it. */
export function placeOf(bands: Bands, moment: number): number {
  if (bands.timed) return moment
  const next = bands.at.findIndex((one) => one !== null && one >= moment)
  return bands.x[next < 0 ? bands.x.length - 1 : next] ?? 0
}
