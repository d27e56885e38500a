/** Texts of events: cut in the middle until they fit, measured once. */

import { middleCut } from '../model/format.ts'

export const LABEL_FONT =
  '11px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Noto Sans CJK SC", sans-serif'
/** CSS pixels below which an event has no text. */
export const LEAST_WIDTH = 34
const ROOM = 8
/** Longer names are cut before they are measured: some kernels' have 4,000 characters. */
const MEASURED = 400

export class Labels {
  readonly #cuts = new Map<string, string>()
  readonly #widths = new Map<string, number>()

  /** The text of a name for a width in CSS pixels; empty when nothing readable fits. */
  fitting(context: CanvasRenderingContext2D, name: string, width: number): string {
    const room = width - ROOM
    const text = name.length > MEASURED ? middleCut(name, MEASURED) : name
    const whole = this.#width(context, text)
    if (whole <= room) return text
    const characters = Math.floor((room / whole) * text.length)
    if (characters < 3) return ''
    const key = `${characters} ${text}`
    let cut = this.#cuts.get(key)
    if (cut === undefined) {
      if (this.#cuts.size > 20_000) this.#cuts.clear()
      // The middle of a name may be narrower than its ends: cut until it fits.
      let count = characters
      cut = middleCut(text, count)
      while (count > 3 && context.measureText(cut).width > room) cut = middleCut(text, --count)
      this.#cuts.set(key, cut)
    }
    return cut
  }

  #width(context: CanvasRenderingContext2D, text: string): number {
    let width = this.#widths.get(text)
    if (width === undefined) {
      if (this.#widths.size > 20_000) this.#widths.clear()
      width = context.measureText(text).width
      this.#widths.set(text, width)
    }
    return width
  }
}
