/** Names of a recording that would not be seen. */

const SEEN = /[^\s\p{Z}\p{Cc}\p{Cf}]/u

/** Whether anything of a name shows. */
export function isSeen(name: string): boolean {
  return SEEN.test(name)
}

/** A name to show: blanks in quotes, so that two names of nothing but blanks are told apart from none and each other. */
export function shownName(name: string, empty: string): string {
  if (isSeen(name)) return name.trim()
  return name === '' ? empty : JSON.stringify(name).replaceAll(/[\p{Cf}\u0080-\u009f]/gu, escaped)
}

function escaped(sign: string): string {
  return `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`
}
