/** A canvas to draw on in CSS pixels, as sharp as the screen, and what its theme looks like. */

interface Canvas2d {
  g: CanvasRenderingContext2D
  /** A variable of the theme, such as `--back`. */
  variable: (name: string) => string
  /** Of small texts. */
  font: string
}

/** An empty sheet of some width and height; null while there is none. */
export function canvas2d(canvas: HTMLCanvasElement | undefined, width: number, height: number): Canvas2d | null {
  const g = canvas?.getContext('2d')
  if (!canvas || !g || width <= 0) return null
  const ratio = window.devicePixelRatio || 1
  canvas.width = Math.round(width * ratio)
  canvas.height = Math.round(height * ratio)
  g.scale(ratio, ratio)
  const style = getComputedStyle(canvas)
  return { g, variable: (name) => style.getPropertyValue(name).trim(), font: `11px ${style.fontFamily}` }
}
