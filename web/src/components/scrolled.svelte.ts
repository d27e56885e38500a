/** How far a page, and what scrolls in it, was scrolled when it was left: the way back returns there. */

import { route, travelled } from '../state/route.svelte.ts'
import { whenActed } from './row_in_sight.ts'

const SCROLLERS = '#content, #content [role$="grid"], #content .scroller'
const ARRIVING = '#content [aria-busy="true"], #content .skeleton'
/** Ms after which what has arrived stays where it is. */
const REST_MS = 400
/** Ms after which a page that has not become as high as it was is no longer waited for. */
const PATIENCE_MS = 10_000

type Tops = ReadonlyMap<string, number>

/** By number of the entry of the history. */
const left = new Map<number, Tops>()

/** Where a reload finds them. */
const KEPT = 'stepscope.scrolled'

/** What scrolls, by its name. */
function scrollers(): Map<string, Element> {
  return new Map([...document.querySelectorAll(SCROLLERS)].map((one) => [one.ariaLabel ?? one.tagName, one]))
}

const tops = (): Tops => new Map([...scrollers()].map(([name, one]) => [name, one.scrollTop]))

/** Call it while the app is being made, before anything on the page. */
export function followScrolled(): void {
  let entry = Number(history.state)
  const place = $derived(`${route.page} ${route.params['run']}`)
  let before = ''
  let stop = scrollThere(reloaded())
  addEventListener('pagehide', () => sessionStorage.setItem(KEPT, JSON.stringify([...tops()])))
  $effect.pre(() => {
    void [place, ...Object.values(route.params)]
    const [now, isElsewhere] = [Number(history.state), place !== before]
    before = place
    if (now === entry) return
    stop()
    left.set(entry, tops())
    entry = now
    const there = travelled.from && left.get(now)
    if (there) stop = scrollThere(there)
    // Another page may stand in what the last one has scrolled.
    else if (isElsewhere) document.querySelector('#content')?.scrollTo(0, 0)
  })
}

/** How far all was scrolled when this page was reloaded; of what is opened anew nothing is. */
function reloaded(): Tops {
  const [way] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const kept = way?.type === 'reload' ? sessionStorage.getItem(KEPT) : null
  return new Map(kept ? (JSON.parse(kept) as [string, number][]) : [])
}

/** Until all of it has arrived, or the user does something. Returns what ends it. */
function scrollThere(tops: Tops): () => void {
  const begun = performance.now()
  let arrived = begun
  let frame = requestAnimationFrame(again)
  function again(now: number): void {
    if (!isThere(tops, scrollers()) || document.querySelector(ARRIVING)) arrived = now
    if (now - arrived < REST_MS && now - begun < PATIENCE_MS) frame = requestAnimationFrame(again)
  }
  return whenActed(() => cancelAnimationFrame(frame))
}

function isThere(tops: Tops, found: Map<string, Element>): boolean {
  for (const [name, top] of tops) {
    const one = found.get(name)
    if (one && Math.abs(one.scrollTop - top) >= 1) one.scrollTop = top
  }
  return [...tops].every(([name, top]) => Math.abs((found.get(name)?.scrollTop ?? 0) - top) < 1)
}
