/** A number and its unit never part at the end of a line, nor do "rank 2" and "step 3". */

const UNITS =
  /(\d) (?=(?:%|ns|us|ms|s|B|KiB|MiB|GiB|TiB|[KMGTP]?B\/s|[kMGTP]|[kMGTP]?FLOPS?|[MG]?Hz|W|J|SMs?|个|次|份|项|段|处|条)(?![\w/]))/g
/** A difference and its sign. */
const SIGNED = /([▲▼]) (?=\d)/g
const NUMBERED = /(^|[^-\w])((?:[Rr]anks?|[Ss]teps?|[Ss]tream|[GN]PU|CPU|迭代|流|进程) )(?=\d)/g

/** A text with no-break spaces where a line must not end. */
export function bound(text: string): string {
  return text
    .replace(UNITS, '$1\u00a0')
    .replace(SIGNED, '$1\u00a0')
    .replace(NUMBERED, (_, before: string, noun: string) => `${before}${noun.trimEnd()}\u00a0`)
}
