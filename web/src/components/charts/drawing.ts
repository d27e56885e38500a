/** A chart on the page: ECharts behind the few things that the app asks of it. */

import type { BarChart, ChartModel, TreemapChart } from '../../model/chart.ts'
import { type Look } from '../../model/chart_look.ts'
import { optionOf } from '../../model/chart_option.ts'
import type { LineChart } from '../../model/line_chart.ts'
import type { EChartsType } from './echarts.ts'

type DrawnChart = ChartModel | LineChart

/** A rectangle in pixels of the plot. */
export interface Box {
  left: number
  top: number
  width: number
  height: number
}

/** The little of ECharts' inside that says where it has put the boxes; the first of its data is what holds them. */
interface Inside {
  getModel(): {
    getSeriesByIndex(at: number): { getData(): { getItemLayout(at: number): Layout | undefined } } | undefined
  }
}
type Layout = Record<'x' | 'y' | 'width' | 'height', number>

/** What `data` of an item carries, so that a mark under the pointer names its item. */
interface Marked {
  data?: { item?: number } | null
}

/** Width of the band behind the only bar of a chart. */
const SINGLE_BAND = 80

export class Drawing {
  private readonly chart: EChartsType
  private readonly load: typeof import('./echarts.ts')
  private model: DrawnChart | null = null
  private look: Look | null = null

  private constructor(load: typeof import('./echarts.ts'), element: HTMLElement) {
    this.load = load
    this.chart = load.init(element, null, { renderer: 'canvas' })
  }

  static async on(element: HTMLElement): Promise<Drawing> {
    return new Drawing(await import('./echarts.ts'), element)
  }

  show(model: DrawnChart, look: Look): void {
    this.model = model
    this.look = look
    this.draw()
  }

  /** The element has another size: there is room for more marks or fewer. */
  resize(): void {
    this.chart.resize()
    this.draw()
  }

  private draw(): void {
    if (!this.model || !this.look) return
    this.chart.setOption(optionOf(this.model, this.look, this.chart.getWidth()), { notMerge: true })
  }

  dispose(): void {
    this.chart.dispose()
  }

  /** Call `found` with the item that the pointer meets among marks, null when it leaves; not for bars. */
  onMark(found: (item: number | null) => void): void {
    this.chart.on('mouseover', (event) => this.model?.kind !== 'bars' && found((event as Marked).data?.item ?? null))
    this.chart.on('mouseout', () => this.model?.kind !== 'bars' && found(null))
  }

  /** The category at a place of the plot, for bars: all of its band counts, not the bar alone. */
  categoryAt(x: number, y: number): number | null {
    if (this.model?.kind !== 'bars' || !this.chart.containPixel('grid', [x, y])) return null
    const found = this.chart.convertFromPixel('grid', [x, y]) as number[]
    const category = Math.round(found[this.model.horizontal ? 1 : 0] ?? -1)
    return category >= 0 && category < this.model.categories.length ? category : null
  }

  /** Where an item lies: the band of a category, the surroundings of a point. */
  boxOf(item: number): Box | null {
    if (this.model?.kind === 'bars') return this.bandOf(this.model, item)
    if (this.model?.kind === 'treemap') return this.partOf(this.model, item)
    const point = this.model?.kind === 'scatter' ? this.model.points[item] : undefined
    if (!point) return null
    const [x = 0, y = 0] = this.chart.convertToPixel('grid', [point.x, point.y]) as number[]
    return { left: x - 18, top: y - 18, width: 36, height: 36 }
  }

  private partOf(model: TreemapChart, item: number): Box | null {
    if (!model.parts[item]) return null
    const series = (this.chart as unknown as Inside).getModel().getSeriesByIndex(0)
    const layout = series?.getData().getItemLayout(item + 1)
    return layout ? { left: layout.x, top: layout.y, width: layout.width, height: layout.height } : null
  }

  /** The moment at a place of the plot, null beside it; for lines. */
  momentAt(x: number, y: number): number | null {
    return this.chart.containPixel('grid', [x, y]) ? this.moment(x) : null
  }

  /** The moment so many pixels from the left edge. */
  moment(x: number): number {
    return this.chart.convertFromPixel({ xAxisIndex: 0 }, x) as unknown as number
  }

  /** Pixels from the left edge at which a moment lies. */
  left(moment: number): number {
    return this.chart.convertToPixel({ xAxisIndex: 0 }, moment) as unknown as number
  }

  private bandOf(model: BarChart, item: number): Box {
    const at = (category: number) => {
      const place = model.horizontal ? [0, category] : [category, 0]
      return (this.chart.convertToPixel('grid', place) as number[])[model.horizontal ? 1 : 0] ?? 0
    }
    const band = model.categories.length > 1 ? Math.abs(at(1) - at(0)) : SINGLE_BAND
    const from = at(item) - band / 2
    const { width, height } = { width: this.chart.getWidth(), height: this.chart.getHeight() }
    return model.horizontal
      ? { left: 0, top: from, width, height: band }
      : { left: from, top: 0, width: band, height: height - 26 }
  }

  /** The chart as a picture on the page's background: a data URL. */
  png(): string {
    return this.chart.getDataURL({ type: 'png', pixelRatio: 2, backgroundColor: this.look?.back ?? '#fff' })
  }

  /** The same as the text of an SVG file. */
  svg(): string {
    const size = { width: this.chart.getWidth(), height: this.chart.getHeight() }
    const paper = this.load.init(null, null, { renderer: 'svg', ssr: true, ...size })
    if (this.model && this.look)
      paper.setOption({ ...optionOf(this.model, this.look, size.width), backgroundColor: this.look.back })
    const text = paper.renderToSVGString()
    paper.dispose()
    // Control characters have no place in XML, not even escaped.
    return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '')
  }
}

/** Give an element its drawing as soon as ECharts is here, and null when it goes; returns what ends it. */
export function drawingOn(element: HTMLElement, give: (made: Drawing | null) => void): () => void {
  let [gone, made]: [boolean, Drawing | null] = [false, null]
  void Drawing.on(element).then((one) => {
    if (gone) return one.dispose()
    made = one
    give(one)
  })
  return () => {
    gone = true
    made?.dispose()
    give(null)
  }
}
