/** What of the time the pages about stacks and instances show, by their address: the dock asks for the same rows. */

import { parsedRange, type Range, rangeText } from '../model/ranges.ts'
import { api } from './app.svelte.ts'
import { isRecorded } from './missing.svelte.ts'
import { link, route } from './route.svelte.ts'
import type { Question } from './table.svelte.ts'
import { words } from './words.svelte.ts'

/** Pages that show a part of the time. */
const PAGES = new Set(['flame_graph', 'instances'])

/** The part that is shown; null for the whole run. */
export function shownArea(): Range | null {
  return PAGES.has(route.page) ? parsedRange(route.params['area']) : null
}

/** What a question about a table says of it, and of the name whose instances are shown. */
export function areaOf(table: string): Pick<Question, 'between' | 'name'> {
  const area = shownArea()
  const between = area ? { between: area } : {}
  if (table === 'flame_graph') return between
  if (table !== 'instances' && table !== 'durations') return {}
  const name = table === 'instances' && route.page === 'instances' ? route.params['name'] : undefined
  return { ...between, ...(name ? { name } : {}) }
}

/** Links to the instances of a name, and to the stacks of a piece of time: a report holds those of the whole run only. */
export function pagesOf(area: Range | null, name: string | null): { name: string; href: string }[] {
  const { instances, flame_graph } = words().pages
  const text = area && api.mode === 'server' ? rangeText(...area) : null
  // Of dumps of a flight recorder there is neither.
  const hasNames = isRecorded('instances')
  return [
    ...(hasNames && name !== null ? [{ name: instances, href: link('instances', { name, sel: null }) }] : []),
    ...(text && isRecorded('flame_graph')
      ? [{ name: flame_graph, href: link('flame_graph', { area: text, sel: null }) }]
      : []),
    ...(hasNames && text && name === null
      ? [{ name: instances, href: link('instances', { area: text, sel: null }) }]
      : []),
  ]
}
