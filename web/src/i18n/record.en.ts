/** Texts of the page about how to record, in English. */

import type { Question, Way, When } from '../model/record_command.ts'

export const recordEn = {
  record: {
    means:
      'How to get a recording that answers your question. Every answer says what it gives and what it costs; the command ' +
      'at the right does it.',
    copy: 'Copy',
    copyCode: 'Copy code',
    way: 'How',
    ways: {
      launch: 'Start a job',
      running: 'A running job',
      code: 'In your code',
    } satisfies Record<Way, string>,
    waySays: {
      launch: 'The script is not changed, and stepscope need not be installed where torch is.',
      running:
        'How a running job is reached depends on how it was started; no process is signalled that does not expect it.',
      code: 'A block of the loop is recorded. For Lightning, transformers and accelerate see docs/in-code.md.',
    } satisfies Record<Way, string>,
    when: 'Which steps?',
    whens: {
      steady: { name: 'Steps 23 to 28', says: 'after compilation and warm-up; the usual choice' },
      early: { name: 'Steps 3 to 5', says: 'for short jobs' },
      periodic: { name: 'Steps 13 to 15, and again every 1,000', says: 'one file each, at most 50' },
      demand: {
        name: 'When I ask',
        says: 'nothing until you click on Live or run stepscope attach; as often as you like',
      },
    } satisfies Record<When, { name: string; says: string }>,
    questions: {
      stack: {
        name: 'Do you need lines of your code and modules?',
        gives: 'Lines, modules, Python work.',
        costs: 'Twice the events: while recording, a host-bound step takes about 1.6x as long instead of 1.3x.',
      },
      shapes: {
        name: 'Do you need operators by shape?',
        gives: 'Roofline, MFU, tensor cores, loops over parameters.',
        costs: 'A larger file, and stopping takes longer.',
      },
      memory: {
        name: 'Do you need memory over time?',
        gives: 'Memory over time and its peak, by line and operator.',
        costs: 'An event for each allocation and release.',
      },
      history: {
        name: 'Do you need every block of CUDA memory?',
        gives: 'A snapshot of the allocator: blocks alive at the peak, fragmentation, growth.',
        costs: 'The last 200,000 allocations with their Python stacks are kept while recording.',
      },
      telemetry: {
        name: 'Do you need power, clocks, cores and workers?',
        gives:
          'GPUs, cores, memory and the data loader’s workers: on Telemetry, on the timeline, and on Live while the job runs.',
        costs: '0.4 to 1 % of a core, in a process of its own.',
      },
      two_pass: {
        name: 'Do you need exact times and all details?',
        gives: 'A light window for the times, and ten steps later three steps with all of the above.',
        costs: 'The profiler is stopped twice, which delays one step each time.',
      },
    } satisfies Record<Question, { name: string; gives: string; costs: string }>,
    costs: 'Costs',
    named: (name: string) => `${name}: `,
    ranks: 'Only these ranks',
    ranksAll: 'all',
    ranksWrong: 'Write ranks as 0,7.',
    command: 'Command of the job',
    folder: 'Folder of the recording',
    folderNote: (root: string) => `What lies below ${root} appears under Runs.`,
    folderOwn: 'A job started with stepscope record --on-demand records into the folder it was started with.',
    pid: 'Process ID (PID)',
    pidNote: 'Of the launcher, of torchrun, or of one rank.',
    result: { launch: 'Run this', running: 'Run this', code: 'Put this around your loop' } satisfies Record<
      Way,
      string
    >,
    then: {
      steady: 'The report is printed when the job ends, and the recording appears under Runs as soon as it is written.',
      code: 'A line at the end says what was recorded; it appears under Runs as soon as it is written.',
      demand: 'Then ask for a window on Live, where the job shows itself with its first step.',
    },
    toLive: 'Live',
    demandInCode: 'From code, recording cannot be triggered later: this records steps 23 to 28.',
    running: [
      { name: 'Started with stepscope record --on-demand', says: 'its next 6 steps are recorded' },
      {
        name: 'Started with KINETO_USE_DAEMON=1',
        says: 'recorded through Kineto, which looks for a daemon every five seconds; steps are not timed without the profiler',
      },
      { name: 'Any other', says: 'py-spy, where it is installed, samples its Python stacks: no operators and no GPU' },
    ],
    runningNow: 'Jobs ready to record',
    checks: 'Is this machine ready?',
    checksOf: 'The checks of stepscope doctor, where this server runs, with the python on its PATH.',
    status: { ok: 'ok', warning: 'warning', failed: 'failed', not_applicable: 'not applicable' },
    allReady: 'Everything that recording needs is here.',
    notReady: (failed: string) => `Recording will not work here before this is fixed: ${failed}`,
    otherPython: 'Of another interpreter: stepscope doctor --python PATH',
  },
}

export type RecordWords = typeof recordEn
