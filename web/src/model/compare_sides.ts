/** The recordings of both sides of a comparison, as the address of the page has them. */

export type SideName = 'base' | 'new'

/** Ids of runs; the first of a side is the one that is chosen first. */
export type Sides = Record<SideName, string[]>

const MORE: Record<SideName, string> = { base: 'more_base', new: 'more_new' }

/** What an address names: of each side a run, and further ones as a list. */
export function sidesOf(params: Record<string, string>): Sides {
  const side = (name: SideName) => [...new Set([params[name] ?? '', ...listed(params[MORE[name]])])].filter(Boolean)
  return { base: side('base'), new: side('new') }
}

/** Parameters of an address with these sides. */
export function addressed(sides: Sides): Record<string, string | null> {
  const found: Record<string, string | null> = {}
  for (const name of ['base', 'new'] as const) {
    const [first, ...more] = sides[name]
    found[name] = first ?? null
    found[MORE[name]] = more.length ? JSON.stringify(more) : null
  }
  return found
}

function listed(text: string | undefined): string[] {
  try {
    const found: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(found) ? found.filter((one) => typeof one === 'string') : []
  } catch {
    return []
  }
}

/** Recordings of one moment or without steps: there is no step to compare. */
const STEPLESS = new Set([
  'memory_snapshot',
  'kernel_report',
  'telemetry',
  'flight_recorder',
  'communication_log',
  'compile_log',
  'host_samples',
  'input_pipeline',
  'mindspore_derived',
])

/** Whether a run may have steps to compare; of an unread one it shows when it is compared. */
export function hasSteps(run: { kind: string; steps: number | null }): boolean {
  return !STEPLESS.has(run.kind) && run.steps !== 0
}
