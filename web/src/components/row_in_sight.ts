/** Keeps a row of a table within the page, which scrolls, too. */

/** Scroll the page until the row is in sight, with some room below it, not under the heading of its table. */
export function bringIntoSight(grid: HTMLElement, row: number, head: number, room: number): void {
  const page = grid.closest('main')
  const found = grid.querySelector(`[data-row="${row}"]`)?.getBoundingClientRect()
  if (!page || !found) return
  const box = page.getBoundingClientRect()
  const below = Math.ceil(found.bottom + room - box.bottom)
  const above = Math.floor(found.top - head - box.top)
  if (below > 0) page.scrollTop += Math.min(below, Math.max(0, above))
  else if (above < 0) page.scrollTop += above
}

/** Scroll a table sideways until a cell is in sight, beside the first column and out from under the dock at the right. */
export function uncover(cell: HTMLElement, first: boolean): void {
  const [page, grid] = [cell.closest('main'), cell.closest('.grid')]
  if (!page || !grid) return
  const above = cell.getBoundingClientRect().top - page.getBoundingClientRect().top
  if (above < 0) page.scrollTop += above
  if (first) return
  const { left, right } = cell.getBoundingClientRect()
  const dock = document.querySelector('aside.over')?.getBoundingClientRect().left ?? Infinity
  const begin = grid.querySelector('.first')?.getBoundingClientRect().right ?? 0
  const hidden = Math.ceil(right - Math.min(dock, grid.getBoundingClientRect().left + grid.clientWidth))
  if (hidden > 0) grid.scrollLeft += Math.min(hidden, Math.max(0, left - begin))
  else if (left < begin) grid.scrollLeft -= begin - left
}

/** What the user does ends it. */
const ENDS = ['pointerdown', 'wheel', 'keydown'] as const

/** Do it, and whenever the page grows, as its charts arrive, until the user does something. Returns what ends it. */
export function whileArriving(grid: HTMLElement, act: () => void): () => void {
  act()
  const page = grid.closest('.page')
  if (!page) return () => undefined
  const observer = new ResizeObserver(act)
  observer.observe(page)
  return whenActed(() => observer.disconnect())
}

/** End something when the user does anything, or when what is returned is called. */
export function whenActed(stop: () => void): () => void {
  const end = () => {
    stop()
    for (const name of ENDS) removeEventListener(name, end, true)
  }
  for (const name of ENDS) addEventListener(name, end, { capture: true, passive: true })
  return end
}
