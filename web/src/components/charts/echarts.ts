/**
 * The parts of ECharts that the app uses. Import it with `import()` only: it is larger than the rest of the app.
 *
 * No locale is registered: every text comes from the app's own words, none from ECharts.
 */

import { BarChart, LineChart, ScatterChart, TreemapChart } from 'echarts/charts'
import { GridComponent } from 'echarts/components'
import { init, use } from 'echarts/core'
import { CanvasRenderer, SVGRenderer } from 'echarts/renderers'
import LRU from 'zrender/lib/core/LRU.js'

use([BarChart, LineChart, ScatterChart, TreemapChart, GridComponent, CanvasRenderer, SVGRenderer])

// ECharts keeps the widths of texts under the texts themselves, in a plain object: an operator named `__proto__` was
// found there without having been put, and every object of the page got its links. No key is a name that objects have.
const { get, put } = LRU.prototype
LRU.prototype.get = function (key) {
  return get.call(this, ` ${key}`) as unknown
}
LRU.prototype.put = function (key, value) {
  return put.call(this, ` ${key}`, value) as unknown
}

export { init }
export type { EChartsType } from 'echarts/core'
