/** Sums of a stretch of time, as `timeline/areas.py` defines them, where a report holds every event of it. */

import { type Exact, type HeldEvents, lanesOf, workOf } from './held_events.ts'
import { type AreaFacts, KINDS, type Track } from './timeline.ts'

const MOST_NAMES = 100

type Rank = AreaFacts['ranks'][number]
type NameTime = AreaFacts['names'][number]
type Interval = [start: number, end: number]

/** Thrown out of the sums where an event is not held as it is. */
class MergedCells extends Error {}

/** Events of lanes that reach into a stretch. */
type Reaching = (tracks: Track[]) => Exact[]

/** The sums of some tracks, or of all; null where the report does not hold every event that counts. */
export function heldArea(
  events: HeldEvents,
  tracks: Track[],
  [t0, t1]: Interval,
  wanted: number[] | null,
): AreaFacts | null {
  const laned = tracks.filter((track) => track.section !== 'counters')
  const chosen = laned.filter((track) => wanted === null || wanted.includes(track.id))
  const reaching: Reaching = (mine) =>
    mine.flatMap(lanesOf).map((lane) => {
      const found = events.between(lane, t0, t1)
      if (!found) throw new MergedCells()
      return found
    })
  try {
    const names = nameTimes(events, chosen, [t0, t1], reaching)
    const ranks = [...new Set(chosen.map((track) => track.rank))]
    const onGpu = (rank: number) => laned.filter((track) => track.rank === rank && workOf(track) === 'stream')
    return {
      ...{ t0, t1, names: topOf(names), total_names: names.length },
      ranks: ranks.map((rank) => gpuTime(rank, reaching(onGpu(rank)), [t0, t1])),
      events: names.reduce((sum, one) => sum + (one.track_kind === 'idle' ? 0 : one.calls), 0),
    }
  } catch (error) {
    if (error instanceof MergedCells) return null
    throw error
  }
}

/** All names of some tracks with their time in the stretch, most time first. */
function nameTimes(events: HeldEvents, chosen: Track[], window: Interval, reaching: Reaching): NameTime[] {
  const groups = new Map<string, Track[]>()
  for (const track of chosen) {
    const key = `${track.rank} ${workOf(track)}`
    groups.set(key, [...(groups.get(key) ?? []), track])
  }
  const sums = new Map<string, NameTime>()
  for (const tracks of groups.values()) {
    const track_kind = workOf(tracks[0] as Track)
    const inOrder = [...tracks].sort((a, b) => a.id - b.id)
    for (const [code, { calls, total_ns, kind }] of timesByName(reaching(inOrder), window)) {
      const key = `${code} ${kind} ${track_kind}`
      const known = sums.get(key)
      sums.set(key, {
        ...{ name: events.names[code] ?? '', kind: KINDS[kind] ?? 'other', track_kind },
        calls: calls + (known?.calls ?? 0),
        total_ns: total_ns + (known?.total_ns ?? 0),
        share_pct: 0,
      })
    }
  }
  const length = window[1] - window[0]
  const names = [...sums.values()].map((one) => ({ ...one, share_pct: length ? (100 * one.total_ns) / length : 0 }))
  return names.sort(mostTime)
}

/** Calls and time of each name; its kind is that of its last event. */
function timesByName(runs: Exact[], [t0, t1]: Interval) {
  const found = new Map<number, { calls: number; total_ns: number; kind: number }>()
  for (const { piece, from, to } of runs)
    for (let at = from; at < to; at++) {
      const code = piece.name[at] ?? 0
      const known = found.get(code) ?? { calls: 0, total_ns: 0, kind: 0 }
      known.calls++
      known.total_ns += Math.min(piece.end[at] ?? 0, t1) - Math.max(piece.start[at] ?? 0, t0)
      known.kind = piece.kind[at] ?? 0
      found.set(code, known)
    }
  return found
}

function mostTime(a: NameTime, b: NameTime): number {
  const text = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)
  return b.total_ns - a.total_ns || b.calls - a.calls || text(a.name, b.name) || text(a.track_kind, b.track_kind)
}

/** The names with most time; each kind of track has its share of them, so that kernels are seen beside their callers. */
function topOf(names: NameTime[]): NameTime[] {
  const kinds = new Set(names.map((one) => one.track_kind)).size
  const share = Math.floor(MOST_NAMES / Math.max(kinds, 1))
  const count = new Map<string, number>()
  const [chosen, rest]: [NameTime[], NameTime[]] = [[], []]
  for (const one of names) {
    const number = (count.get(one.track_kind) ?? 0) + 1
    count.set(one.track_kind, number)
    ;(number <= share ? chosen : rest).push(one)
  }
  return [...chosen, ...rest.slice(0, MOST_NAMES - chosen.length)].sort(mostTime)
}

/** How the stretch divides into what a rank's GPUs do. */
function gpuTime(rank: number, runs: Exact[], [t0, t1]: Interval): Rank {
  const of: Record<'compute' | 'communication' | 'memory', Interval[]> = { compute: [], communication: [], memory: [] }
  for (const { piece, from, to } of runs)
    for (let at = from; at < to; at++) {
      const kind = KINDS[piece.kind[at] ?? 0]
      const mine = of[kind === 'compute' || kind === 'communication' ? kind : 'memory']
      mine.push([Math.max(piece.start[at] ?? 0, t0), Math.min(piece.end[at] ?? 0, t1)])
    }
  const [compute, communication, memory] = [covered(of.compute), covered(of.communication), covered(of.memory)]
  const kernels = covered([...of.compute, ...of.communication])
  const busy = covered([...of.compute, ...of.communication, ...of.memory])
  return {
    rank,
    span_ns: t1 - t0,
    busy_ns: busy,
    idle_ns: t1 - t0 - busy,
    compute_ns: compute,
    communication_ns: communication,
    exposed_communication_ns: kernels - compute,
    memory_ns: memory,
    exposed_memory_ns: busy - kernels,
  }
}

/** Length of the union of intervals. */
function covered(intervals: Interval[]): number {
  let [length, until] = [0, -Infinity]
  for (const [start, end] of intervals.sort((a, b) => a[0] - b[0])) {
    if (end <= until) continue
    length += end - Math.max(start, until)
    until = end
  }
  return length
}
