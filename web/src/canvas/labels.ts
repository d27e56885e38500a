/** Texts of events: cut in the middle until they fit, measured once. */

import { middleCut } from '../model/format.ts'
import { foldName } from '../model/kernel_names.ts'

export const LABEL_FONT =
  '11px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Noto Sans CJK SC", sans-serif'
/** CSS pixels below which an event has no text. */
export const LEAST_WIDTH = 34
const ROOM = 8
/** Cut to fewer, a name says nothing. */
const LEAST_CHARACTERS = 7
/** Longer names are cut before they are measured: some kernels' have 4,000 characters. */
const MEASURED = 400

export class Labels {
  readonly #cuts = new Map<string, string>()
  readonly #widths = new Map<string, number>()
  readonly #folded = new Map<string, string>()

  /** The text of a name for a width in CSS pixels; empty when nothing readable fits. */
  fitting(context: CanvasRenderingContext2D, name: string, width: number): string {
    const room = width - ROOM
    const text = this.#short(name)
    const whole = this.#width(context, text)
    if (whole <= room) return text
    const characters = Math.floor((room / whole) * text.length)
    if (characters < LEAST_CHARACTERS) return this.#last(context, text, room)
    const key = `${characters} ${text}`
    let cut = this.#cuts.get(key)
    if (cut === undefined) {
      if (this.#cuts.size > 20_000) this.#cuts.clear()
      // The middle of a name may be narrower than its ends: cut until it fits.
      let count = characters
      cut = middleCut(text, count)
      while (count > LEAST_CHARACTERS && context.measureText(cut).width > room) cut = middleCut(text, --count)
      if (context.measureText(cut).width > room) cut = this.#last(context, text, room)
      this.#cuts.set(key, cut)
    }
    return cut
  }

  /** CSS pixels of a text as it stands. */
  widthOf(context: CanvasRenderingContext2D, text: string): number {
    return this.#width(context, text)
  }

  /** The same, about, of one that is another in every picture: characters are measured once each. */
  widthOfCharacters(context: CanvasRenderingContext2D, text: string): number {
    let sum = 0
    for (const character of text) sum += this.#width(context, character)
    return sum
  }

  /** Without the parameters of templates, as in tables. */
  #short(name: string): string {
    let short = this.#folded.get(name)
    if (short === undefined) {
      if (this.#folded.size > 20_000) this.#folded.clear()
      short = foldName(name.length > MEASURED ? middleCut(name, MEASURED) : name)
      this.#folded.set(name, short)
    }
    return short
  }

  /** `mm` of `aten::mm`, where the whole does not fit. */
  #last(context: CanvasRenderingContext2D, text: string, room: number): string {
    const last = text.slice(text.lastIndexOf(':') + 1)
    return last.length > 1 && last.length < text.length && this.#width(context, last) <= room ? last : ''
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
