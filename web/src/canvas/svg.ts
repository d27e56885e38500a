/** Texts of pictures that are saved as files. */

const SIGNS: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
/** What no XML may hold, escaped or not: a name of a recording may hold anything. */
const UNFIT = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu

/** A text for a file of XML. */
export function noted(text: string): string {
  return text.replaceAll(/[&<>"]/g, (sign) => SIGNS[sign] ?? sign).replaceAll(UNFIT, '\ufffd')
}
