/** Names of a recording that would not be seen. */

const SEEN = /[^\s\p{Z}\p{Cc}\p{Cf}]/u

/** Whether anything of a name shows. */
export function isSeen(name: string): boolean {
  return SEEN.test(name)
}

/** Signs that show nothing and turn or hide what stands around them: controls, directions, marks. Joiners are letters' own. */
const HIDDEN = /(?![\u200c\u200d\t\n\r])[\p{Cc}\p{Cf}\u2028\u2029]/gu

/** A name with such signs written out, so that it looks like itself and turns nothing around it. */
export function visible(name: string): string {
  return name.replace(HIDDEN, escaped)
}

/** A name to show: blanks in quotes, so that two names of nothing but blanks are told apart from none and each other. */
export function shownName(name: string, empty: string): string {
  if (isSeen(name)) return visible(name.trim())
  return name === '' ? empty : JSON.stringify(name).replaceAll(/[\p{Cf}\u0080-\u009f]/gu, escaped)
}

function escaped(sign: string): string {
  return `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`
}
