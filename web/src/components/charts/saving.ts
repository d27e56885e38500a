/** Give the user a file. */

export function saveText(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  saveUrl(name, url)
  setTimeout(() => URL.revokeObjectURL(url), 1000)
}

export function saveUrl(name: string, url: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
}

/** A picture of the page as a file of its own: colours of the theme written out, and what lies behind it. */
export function svgText(svg: SVGSVGElement | undefined): string {
  if (!svg) return ''
  const style = getComputedStyle(svg)
  const copy = svg.cloneNode(true) as SVGSVGElement
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  copy.setAttribute('font-family', style.fontFamily)
  copy.setAttribute('style', `background: ${style.getPropertyValue('--back')}`)
  const text = new XMLSerializer().serializeToString(copy)
  return text.replaceAll(/var\((--[\w-]+)\)/g, (_, name: string) => style.getPropertyValue(name).trim())
}
