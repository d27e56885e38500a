/**
 * What has which colour, everywhere: charts, tables, timeline, step strip.
 *
 * The hues follow the palette of Okabe and Ito, which people with any kind of colour blindness tell apart, made lighter
 * or darker until text and marks have enough contrast on either theme.
 */

export type Theme = 'light' | 'dark'

export const MEANINGS = [
  'compute',
  'communication',
  'memory',
  'data_loading',
  'host',
  'launch_latency',
  'idle',
  'annotation',
  'python',
  'sync',
  'other',
  'warning',
] as const
export type Meaning = (typeof MEANINGS)[number]

const COLOURS: Record<Theme, Record<Meaning, string>> = {
  light: {
    compute: '#0072b2',
    communication: '#cf6400',
    memory: '#a04585',
    data_loading: '#dcb800',
    host: '#008066',
    launch_latency: '#30a872',
    idle: '#b4b8bd',
    annotation: '#7288bd',
    python: '#85993f',
    sync: '#946a3c',
    other: '#8b939c',
    warning: '#b52a00',
  },
  dark: {
    compute: '#4aa8e8',
    communication: '#e98526',
    memory: '#dc86bd',
    data_loading: '#f2e06c',
    host: '#2ebb95',
    launch_latency: '#b4f0dc',
    idle: '#4c525a',
    annotation: '#9fb4e6',
    python: '#b2c96e',
    sync: '#c79a6c',
    other: '#7d858f',
    warning: '#ff5a45',
  },
}

/** The same as the page's styles have it, whatever the theme. */
export const colourVariable = (meaning: string) => `var(--${meaning.replaceAll('_', '-')})`

export function colour(meaning: Meaning, theme: Theme): string {
  return COLOURS[theme][meaning]
}

/** What the parts of a step mean: columns of the table `steps`. */
export const STEP_PARTS: { column: string; meaning: Meaning }[] = [
  { column: 'compute_ns', meaning: 'compute' },
  { column: 'communication_ns', meaning: 'communication' },
  { column: 'memcpy_ns', meaning: 'memory' },
  { column: 'memset_ns', meaning: 'memory' },
  { column: 'data_loading_ns', meaning: 'data_loading' },
  { column: 'runtime_ns', meaning: 'host' },
  { column: 'cpu_ns', meaning: 'host' },
  { column: 'other_ns', meaning: 'idle' },
]

const KIND_MEANINGS: Record<string, Meaning> = {
  compute: 'compute',
  communication: 'communication',
  memcpy: 'memory',
  memset: 'memory',
  runtime: 'host',
  operator: 'host',
  data_loading: 'data_loading',
  annotation: 'annotation',
  python: 'python',
  sync: 'sync',
  launch_latency: 'launch_latency',
  idle: 'idle',
  other: 'other',
  os_call: 'host',
  sample: 'host',
  on_cpu: 'host',
  off_cpu: 'idle',
  collective: 'communication',
  unfinished: 'warning',
  not_started: 'other',
}

/** The meaning of a kind of event. */
export function meaningOf(kind: string): Meaning {
  return KIND_MEANINGS[kind] ?? 'other'
}

/** A colour between two others: `share` 0 is the first, 1 the second. */
export function mix(from: string, to: string, share: number): string {
  const [a, b] = [channels(from), channels(to)]
  return `#${a.map((one, i) => hex(one + ((b[i] ?? 0) - one) * share)).join('')}`
}

/** Red, green and blue of `#rrggbb`, 0 to 255; or of `#rgb`, as which a built style sheet writes some of them. */
export function channels(colour: string): [number, number, number] {
  const whole = colour.length === 4 ? colour.replaceAll(/[^#]/g, '$&$&') : colour
  const at = (i: number) => Number.parseInt(whole.slice(i, i + 2), 16)
  return [at(1), at(3), at(5)]
}

function hex(channel: number): string {
  return Math.round(channel).toString(16).padStart(2, '0')
}

/** One of 256 shades of a meaning, by the hash of a name: near enough to keep the meaning, apart enough to see. */
export function shadeOf(meaning: Meaning, shade: number, theme: Theme): string {
  const step = (((shade % 8) + 8) % 8) / 7
  return brightened(colour(meaning, theme), darkestOf(meaning, theme) + step * SHADES_REACH)
}

/** How far the lightest shade of a meaning is from the darkest, as a share of the way to white or black. */
const SHADES_REACH = 0.36
const darkest = new Map<string, number>()

/** Where the shades of a meaning begin: around its colour, moved until black or white reads on all of them alike. */
function darkestOf(meaning: Meaning, theme: Theme): number {
  const key = `${theme} ${meaning}`
  let from = darkest.get(key)
  if (from !== undefined) return from
  const base = colour(meaning, theme)
  const ink = inkOn(base)
  const towards = ink === '#ffffff' ? -0.01 : 0.01
  from = -SHADES_REACH / 2
  // The shade nearest to the ink is the first to need the other one.
  const nearest = () => brightened(base, (from as number) + (towards < 0 ? SHADES_REACH : 0))
  while (inkOn(nearest()) !== ink) from += towards
  darkest.set(key, from)
  return from
}

/** A colour on its way to white, or to black for a share below 0. */
function brightened(base: string, share: number): string {
  return share < 0 ? mix(base, '#000000', -share) : mix(base, '#ffffff', share)
}

/** Relative luminance after WCAG 2.2. */
function luminance(colour: string): number {
  const [r, g, b] = channels(colour).map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** Contrast of two colours after WCAG 2.2, 1 to 21. */
export function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

/** Black or white, whichever reads better on a colour. */
export function inkOn(background: string): string {
  return contrast(background, '#ffffff') >= contrast(background, '#000000') ? '#ffffff' : '#000000'
}

const CAUSE_MEANINGS: Record<string, Meaning> = {
  host_late: 'host',
  launch_latency: 'launch_latency',
  sync: 'sync',
  data_loading: 'data_loading',
  memory_copy: 'memory',
  communication_wait: 'communication',
  dependency: 'idle',
  unknown: 'other',
}

/** The meaning of a cause of idle time. */
export function causeMeaning(cause: string): Meaning {
  return CAUSE_MEANINGS[cause] ?? 'other'
}

/** Idle grey with a tint of whoever causes it. */
export function idleColour(cause: string, theme: Theme): string {
  const meaning = CAUSE_MEANINGS[cause] ?? 'idle'
  return meaning === 'other' ? colour('idle', theme) : mix(colour('idle', theme), colour(meaning, theme), 0.45)
}

const BOUND_MEANINGS: Record<string, Meaning> = {
  compute: 'compute',
  memory: 'memory',
  cache: 'python',
  latency: 'host',
  communication: 'communication',
  transfer: 'data_loading',
}

/** The meaning of what bounds an operator. */
export function boundMeaning(bound: string): Meaning {
  return BOUND_MEANINGS[bound] ?? 'other'
}
