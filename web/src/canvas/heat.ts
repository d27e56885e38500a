/** Drawing of ranks against steps: one colour per cell, the longest of what shares a pixel. */

import { mix, type Theme } from '../model/colours.ts'
import { type Heat, heatPixels, type HeatScale, heatShare } from '../model/heat.ts'
import { packed } from './palette.ts'

/** From short to long: brightness alone tells them apart, so any kind of colour vision does. */
const RAMPS: Record<Theme, string[]> = {
  light: ['#eceff2', '#e6b79c', '#c4500f', '#571a00'],
  dark: ['#23282e', '#8a3c18', '#f08148', '#ffe7d6'],
}

/** Colour of a share of the scale, 0 to 1. */
function heatColour(at: number, theme: Theme): string {
  const ramp = RAMPS[theme]
  const place = Math.min(0.999999, Math.max(0, at)) * (ramp.length - 1)
  const index = Math.floor(place)
  return mix(ramp[index] ?? '#000000', ramp[index + 1] ?? '#000000', place - index)
}

/** The whole ramp, as CSS. */
export function heatGradient(theme: Theme): string {
  return `linear-gradient(to right, ${RAMPS[theme].join(', ')})`
}

const LEVELS = 256
const OPAQUE = 255 << 24

/** The field as an image with at most a pixel per cell, and at most `width` x `height`. Unknown cells stay clear. */
export function heatImage(heat: Heat, scale: HeatScale, width: number, height: number, theme: Theme): ImageData {
  const columns = Math.max(1, Math.min(heat.columns.length, width))
  const rows = Math.max(1, Math.min(heat.rows.length, height))
  const palette = Array.from({ length: LEVELS }, (_, i) => (OPAQUE | packed(heatColour(i / (LEVELS - 1), theme))) >>> 0)
  const image = new ImageData(columns, rows)
  const pixels = new Uint32Array(image.data.buffer)
  heatPixels(heat, columns, rows).forEach((value, i) => {
    if (!Number.isNaN(value)) pixels[i] = palette[Math.round(heatShare(value, scale) * (LEVELS - 1))] ?? 0
  })
  return image
}
