/** A chart's numbers as CSV, unrounded. */

import type { ChartModel } from './chart.ts'
import { csvText, type CsvCell } from './csv.ts'

export function chartCsv(model: ChartModel): string {
  if (model.kind === 'bars') {
    const header = [model.categoryTitle, ...model.series.map((series) => series.name)]
    const rows = model.categories.map((name, i): CsvCell[] => [
      name,
      ...model.series.map((series) => series.values[i] ?? null),
    ])
    return csvText([header, ...rows])
  }
  if (model.kind === 'scatter') {
    const names = [...new Set(model.points.flatMap((point) => point.details.map(([name]) => name)))]
    const rows = model.points.map((point): CsvCell[] => {
      const details = new Map(point.details)
      return [point.name, point.group, point.x, point.y, ...names.map((name) => details.get(name) ?? null)]
    })
    return csvText([['name', 'group', model.x.column, model.y.column, ...names], ...rows])
  }
  return csvText([['name', model.column], ...model.parts.map((part): CsvCell[] => [part.name, part.value])])
}
