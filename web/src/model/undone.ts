/** What the back button undid, from the address before and after it. */

export type Undone =
  | 'zoom' | 'pan' | 'frame' | 'path' | 'occurrence' | 'simulated' | 'recommendation' | 'selection' | 'steps' | 'ranks'
  | 'filter' | 'search' | 'tracks' | 'mark' | 'sort' | 'columns' | 'section' | 'whatIf' | 'baseline' | 'view' // prettier-ignore

type Parameters = Readonly<Record<string, string>>

/** Which parameter says what was done; what was chosen before what came with it. */
const SIGNS: [Undone, string[]][] = [
  ['filter', ['only']],
  ['path', ['path']],
  ['simulated', ['sim']],
  ['selection', ['sel', 'pick']],
  ['zoom', ['range', 'entries']],
  ['selection', ['moment', 'point', 'event']],
  ['occurrence', ['occ']],
  ['recommendation', ['rec']],
  ['selection', ['at']],
  ['steps', ['step']],
  ['ranks', ['rank']],
  ['frame', ['zoom']],
  ['zoom', ['t']],
  ['tracks', ['fold', 'pin', 'hide', 'packed', 'tracks', 'sec']],
  ['mark', ['m']],
  ['whatIf', ['changes', 'of']],
  ['selection', ['device', 'gpu', 'stream', 'kernel', 'hang', 'name']],
  ['view', ['new']],
  ['baseline', ['base', 'base_run', 'baseline']],
  ['section', ['open']],
]

/** Parameters of each table, by how they end. */
const OF_TABLES: [Undone, RegExp][] = [
  ['sort', /^(.*\.)?sort$/],
  ['columns', /\.cols$/],
]

/** What is typed to filter a table, the runs or the tracks; what is typed to find events or frames in a run. */
const TYPED = /^(f|q|.*\.q)$/
const SOUGHT = /^(find|q|hl)$/

/** Null where nothing differs. `whole`: ns of the recording, which an address without a piece of time shows. */
export function undone(left: Parameters, now: Parameters, whole = NaN): Undone | null {
  const differs = (name: string) => (left[name] ?? '') !== (now[name] ?? '')
  const found = SIGNS.find(([, names]) => names.some(differs))?.[0]
  if (found === 'zoom' && isPan(left['t'], now['t'], whole)) return 'pan'
  if (found) return found
  const others = Object.keys({ ...left, ...now }).filter(differs)
  if ('run' in left && others.some((name) => SOUGHT.test(name))) return 'search'
  if (others.some((name) => TYPED.test(name))) return 'filter'
  const ofTable = OF_TABLES.find(([, sign]) => others.some((name) => sign.test(name)))?.[0]
  return ofTable ?? (others.length > 0 ? 'view' : null)
}

/** All of a recording is shown with room at both ends, at most so long: a piece of time as long was panned to. */
const WITH_ROOM = 1.12

/** Whether two pieces of time are equally long, but for what rounding does to them. */
function isPan(one: string | undefined, other: string | undefined, whole: number): boolean {
  const [a = NaN, b] = [one, other].filter(Boolean).map((text = '') => {
    const [start = NaN, end = NaN] = text.split(',').map(Number)
    return end - start
  })
  return b === undefined ? a >= whole && a <= whole * WITH_ROOM + 2 : Math.abs(a - b) <= Math.max(2, a * 1e-6)
}
