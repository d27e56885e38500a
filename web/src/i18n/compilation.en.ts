/** Texts of the page about compilation, in English. */

import type { CompileTotals } from '../model/chart_compilation.ts'
import { countText } from '../model/format.ts'
import { counted, noun } from './plural.ts'

export const compilationEn = {
  compilation: {
    definition:
      'From the logs of torch.compile. A guard is a condition under which a compiled function may be used; where none ' +
      'holds, it is compiled again. Compile time is paid once for each compilation: no steady step becomes shorter without it.',
    answer: (all: CompileTotals, lines: number) =>
      [
        `${counted(all.count, 'compilation')} took ${all.time}`,
        all.recompiles > 0 ? `${counted(all.recompiles, 'recompilation')} of them ${all.recompileTime}` : '',
        all.failed > 0 ? `${countText(all.failed)} failed` : '',
        lines > 0 ? `graphs break at ${counted(lines, 'line')}` : '',
      ]
        .filter(Boolean)
        .join('; ') + '.',
    byStep: 'Compile time by step',
    byStepSays: 'What compilations took that began in each step, by phase; by function where no step is known.',
    again: 'Compiled again',
    times: (count: number) => counted(count, 'recompilation'),
    inSteps: (steps: string) => `step ${steps}`,
    onRanks: (ranks: string) => `rank ${ranks}`,
    unnamed: 'a function without a name',
    because: 'This guard failed:',
    noReason: 'The log does not name the guard that failed.',
    moreReasons: (count: number) => `and ${counted(count, 'other guard')}`,
    limited: 'It reached the recompile limit and runs eagerly from then on.',
    more: (count: number) => `${countText(count)} more ${noun(count, 'function')} in the table below.`,
    breaks: 'Graph breaks',
    breaksAbout:
      'Lines at which a function could not be compiled as one graph. What that costs a step is not in the log.',
    recompiles: 'Recompilations',
    kernels: 'Lines of generated kernels',
    compilations: 'Compilations',
    chart: {
      step: 'step',
      function: 'function',
      time: 'compile time',
      outside: 'outside',
      undivided: 'not divided',
      recompiles: 'recompilations',
      total: 'total',
      parts: {
        dynamo_ns: 'Dynamo',
        autograd_ns: 'AOTAutograd',
        inductor_ns: 'Inductor',
        codegen_ns: 'code generation',
        kernels_ns: 'kernels compiled',
      },
    },
  },
}
