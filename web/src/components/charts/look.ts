/** Colours and font of the page, for what is drawn on a canvas. */

import type { Look } from '../../model/chart_look.ts'
import type { Theme } from '../../model/colours.ts'

/** Read after the theme was set on the document. */
export function lookNow(theme: Theme): Look {
  const style = getComputedStyle(document.documentElement)
  const of = (name: string) => style.getPropertyValue(`--${name}`).trim()
  return { theme, text: of('text'), quiet: of('quiet'), line: of('line'), back: of('back'), font: of('font') }
}
