/** The table `flame_graph` as a tree that is drawn: frames in one another, as wide as their time. */

import type { TableData } from '../api/types.ts'
import { numbersOf, textsOf } from './columns_of.ts'
import { csvText } from './csv.ts'
import { type Tree, treeOfParents } from './tree.ts'

/** Whose time makes a frame wide. */
export type Weight = 'device' | 'host'

export interface Flame {
  tree: Tree
  /** Number of each frame in the table. */
  ids: number[]
  names: string[]
  kinds: string[]
  calls: Float64Array
  /** Time inside, and as the innermost frame, ns. */
  values: Float64Array
  own: Float64Array
  /** Frames inside each, itself included, whether they are at hand or not. */
  inside: Float64Array
  /** Time of all frames. */
  whole: number
}

/** Frames of one or several answers about one tree; those without time are left out. No frame comes before its parent. */
export function flameOf(tables: TableData[], weight: Weight): Flame {
  const flame: Flame = {
    tree: { parent: new Int32Array(0), depth: new Uint16Array(0), children: [], roots: [] },
    ids: [],
    names: [],
    kinds: [],
    calls: new Float64Array(0),
    values: new Float64Array(0),
    own: new Float64Array(0),
    inside: new Float64Array(0),
    whole: 0,
  }
  const at = new Map<number, number>()
  const [parents, columns]: [number[], number[][]] = [[], [[], [], [], []]]
  for (const data of tables) {
    const [ids, around, names, kinds] = [
      numbersOf(data, 'frame'),
      numbersOf(data, 'parent'),
      textsOf(data, 'name'),
      textsOf(data, 'kind'),
    ]
    const numbers = ['calls', `${weight}_total_ns`, `${weight}_self_ns`, 'frames'].map((name) => numbersOf(data, name))
    ids.forEach((id, row) => {
      const parent = around[row] === null ? -1 : (at.get(around[row] ?? -1) ?? null)
      if (id === null || at.has(id) || parent === null || !numbers[1]?.[row]) return
      at.set(id, flame.ids.length)
      flame.ids.push(id)
      flame.names.push(names[row] ?? '')
      flame.kinds.push(kinds[row] ?? '')
      parents.push(parent)
      numbers.forEach((column, i) => columns[i]?.push(column[row] ?? 0))
    })
  }
  const [calls, values, own, inside] = columns.map((column) => Float64Array.from(column))
  flame.tree = treeOfParents(parents)
  const whole = flame.tree.roots.reduce((sum, row) => sum + (values?.[row] ?? 0), 0)
  return { ...flame, ...(calls && values && own && inside ? { calls, values, own, inside } : {}), whole }
}

/** The rows of a table of frames, one in another. */
export function treeOfRows(data: TableData | null): Tree {
  const at = new Map((data ? numbersOf(data, 'frame') : []).map((id, row) => [id, row]))
  return treeOfParents((data ? numbersOf(data, 'parent') : []).map((id) => (id === null ? -1 : (at.get(id) ?? -1))))
}

/** The rows of a frame and of all frames inside it, which follow it in number; all rows where it is not among them. */
export function rowsWithin(data: TableData, frame: number): TableData {
  const ids = numbersOf(data, 'frame')
  const total = numbersOf(data, 'frames')[ids.indexOf(frame)]
  if (!total) return data
  const rows = ids.flatMap((id, row) => (id !== null && id >= frame && id < frame + total ? [row] : []))
  const columns = Object.entries(data.data).map(([name, cells]) => [name, rows.map((row) => cells[row] ?? null)])
  return { ...data, total, data: Object.fromEntries(columns) as TableData['data'] }
}

/** A frame without its folders: `resnet.py(143): forward`. */
export function shortName(name: string): string {
  return /\.py\(\d+\): /.test(name) ? name.replace(/^.*[/\\]/, '') : name
}

/** Frames whose name holds a text, whatever the case; none for no text. */
export function hitsOf(flame: Flame, text: string): Set<number> {
  const wanted = text.trim().toLowerCase()
  if (!wanted) return new Set()
  return new Set(flame.names.flatMap((name, row) => (name.toLowerCase().includes(wanted) ? [row] : [])))
}

/** Time in some frames; in one inside another it counts once. */
export function timeIn(flame: Flame, rows: Set<number>): number {
  let sum = 0
  for (const row of rows) {
    let around = flame.tree.parent[row] ?? -1
    while (around >= 0 && !rows.has(around)) around = flame.tree.parent[around] ?? -1
    if (around < 0) sum += flame.values[row] ?? 0
  }
  return sum
}

export interface NamedFrames {
  name: string
  kind: string
  own: number
  total: number
  calls: number
}

/** Frames of one name and kind as one, wherever they are, the most time of their own first. */
export function byName(flame: Flame): NamedFrames[] {
  const rows = new Map<string, Set<number>>()
  flame.names.forEach((name, row) => {
    const key = `${flame.kinds[row]} ${name}`
    rows.set(key, (rows.get(key) ?? new Set()).add(row))
  })
  const found = [...rows.values()].map((of): NamedFrames => {
    const sum = (column: Float64Array) => [...of].reduce((total, row) => total + (column[row] ?? 0), 0)
    const [first = 0] = of
    const [name, kind] = [flame.names[first] ?? '', flame.kinds[first] ?? '']
    return { name, kind, own: sum(flame.own), total: timeIn(flame, of), calls: sum(flame.calls) }
  })
  return found.sort((a, b) => b.own - a.own || b.total - a.total)
}

/** Stacks with their own time, as flame graph tools read them. */
export function foldedStacks(flame: Flame, words: { stack: string; time: string }): string {
  const rows = flame.names.flatMap((_, row) => {
    if (!flame.own[row]) return []
    const names: string[] = []
    for (let at = row; at >= 0; at = flame.tree.parent[at] ?? -1) names.unshift(flame.names[at] ?? '')
    return [[names.join(';'), flame.own[row] ?? 0]]
  })
  return csvText([[words.stack, words.time], ...rows])
}
