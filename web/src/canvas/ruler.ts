/** The ruler: moments above, steps below. */

import { countText, timeText } from '../model/format.ts'
import { firstWhere } from '../model/binary_search.ts'
import { LABEL_FONT } from './labels.ts'
import type { Palette } from './palette.ts'
import type { Scale } from './timescale.ts'
import { type Viewport, xOf } from './viewport.ts'

export const RULER = 22
export const STEP_ROW = 18
/** CSS pixels of a step without room for its number. */
const LEAST_TEXT = 16

export interface Step {
  step: number
  start: number
  end: number
}

interface RulerScene {
  view: Viewport
  ratio: number
  palette: Palette
  scale: Scale
  steps: Step[]
  /** First and last chosen step. */
  chosen: readonly [number, number] | null
  area: readonly [number, number] | null
  marks: readonly (readonly [number, number])[]
  pointer: number | null
  /** "step" in the user's language, for wide ones. */
  stepWord: string
}

export function paintRuler(context: CanvasRenderingContext2D, scene: RulerScene): void {
  const { ratio, palette, view } = scene
  const height = RULER + (scene.steps.length ? STEP_ROW : 0)
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  context.fillStyle = palette.back
  context.fillRect(0, 0, view.width, height)
  context.font = LABEL_FONT
  context.textBaseline = 'middle'
  for (const mark of scene.marks) paintFlag(context, scene, mark)
  const label = scene.area && areaLabel(context, view, scene.area)
  for (const tick of scene.scale.ticks) {
    const x = Math.round(xOf(view, tick.at) * ratio) / ratio
    context.fillStyle = palette.strongLine
    context.fillRect(x, RULER - 6, 1, 6)
    context.fillStyle = palette.quiet
    // Half a number, at the edge or beside the area's length, would be another number.
    const end = x + 4 + context.measureText(tick.text).width
    if (x + 4 >= 0 && end <= view.width && !(label && end > label.left && x < label.right))
      context.fillText(tick.text, x + 4, RULER / 2 - 1)
  }
  if (scene.steps.length) paintSteps(context, scene)
  if (scene.area) paintArea(context, scene, scene.area, label, height)
  if (scene.pointer !== null) {
    context.fillStyle = palette.quiet
    context.fillRect(Math.round(scene.pointer), 0, 1, height)
  }
}

/** The length of an area as text, and where it stands; null without room for it. */
interface AreaLabel {
  text: string
  left: number
  right: number
}

function areaLabel(
  context: CanvasRenderingContext2D,
  view: Viewport,
  [start, end]: readonly [number, number],
): AreaLabel | null {
  const [left, right] = [xOf(view, start), xOf(view, end)]
  const text = timeText(end - start)
  const half = context.measureText(text).width / 2 + 4
  if (right - left < 2 * half) return null
  const middle = Math.min(Math.max((left + right) / 2, half), view.width - half)
  return { text, left: middle - half, right: middle + half }
}

function paintArea(
  context: CanvasRenderingContext2D,
  scene: RulerScene,
  [start, end]: readonly [number, number],
  label: AreaLabel | null,
  height: number,
): void {
  const [left, right] = [xOf(scene.view, start), xOf(scene.view, end)]
  context.globalAlpha = 0.18
  context.fillStyle = scene.palette.accent
  context.fillRect(left, 0, right - left, height)
  context.globalAlpha = 1
  if (!label) return
  context.fillStyle = scene.palette.back
  context.fillRect(label.left, 3, label.right - label.left, RULER - 7)
  context.fillStyle = scene.palette.accent
  context.fillText(label.text, label.left + 4, RULER / 2)
}

function paintFlag(context: CanvasRenderingContext2D, scene: RulerScene, mark: readonly [number, number]): void {
  context.fillStyle = scene.palette.accent
  for (const [moment, way] of [
    [mark[0], 1],
    [mark[1], -1],
  ] as const) {
    const x = Math.round(xOf(scene.view, moment))
    context.beginPath()
    context.moveTo(x, 2)
    context.lineTo(x + 7 * way, 5.5)
    context.lineTo(x, 9)
    context.fill()
    context.fillRect(x, 2, 1, RULER - 2)
  }
}

/** The first step that ends after a moment. */
export function stepAfter(steps: Step[], moment: number): number {
  return firstWhere(0, steps.length, (at) => (steps[at] as Step).end > moment)
}

/** The step at a moment. */
export function stepAt(steps: Step[], moment: number): Step | null {
  const step = steps[stepAfter(steps, moment)]
  return step && step.start <= moment ? step : null
}

function paintSteps(context: CanvasRenderingContext2D, scene: RulerScene): void {
  const { view, palette, steps, chosen } = scene
  const top = RULER
  let painted = -1
  for (let i = stepAfter(steps, view.start); i < steps.length; i++) {
    const { step, start, end } = steps[i] as Step
    if (start > view.end) break
    const left = Math.max(0, xOf(view, start))
    const right = Math.min(view.width, xOf(view, end))
    // Ten thousand steps on the screen: one mark a pixel.
    if (right <= painted) continue
    painted = Math.max(Math.ceil(right), painted + 1)
    const isChosen = chosen && step >= chosen[0] && step <= chosen[1]
    context.fillStyle = isChosen ? palette.accent : palette.row
    context.globalAlpha = isChosen ? 0.35 : 1
    context.fillRect(left, top + 1, Math.max(1, right - left - (right - left > 4 ? 1 : 0)), STEP_ROW - 3)
    context.globalAlpha = 1
    if (right - left < LEAST_TEXT) continue
    const text = right - left > 64 ? `${scene.stepWord} ${step}` : countText(step)
    if (context.measureText(text).width + 5 > right - left) continue
    context.fillStyle = palette.text
    context.fillText(text, left + 4, top + STEP_ROW / 2)
  }
}
