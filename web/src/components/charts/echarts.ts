/**
 * The parts of ECharts that the app uses. Import it with `import()` only: it is larger than the rest of the app.
 *
 * No locale is registered: every text comes from the app's own words, none from ECharts.
 */

import { BarChart, LineChart, ScatterChart, TreemapChart } from 'echarts/charts'
import { GridComponent } from 'echarts/components'
import { init, use } from 'echarts/core'
import { CanvasRenderer, SVGRenderer } from 'echarts/renderers'

use([BarChart, LineChart, ScatterChart, TreemapChart, GridComponent, CanvasRenderer, SVGRenderer])

export { init }
export type { EChartsType } from 'echarts/core'
