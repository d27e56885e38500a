/** Running jobs: how they get on, and their pictures. */

import type { LiveCounter, LiveProcess, LiveSteps, LiveWindow } from '../api/live.ts'

/** A time that is read at a glance: `42 s`, `12 min`, `3 h`. */
export function agoText(ms: number): string {
  const seconds = Math.round(ms / 1000)
  if (seconds < 90) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 90 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
}

/** How much slower the last 100 steps are than the best ones, in per cent; null before there were so many. */
export function paceLoss(process: LiveProcess): number | null {
  return process.pace_ns === null || !process.best_ns ? null : (process.pace_ns / process.best_ns - 1) * 100
}

/** A step that takes far longer than the others do has them wait: so long, and it is said. */
const SILENT_MS = 5000
const SILENT_STEPS = 5
/** While it records it writes nothing: two steps before the window, and the profiler that stops behind it. */
const AROUND_WINDOW = 2
const LONGER = 3
const STOPPING_MS = 30_000

/** For how long nothing was heard, in ms, where that is longer than usual; null where all is well. */
export function silence(process: LiveProcess): number | null {
  if (process.state === 'lost' || process.state === 'foreign') return null
  const usual = (process.pace_ns ?? process.mean_ns ?? 0) / 1e6
  let most = Math.max(SILENT_MS, SILENT_STEPS * usual)
  if (process.state === 'recording') {
    const [first, last] = process.recording ?? [0, 0]
    most += LONGER * (last - first + 1 + AROUND_WINDOW) * usual + STOPPING_MS
  }
  return process.age_ms > most ? process.age_ms : null
}

export interface StepPicture {
  /** Bars as one path, and marks on those that are cut off. */
  bars: string
  torn: string
  /** Steps that are longer than the picture is high. */
  longer: number
  /** Time of the full height, ns. */
  top: number
  /** Number of the first step shown. */
  first: number
  pitch: number
}

/** Bars are this wide at most. */
const WIDEST = 24

/** The last steps as bars, the newest at the right. The scale is 1.1 times the 95th percentile: an outlier sets none. */
export function stepPicture(times: readonly number[], steps: number, width: number, height: number): StepPicture {
  const first = steps - times.length
  const sorted = [...times].sort((a, b) => a - b)
  const top = 1.1 * (sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 1)
  const pitch = Math.min(WIDEST, width / Math.max(1, times.length))
  const bar = pitch >= 4 ? pitch - 1 : pitch
  const parts = times.map((time, at) => {
    const high = Math.max(1, Math.min(1, time / top) * height)
    return `M${fixed(at * pitch)} ${height}v-${fixed(high)}h${fixed(bar)}v${fixed(high)}z`
  })
  const longer = times.flatMap((time, at) => (time > top ? [at] : []))
  const torn = longer.map((at) => `M${fixed(at * pitch)} 5h${fixed(bar)}`).join('')
  return { bars: parts.join(''), torn, longer: longer.length, top, first, pitch }
}

const fixed = (value: number) => String(Math.round(value * 100) / 100)

export interface WindowSpan {
  number: number
  x: number
  width: number
}

/** Where windows lie in the picture; those that have left it at the left are not there. */
export function windowSpans(picture: StepPicture, shown: number, windows: readonly LiveWindow[]): WindowSpan[] {
  return windows.flatMap((one, at) => {
    if (one.first_step === null || one.last_step === null) return []
    const [from, to] = [Math.max(0, one.first_step - picture.first), Math.min(shown, one.last_step + 1 - picture.first)]
    return to <= from ? [] : [{ number: at + 1, x: from * picture.pitch, width: (to - from) * picture.pitch }]
  })
}

/** The step under a pixel, an index into the times; null beside the bars. */
export function stepAt(picture: StepPicture, shown: number, x: number): number | null {
  const at = Math.floor(x / picture.pitch)
  return at >= 0 && at < shown ? at : null
}

const SECONDS = 60
const UNITS = [
  ['_pct', '%'],
  ['_mw', 'mW'],
  ['_mhz', 'MHz'],
  ['_bytes', 'B'],
] as const

export interface CounterPicture {
  /** Of which GPU; null for the machine's own. */
  gpu: number | null
  /** A key of the words for it. */
  key: string
  unit: string | null
  path: string
  last: number
  most: number
}

/** A counter over the last minute, the newest sample at the right. */
export function counterPicture(counter: LiveCounter, width: number, height: number): CounterPicture {
  const of = /^gpu(\d+)\.(.*)$/.exec(counter.name)
  const key = of?.[2] ?? counter.name
  const unit = UNITS.find(([end]) => key.endsWith(end))?.[1] ?? null
  const most = Math.max(...counter.values)
  // A share of a whole; that of a job counts cores.
  const top = unit === '%' && key !== 'tree.cpu_pct' ? 100 : most * 1.05 || 1
  const points = counter.values.map((value, at) => {
    const x = (1 - (counter.before_ms[at] ?? 0) / (SECONDS * 1000)) * width
    return `${fixed(x)} ${fixed((1 - value / top) * (height - 2) + 1)}`
  })
  const path = points.length > 0 ? `M${points.join('L')}` : ''
  return { gpu: of ? Number(of[1]) : null, key, unit, path, last: counter.values.at(-1) ?? 0, most }
}

/** The process whose steps are shown. */
export function shownProcess(job: LiveSteps): LiveProcess | undefined {
  return job.processes.find((one) => one.pid === job.pid) ?? job.processes[0]
}

/** The ranks of some processes; null where they have none. */
export function rankRange(processes: readonly LiveProcess[]): [number, number] | null {
  const ranks = processes.flatMap((one) => one.rank ?? [])
  return ranks.length === 0 ? null : [Math.min(...ranks), Math.max(...ranks)]
}

/** What somebody who hears the page is told: more than a tenth off the pace that was last told, a window, the end. */
export interface Heard {
  pace: number | null
  windows: number
}

const WORTH_TELLING = 0.1

export function isNewPace(heard: Heard, pace: number | null): boolean {
  if (pace === null) return false
  return heard.pace === null || Math.abs(pace / heard.pace - 1) > WORTH_TELLING
}
