/** How wide the columns of a table are, from their texts: no measuring, so that nothing moves when a table is drawn. */

/** Width of a text in px at 12 px: Latin letters are about half as wide as Chinese ones. */
export function textWidth(text: string): number {
  let width = 0
  for (const sign of text) width += (sign.codePointAt(0) ?? 0) >= 0x2e80 ? 12.2 : 7.1
  return width
}

export interface Width {
  /** Never narrower. */
  least: number
  /** Room that it takes when there is any. */
  most: number
}

const [PADDING, TEXT_LEAST, FIRST_LEAST, TEXT_MOST, SHORT] = [20, 160, 290, 900, 110]

/** Width of a heading in two lines: half of it, but no word is cut. */
function headingWidth(title: string): number {
  const words = title.split(/[\s,]+/).map(textWidth)
  return Math.max(...words, words.length > 1 || /[\u2e80-\uffff]/.test(title) ? textWidth(title) * 0.62 : 0) + 16
}

/** Room for some texts, and `more` px behind them, under a heading; texts of names may be cut, numbers never. */
export function widthOf(texts: Iterable<string>, title: string, textual: boolean, first: boolean, more = 0): Width {
  let widest = 0
  for (const text of texts) widest = Math.max(widest, textWidth(text.length > 300 ? text.slice(0, 300) : text))
  const whole = Math.max(widest + more, headingWidth(title), 24) + PADDING
  // Digits are the widest of small letters, and in wide system fonts wider than guessed above.
  const number = whole + 0.1 * widest
  if (!textual) return { least: number, most: number }
  // A word cut by one letter looks like a mistake; long names are cut anyhow.
  const text = widest < SHORT ? number : whole
  return { least: Math.min(text, first ? FIRST_LEAST : TEXT_LEAST), most: Math.min(text, TEXT_MOST) }
}

/** `grid-template-columns` of all rows: columns grow up to their most, what is left over stays empty on the right. */
export function gridTemplate(widths: Width[]): string {
  return `${widths.map(({ least, most }) => `minmax(${Math.ceil(least)}px, ${Math.ceil(most)}px)`).join(' ')} 1fr`
}
