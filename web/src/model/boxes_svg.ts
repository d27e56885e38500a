/** A treemap as the text of an SVG file. */

import type { TreemapChart } from './chart.ts'
import { type Look, tintColour } from './chart_option.ts'
import { inkOn } from './colours.ts'
import { middleCut } from './format.ts'
import { squarified } from './squarify.ts'
import { cellText } from './units.ts'

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escaped(text: string): string {
  // Control characters have no place in XML, not even escaped.
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '').replace(/[&<>"]/g, (sign) => ESCAPES[sign] ?? '')
}

/** Pixels that a character takes, roughly. */
const CHARACTER = 6.2

export function boxesSvg(model: TreemapChart, look: Look, width: number, height: number): string {
  const values = model.parts.map((part) => part.value)
  const boxes = squarified(values, width, height).map((box, i) => {
    const part = model.parts[i]
    if (!part) return ''
    const fill = tintColour(part.tint, look.theme)
    const lines = [middleCut(part.name, Math.floor((box.width - 8) / CHARACTER)), cellText(model.column, part.value)]
    const text = box.width > 40 && box.height > 34 ? lines : []
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    const written = text.map((line, at) => `<text x="${x}" y="${y - 3 + 15 * at}">${escaped(line)}</text>`).join('')
    const place = `x="${box.x}" y="${box.y}" width="${box.width}" height="${box.height}"`
    return `<g fill="${inkOn(fill)}"><rect ${place} fill="${fill}" stroke="${look.back}"/>${written}</g>`
  })
  const font = `font-family="${escaped(look.font)}" font-size="11" text-anchor="middle"`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ${font}>${boxes.join('')}</svg>\n`
}
