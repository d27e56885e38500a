/** Findings as cards: one of several ranks once, with the largest of its savings, as the table says. */

import type { Said, TableData } from '../api/types.ts'
import { cellsOf, numbersOf, rowsWhere, textsOf } from './columns_of.ts'
import { saidAt } from './said.ts'

/** As much of a table as cards need. */
type FindingsTable = Pick<TableData, 'data' | 'messages'>

export interface Finding {
  id: string
  title: Said | string
  saving: { ns: number | null; pct: number; low: number; high: number }
  confidence: string
  /** Why so sure, and no surer. */
  reason: Said | string
  /** The saving is of each sample's time: the step itself becomes longer. */
  perSample: boolean
  evidence: Said | string
  advice: Said | string
  unknown: Said | string
  /** Lines to change in the program, "" for none. */
  change: string
  links: Link[]
  /** The what-if change that comes near to fixing it; empty without one. */
  whatIf: string
  /** Where more of it is; null where no page has. */
  page: string | null
  /** Where its first range lies, as offsets; null where it is no range. */
  range: [number, number] | null
  /** The rank with the largest saving, and on how many it was seen. */
  rank: number | null
  ranks: number
}

/** A page of documentation, and the short name it is shown by. */
interface Link {
  url: string
  name: string
}

/** The page that a finding of a category has its evidence on. */
const PAGES: Record<string, string> = {
  attention: 'operators',
  copies: 'operators',
  'data loading': 'data_loading',
  fusion: 'kernels',
  launching: 'launches',
  layout: 'operators',
  memory: 'memory',
  optimizer: 'operators',
  precision: 'kernels',
  profiler: 'health',
  python: 'idle',
  ranks: 'ranks',
  shapes: 'operators',
  steps: 'step_trace',
  synchronisation: 'launches',
}

/**
 * Findings in their order: recommendations, the largest saving of a step first, then those that save time of each
 * sample; minor ones, and notes.
 */
export function findingsOf(table: FindingsTable): {
  recommended: Finding[]
  minor: Finding[]
  notes: Finding[]
} {
  const severities = textsOf(table, 'severity')
  const shown = rowsWhere(table, 'largest', true)
  const of = (...kinds: string[]) =>
    shown.filter((row) => kinds.includes(severities[row] ?? '')).map((row) => findingAt(table, row))
  return {
    recommended: of('high', 'medium').sort(
      (a, b) => Number(a.perSample) - Number(b.perSample) || b.saving.pct - a.saving.pct,
    ),
    minor: of('low'),
    notes: of('note'),
  }
}

/** Pages of a list separated by spaces. Only https addresses are links: a table may come from anywhere. */
export function linksOf(text: string): Link[] {
  return text.split(' ').flatMap((url) => {
    if (!URL.canParse(url) || new URL(url).protocol !== 'https:') return []
    const { hostname, pathname } = new URL(url)
    const last =
      pathname
        .replace(/\/(index\.html)?$/, '')
        .split('/')
        .at(-1) ?? ''
    return [{ url, name: `${hostname}: ${last.replace(/\.html$/, '')}` }]
  })
}

function findingAt(table: FindingsTable, row: number): Finding {
  const text = (name: string) => textsOf(table, name)[row] ?? ''
  const said = (name: string) => saidAt(table, name, row) ?? text(name)
  const number = (name: string) => numbersOf(table, name)[row] ?? null
  const flag = (name: string) => cellsOf(table, name)[row] === true
  const [start, end] = [number('start_ns'), number('end_ns')]
  return {
    id: text('id'),
    title: said('title'),
    saving: {
      ns: number('saving_ns'),
      pct: number('saving_pct') ?? 0,
      low: number('saving_low_pct') ?? 0,
      high: number('saving_high_pct') ?? 0,
    },
    confidence: text('confidence'),
    reason: said('confidence_reason'),
    perSample: flag('per_sample'),
    evidence: said('evidence'),
    advice: said('advice'),
    unknown: said('unknown'),
    change: text('change'),
    links: linksOf(text('links')),
    whatIf: text('what_if'),
    page: PAGES[text('category')] ?? null,
    range: start !== null && end !== null ? [start, end] : null,
    rank: number('rank'),
    ranks: number('ranks') ?? 1,
  }
}
