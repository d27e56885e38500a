/**
 * The URL is the whole state: `#/operators?run=train%2Fdit.json.gz&step=3:5&sort=-device_total_ns`.
 *
 * It stands behind the `#`, so that it works in a report on disk as well. What is the same on every page is kept when
 * the page changes; everything else belongs to one page.
 */

import { hasPart } from '../api/parts.ts'

/** What concerns several runs, or none: a server has these pages, a report does not. */
export const WORKSPACE = ['runs', 'compare', 'history', 'ledger', 'record', 'live'] as const

/** Whether this page is a comparison as a file: it holds no run and no other page. */
export const isComparison = hasPart('compare')

export const PAGES = [
  ...WORKSPACE,
  'verdict',
  'what_if',
  'timeline',
  'operators',
  'kernels',
  'modules',
  'flame_graph',
  'instances',
  'step_trace',
  'idle',
  'launches',
  'memory',
  'telemetry',
  'kernel_reports',
  'hangs',
  'run_collectives',
  'compilation',
  'data_loading',
  'roofline',
  'communication',
  'ranks',
  'recordings',
  'health',
  'tables',
] as const
export type Page = (typeof PAGES)[number]

/** Parameters that stay when the page changes: the run, its ranks and steps, what the dock and the strip show. */
const KEPT = new Set(['run', 'rank', 'step', 'sel', 'heat', 'only'])

/** What the dock says of an overlay of the timeline goes with it; nothing can be chosen in What if, which it would hide. */
const OF_OVERLAY = /^\["(path|simulated)"/

export type Changes = Record<string, string | null | undefined>

export const inWorkspace = (page: Page): boolean => WORKSPACE.some((one) => one === page)

interface Route {
  page: Page
  params: Record<string, string>
  /** What the address names in place of a page, if there is no such page. */
  unknown?: string | null
}

function parsed(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?')
  const params = Object.fromEntries(new URLSearchParams(search))
  const named = PAGES.find((one) => one === path) ?? (params['run'] ? 'verdict' : 'runs')
  if (isComparison) return { page: 'compare', params, unknown: null }
  // A report holds one run: there is no list of them.
  const page = inWorkspace(named) && hasPart('run') ? 'verdict' : named
  return { page, params, unknown: path && !PAGES.some((one) => one === path) ? path : null }
}

function written(route: Route): string {
  const search = new URLSearchParams(Object.entries(route.params).filter(([, value]) => value !== '')).toString()
  return `#/${route.page}${search ? `?${search}` : ''}`
}

/** Where the app is. Read it anywhere; change it through the functions below. */
export const route: Route = $state(parsed(location.hash))

/**
 * Go there, parameter by parameter: whatever reads one is told only when that one changes. A table is not asked for
 * anew because something else was selected.
 */
function apply(next: Route): void {
  route.page = next.page
  route.unknown = next.unknown ?? null
  for (const name of Object.keys(route.params)) if (!(name in next.params)) delete route.params[name]
  Object.assign(route.params, next.params)
}

function changed(page: Page, changes: Changes): Route {
  const kept = Object.entries(route.params).filter(([name]) => page === route.page || KEPT.has(name))
  const params: Record<string, string> = Object.fromEntries(kept)
  if (page !== route.page && (page === 'what_if' || OF_OVERLAY.test(params['sel'] ?? ''))) delete params['sel']
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === undefined || value === '') delete params[name]
    else params[name] = value
  }
  return { page, params }
}

/** The address of a page, for links. */
export function link(page: Page, changes: Changes = {}): string {
  return written(changed(page, changes))
}

/** The address of a page of another run, of which nothing is chosen yet. */
export function linkToRun(page: Page, run: string): string {
  return written({ page, params: { run } })
}

/** What made the entry that is shown, and when: what goes on with it makes no entry of its own. */
let made: { by: Doing | null; of: string; at: number } = { by: null, of: '', at: -Infinity }
export type Doing = 'zoom' | 'walk' | 'steps' | 'slide' | 'type'

/** What of these goes on until it rests. */
const RESTS: readonly Doing[] = ['zoom', 'slide', 'type']
/** Ms that a zoom, a pan, a slider or a field rests before the next movement is another one. */
const REST_MS = 800

/** Go to a page, or change this one; the back button returns. What is there already is no step of its own. */
export function go(page: Page, changes: Changes = {}, by: Doing | null = null): void {
  const next = changed(page, changes)
  if (written(next) === written(route)) return
  made = { by, of: Object.keys(changes).join(), at: performance.now() }
  entry += 1
  travelled.from = null
  history.pushState(entry, '', written(next))
  apply(next)
  onentry(null, next)
}

/**
 * As `go`, but one entry for all that goes on: a zoom, a slider or typing without a rest, a cursor that walks, a key
 * that is held.
 */
export function goOn(by: Doing, changes: Changes): void {
  const goesOn = made.of === Object.keys(changes).join() && performance.now() - made.at < REST_MS
  const isSame = made.by === by && (goesOn || !RESTS.includes(by))
  if (!isSame) return go(route.page, changes, by)
  made.at = performance.now()
  change(changes)
}

/** Change parameters of this page without a step of history: a drag, answers of a form. */
export function change(changes: Changes): void {
  const next = changed(route.page, changes)
  history.replaceState(history.state, '', written(next))
  apply(next)
}

/** Which entry of the browser's history is shown; each has its number as its state. */
let entry = numberOf(history.state) ?? 0
history.replaceState(entry, '')

function numberOf(state: unknown): number | null {
  return typeof state === 'number' ? state : null
}

/** What the user came from by the back or the forward button; null after every other way. */
export const travelled: { from: Readonly<Route> | null } = { from: null }

/** Called at each other entry: on the way back with what was left, on every other way with null. */
let onentry: (left: Route | null, now: Route) => void = () => undefined
export function whenElsewhere(call: typeof onentry): void {
  onentry = call
}

addEventListener('popstate', () => {
  const left = $state.snapshot(route)
  const number = numberOf(history.state)
  const isBack = number !== null && number < entry
  // A link is an entry that has no number yet.
  entry = number ?? entry + 1
  if (number === null) history.replaceState(entry, '')
  travelled.from = number === null ? null : left
  made = { by: null, of: '', at: -Infinity }
  apply(parsed(location.hash))
  onentry(isBack ? left : null, $state.snapshot(route))
})
