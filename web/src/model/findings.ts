/** Findings as cards: one of several ranks once, with the largest of its savings. */

import { type Columns, numbersOf, rowCount, textsOf } from './columns_of.ts'

export interface Finding {
  id: string
  title: string
  saving: { ns: number | null; pct: number; low: number; high: number }
  confidence: string
  /** Why so sure, and no surer. */
  reason: string
  atLeast: boolean
  /** The saving is of each sample's time: the step itself becomes longer. */
  perSample: boolean
  evidence: string
  advice: string
  unknown: string
  /** Lines to change in the program, "" for none. */
  change: string
  links: Link[]
  /** The what-if change that comes near to mending it; empty without one. */
  whatIf: string
  /** Where its first range lies, as offsets; null where it is no range. */
  range: [number, number] | null
  /** The rank with the largest saving, and on how many it was seen. */
  rank: number | null
  ranks: number
}

/** A page of documentation, and the short name it is shown by. */
export interface Link {
  url: string
  name: string
}

/** Findings in their order: those worth mending, the titles of those that are not, and what is only to be known. */
export function findingsOf(table: Columns): { worth: Finding[]; seen: string[]; notes: Finding[] } {
  const [ids, severities, pcts] = [textsOf(table, 'id'), textsOf(table, 'severity'), numbersOf(table, 'saving_pct')]
  const best = new Map<string, number>()
  for (let row = 0; row < rowCount(table); row++) {
    const before = best.get(ids[row] ?? '')
    if (before === undefined || (pcts[row] ?? 0) > (pcts[before] ?? 0)) best.set(ids[row] ?? '', row)
  }
  const rows = [...best.values()]
  const ranks = (id: string) => ids.filter((one) => one === id).length
  const of = (...kinds: string[]) => rows.filter((row) => kinds.includes(severities[row] ?? ''))
  return {
    worth: of('high', 'medium').map((row) => findingAt(table, row, ranks)),
    seen: of('low').map((row) => textsOf(table, 'title')[row] ?? ''),
    notes: of('note').map((row) => findingAt(table, row, ranks)),
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

function findingAt(table: Columns, row: number, ranks: (id: string) => number): Finding {
  const text = (name: string) => textsOf(table, name)[row] ?? ''
  const number = (name: string) => numbersOf(table, name)[row] ?? null
  const [start, end] = [number('start_ns'), number('end_ns')]
  return {
    id: text('id'),
    title: text('title'),
    saving: {
      ns: number('saving_ns'),
      pct: number('saving_pct') ?? 0,
      low: number('saving_low_pct') ?? 0,
      high: number('saving_high_pct') ?? 0,
    },
    confidence: text('confidence'),
    reason: text('confidence_reason'),
    atLeast: text('method').endsWith('at least'),
    perSample: text('method').endsWith('for each sample'),
    evidence: text('evidence'),
    advice: text('advice'),
    unknown: text('unknown'),
    change: text('change'),
    links: linksOf(text('links')),
    whatIf: text('what_if'),
    range: start !== null && end !== null ? [start, end] : null,
    rank: number('rank'),
    ranks: ranks(text('id')),
  }
}
