/** The column at the right edge of a grid that scrolls sideways, while it is in sight in part. */

import { cutAt } from '../model/cut_column.ts'

export function cutColumn(grid: () => HTMLElement | undefined, template: () => string): () => number | null {
  let cut: number | null = $state(null)
  $effect(() => {
    const [found] = [grid(), template()]
    if (!found) return
    const look = () => {
      const cells = found.querySelector('.cells')
      const widths = cells ? getComputedStyle(cells).gridTemplateColumns.split(' ').map(parseFloat) : []
      cut = cutAt(widths, found.scrollLeft + found.clientWidth)
    }
    const observer = new ResizeObserver(look)
    observer.observe(found)
    found.addEventListener('scroll', look, { passive: true })
    return () => {
      observer.disconnect()
      found.removeEventListener('scroll', look)
    }
  })
  return () => cut
}
