/** Signs of 16 x 16 as SVG paths, drawn by `components/Icon.svelte` in the colour of the text around them. */

export const ICONS = {
  close: 'M4 4l8 8M12 4l-8 8',
  search: 'M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9M10.4 10.4L14 14',
  light:
    'M8 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6M8 1.2v1.5M8 13.3v1.5M1.2 8h1.5M13.3 8h1.5M3.2 3.2l1 1M11.8 11.8l1 1M12.8 3.2l-1 1M4.2 11.8l-1 1',
  dark: 'M13 9.6A5.6 5.6 0 0 1 6.4 3a5.6 5.6 0 1 0 6.6 6.6z',
  system: 'M2 3h12v8H2zM6 14h4M8 11v3',
  help: 'M8 1.8a6.2 6.2 0 1 1 0 12.4A6.2 6.2 0 0 1 8 1.8M6.2 6.2a1.8 1.8 0 1 1 2.6 1.6c-.6.3-.8.7-.8 1.4M8 11.3v.1',
  down: 'M4.5 6.5L8 10l3.5-3.5',
  legend: 'M2.5 4h3M2.5 8h3M2.5 12h3M7.5 4h6M7.5 8h6M7.5 12h6',
  grid: 'M2.5 2.5h11v11h-11zM2.5 6.2h11M2.5 9.8h11M6.2 2.5v11M9.8 2.5v11',
  bars: 'M3 13.5V6M6.3 13.5V3M9.6 13.5V8M13 13.5V4.5',
  runs: 'M2.5 4h11M2.5 8h11M2.5 12h7',
  verdict: 'M2 9h3l2-6 3 10 2-6 .7 2H14',
  what_if: 'M2.5 4.5h4M9.5 4.5h4M6.5 2.5v4M2.5 11.5h7M12.5 11.5h1M9.5 9.5v4',
  timeline: 'M2 3.5h6M5 6.5h7M3 9.5h4M8.5 9.5h5M6 12.5h6',
  operators: 'M8 2l5.2 3v6L8 14l-5.2-3V5zM2.8 5L8 8l5.2-3M8 8v6',
  kernels: 'M4.5 4.5h7v7h-7zM6.5 2v2.5M9.5 2v2.5M6.5 11.5V14M9.5 11.5V14M2 6.5h2.5M2 9.5h2.5M11.5 6.5H14M11.5 9.5H14',
  modules: 'M2.5 2.5h4v4h-4zM9.5 9.5h4v4h-4zM9.5 4.5h4M4.5 6.5v5h5',
  step_trace: 'M2 13V9h4V5.5h4V2.5h4',
  idle: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2M6.5 6v4M9.5 6v4',
  launches: 'M3 13c0-5 3-9 10-10-1 7-5 10-10 10zM3 13l5-5',
  memory: 'M2 4.5h12v6H2zM4.5 10.5v2M8 10.5v2M11.5 10.5v2M5 6.5v2M8 6.5v2M11 6.5v2',
  data_loading: 'M8 2v7M5 6.5L8 9.5l3-3M2.5 10v3.5h11V10',
  roofline: 'M2.5 2v11.5H14M3.5 11.5L8 5.5h6',
  communication: 'M3.5 8h9M5.5 5.5L3 8l2.5 2.5M10.5 5.5L13 8l-2.5 2.5',
  ranks: 'M2.5 2.5h4.5v4.5H2.5zM9 2.5h4.5v4.5H9zM2.5 9h4.5v4.5H2.5zM9 9h4.5v4.5H9z',
  files: 'M4 2h5l3.5 3.5V14H4zM9 2v3.5h3.5',
  health: 'M8 2l5 2v4c0 3-2 5-5 6-3-1-5-3-5-6V4zM5.8 8l1.6 1.6 2.8-3',
  tables: 'M2.5 3h11v10h-11zM2.5 6.3h11M2.5 9.7h11M6.5 6.3V13',
}
export type IconName = keyof typeof ICONS
