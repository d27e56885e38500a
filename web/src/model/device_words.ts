/**
 * What GPUs are called: NPUs, where all that was recorded ran on such, as `messages/device_words.py` has it. Catalogues say
 * GPU. Names of a recording that are put into a text are never changed: only the words around them are looked at.
 */

const DEVICE = /\bGPU(?=s?\b)/g
const MODULE = /\btorch\.cuda\.(?=synchronize|empty_cache|Event)/g
const EVENTS = /\bCUDA (?=events\b)/g
const CALLS = /\bCUDA (?=calls\b|调用)/g

/** A catalogue of texts, or of functions that make some, in the words of NPUs. */
export function inNpuWords<T>(words: T, kept: readonly string[] = []): T {
  if (typeof words === 'string') return around(words, kept) as T
  if (typeof words === 'function') return spoken(words as (...given: unknown[]) => unknown) as T
  if (Array.isArray(words)) return words.map((one: unknown) => inNpuWords(one, kept)) as T
  if (words === null || typeof words !== 'object' || Object.getPrototypeOf(words) !== Object.prototype) return words
  return Object.fromEntries(Object.entries(words).map(([name, one]) => [name, inNpuWords<unknown>(one, kept)])) as T
}

/** A function whose texts are in the words of NPUs but for what it is given. */
function spoken(make: (...given: unknown[]) => unknown) {
  return (...given: unknown[]) => inNpuWords(make(...given), given.flatMap(namesIn))
}

function namesIn(given: unknown): string[] {
  if (typeof given === 'string') return given.includes('GPU') || given.includes('CUDA') ? [given] : []
  if (given === null || typeof given !== 'object') return []
  return Object.values(given).flatMap(namesIn)
}

/** A text with other words for the device, but for some parts of it. */
function around(text: string, kept: readonly string[]): string {
  const [first, ...others] = kept
  if (first !== undefined) {
    return text
      .split(first)
      .map((part) => around(part, others))
      .join(first)
  }
  const named = text.replace(DEVICE, 'NPU').replace(MODULE, 'torch.npu.')
  return named.replace(EVENTS, 'NPU ').replace(CALLS, 'CANN ')
}
