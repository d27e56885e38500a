/** Numbers as people read them, the same texts as the command line prints. */

type Step = readonly [factor: number, unit: string]

const TIME: Step[] = [
  [1e9, 's'],
  [1e6, 'ms'],
  [1e3, 'us'],
]
const BYTES: Step[] = [
  [2 ** 40, 'TiB'],
  [2 ** 30, 'GiB'],
  [2 ** 20, 'MiB'],
  [2 ** 10, 'KiB'],
]
const COUNT: Step[] = [
  [1e15, 'P'],
  [1e12, 'T'],
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
]

/** What stands for a number that was not recorded. */
export const NOTHING = '–'

/**
 * A number with so many decimals; halfway between two texts, the one with the even digit, as the command line prints.
 * `toFixed` rounds 4.125 up to 4.13.
 */
export function fixedText(value: number, digits: number): string {
  const size = Math.abs(value) * 10 ** digits
  // Only a sum of few powers of two lies exactly halfway; for others the product may only look so.
  const halfway = size % 1 === 0.5 && Number.isInteger(value * 2 ** (digits + 1))
  if (!halfway) return value.toFixed(digits)
  const even = 2 * Math.ceil(Math.floor(size) / 2)
  return ((Math.sign(value) * even) / 10 ** digits).toFixed(digits)
}

function scaled(value: number | null | undefined, steps: Step[], smallest: string): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return NOTHING
  for (const [factor, unit] of steps) {
    // 999.5 of the smaller unit would be shown as 1000
    if (Math.abs(value) < factor * 0.9995) continue
    const shown = value / factor
    const size = Math.abs(shown)
    return `${fixedText(shown, size < 9.995 ? 2 : size < 99.95 ? 1 : 0)} ${unit}`
  }
  return `${fixedText(value, 0)} ${smallest}`.trimEnd()
}

/** A time in ns with three digits and its unit: `31.5 ms`. */
export function timeText(ns: number | null | undefined): string {
  return scaled(ns, TIME, 'ns')
}

/** A size with three digits and its binary unit: `1.50 KiB`. */
export function bytesText(count: number | null | undefined): string {
  return scaled(count, BYTES, 'B')
}

/** A large count with three digits and its prefix: `193 G`. */
export function flopsText(count: number | null | undefined): string {
  return scaled(count, COUNT, '')
}

/** A rate with three digits, its prefix and its unit: `4.80 TB/s`. */
export function rateText(perSecond: number | null | undefined, unit: string): string {
  const text = scaled(perSecond, COUNT, '')
  if (text === NOTHING) return text
  return text.includes(' ') ? `${text}${unit}` : `${text} ${unit}`
}

/** A share with one decimal place; one that is not quite nothing or everything does not read so. */
export function percentText(share: number | null | undefined): string {
  if (share === null || share === undefined || !Number.isFinite(share)) return NOTHING
  if (share === 0 || share === 100) return `${share} %`
  if (share > 0 && share < 0.05) return '<0.1 %'
  if (share >= 99.95 && share < 100) return '>99.9 %'
  return `${fixedText(share, 1)} %`
}

/** Made once: `toLocaleString` makes one for each number, which takes longer than drawing a frame. */
const WITH_SEPARATORS = new Intl.NumberFormat('en-US')

/** A whole number with separators: `39,288`. */
export function countText(value: number | null | undefined): string {
  return value === null || value === undefined ? NOTHING : WITH_SEPARATORS.format(value)
}

const inNumber = /^(?:\d\d|\d[.,]\d|[.,]\d)/
const inWord = /^[\p{L}\p{N}]{2}/u

/** Whether a text would be torn before a place: 2|0, 1.|5, wo|rd. */
function tears(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return false
  const around = text.slice(at - 1, at + 2)
  return inWord.test(around) || inNumber.test(around)
}

/**
 * Where the end of a cut text begins: at most `most` characters before its end, but for the first word, which is whole
 * if `more` characters allow it; else it goes. A number is never torn: of "20 more" nobody should read "0 more".
 */
export function endOf(text: string, most: number, more = 0): number {
  const from = Math.max(0, text.length - most)
  for (let at = from; at >= Math.max(0, from - more); at--) if (!tears(text, at)) return at
  for (let at = from; at <= text.length - most / 2; at++) if (!tears(text, at)) return at
  // One long word: anywhere but in a number.
  let at = from
  while (at < text.length && inNumber.test(text.slice(at - 1, at + 2))) at++
  return at
}

/** A text cut in its middle to at most `width` characters: both ends of a name tell it apart. */
export function middleCut(text: string, width: number): string {
  if (text.length <= width) return text
  if (width < 4) return text.slice(0, width)
  const end = text.slice(endOf(text, width - 1 - Math.floor((width - 1) / 2)))
  return `${text.slice(0, width - 1 - end.length)}…${end}`
}

/** A moment of this machine's clock, to the minute: `2026-03-01 14:05`; with `exact` to the second. */
export function momentText(seconds: number | null | undefined, exact = false): string {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return NOTHING
  const date = new Date(seconds * 1000)
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  const time = [date.getHours(), date.getMinutes(), ...(exact ? [date.getSeconds()] : [])].map(two).join(':')
  return `${day} ${time}`
}
