/** Stacks of the user's code as the tables write them. */

export interface Frame {
  function: string
  file: string | null
  line: number | null
}

/** `train.py(41): forward;train.py(55): step`, or a line for each frame, innermost first. What is no frame is kept as a function's name. */
export function parseStack(text: string | null | undefined): Frame[] {
  return (text ?? '').split(/[;\n]/).filter(Boolean).map(frameOf)
}

function frameOf(text: string): Frame {
  const match = /^(.*)\((\d+)\): (.*)$/s.exec(text.trim())
  return match
    ? { function: match[3] ?? '', file: match[1] ?? null, line: Number(match[2]) }
    : { function: text.trim(), file: null, line: null }
}

/** `train.py:41`, as the column `source` has it. */
export function parseSource(text: string | null | undefined): Frame | null {
  const match = /^(.+):(\d+)$/s.exec(text ?? '')
  return match ? { function: '', file: match[1] ?? null, line: Number(match[2]) } : null
}
