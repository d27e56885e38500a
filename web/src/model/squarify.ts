/** A treemap's boxes: areas in proportion to values, each as near to a square as the order allows. */

export interface Rectangle {
  x: number
  y: number
  width: number
  height: number
}

/** The longest side over the shortest of the flattest box of a row of areas along a side. */
function flattest(areas: number[], side: number): number {
  const sum = areas.reduce((total, area) => total + area, 0)
  const depth = sum / side
  return Math.max(...areas.map((area) => Math.max(area / depth / depth, (depth * depth) / area)))
}

/**
 * A rectangle for each value, in their order, after the squarified treemaps of Bruls, Huizing and van Wijk (2000): boxes
 * are put side by side along the shorter side as long as that makes none of them flatter. Values are positive and
 * descend; together the boxes fill `width` x `height`.
 */
export function squarified(values: number[], width: number, height: number): Rectangle[] {
  const total = values.reduce((sum, value) => sum + value, 0)
  if (!(total > 0) || !(width > 0) || !(height > 0)) return values.map(() => ({ x: 0, y: 0, width: 0, height: 0 }))
  const areas = values.map((value) => (value / total) * width * height)
  const placed: Rectangle[] = []
  let rest: Rectangle = { x: 0, y: 0, width, height }
  while (placed.length < areas.length) {
    const side = Math.min(rest.width, rest.height)
    let row = areas.slice(placed.length, placed.length + 1)
    for (let next = placed.length + 1; next < areas.length; next++) {
      const longer = [...row, areas[next] ?? 0]
      if (flattest(longer, side) > flattest(row, side)) break
      row = longer
    }
    rest = putRow(row, rest, placed)
  }
  return placed
}

/** Put a row along the shorter side of what is left; returns what is left then. */
function putRow(row: number[], rest: Rectangle, placed: Rectangle[]): Rectangle {
  const upright = rest.width >= rest.height
  const depth = row.reduce((sum, area) => sum + area, 0) / (upright ? rest.height : rest.width)
  let along = upright ? rest.y : rest.x
  for (const area of row) {
    const length = depth > 0 ? area / depth : 0
    placed.push(
      upright
        ? { x: rest.x, y: along, width: depth, height: length }
        : { x: along, y: rest.y, width: length, height: depth },
    )
    along += length
  }
  return upright
    ? { ...rest, x: rest.x + depth, width: Math.max(0, rest.width - depth) }
    : { ...rest, y: rest.y + depth, height: Math.max(0, rest.height - depth) }
}
