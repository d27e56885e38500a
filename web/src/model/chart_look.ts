/** Colours and font of what is drawn on a canvas. */

import type { Tint } from './chart.ts'
import { colour, shadeOf, type Theme } from './colours.ts'

/** Colours of the page around a chart, and its font. */
export interface Look {
  theme: Theme
  text: string
  quiet: string
  line: string
  back: string
  font: string
}

export function tintColour(tint: Tint, theme: Theme): string {
  return tint.shade === undefined ? colour(tint.meaning, theme) : shadeOf(tint.meaning, tint.shade, theme)
}
