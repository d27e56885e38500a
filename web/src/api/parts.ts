/** The data inside a report: elements that hold gzip as base64, unpacked when they are first asked for. */

const PREFIX = 'stepscope-'

function element(name: string): HTMLElement | null {
  return document.getElementById(PREFIX + name)
}

/** Whether this page is a report with data. */
export function hasPart(name: string): boolean {
  return element(name) !== null
}

type FromBase64 = { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> }

/** Bytes of base64; newer browsers do it by themselves. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const quick = (Uint8Array as FromBase64).fromBase64
  if (quick) return quick.call(Uint8Array, text)
  const binary = atob(text)
  const bytes = new Uint8Array(binary.length)
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i)
  return bytes
}

function unpacked(name: string): Response {
  const found = element(name)
  if (!found) throw new Error(`the report has no part ${name}`)
  const bytes = fromBase64((found.textContent ?? '').trim())
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')))
}

/** Bytes of a part. */
export function partBytes(name: string): Promise<ArrayBuffer> {
  return unpacked(name).arrayBuffer()
}

/** A part that is JSON. */
export async function partJson<T>(name: string): Promise<T> {
  return (await unpacked(name).json()) as T
}

/** Remembers what was unpacked. Of a failure nothing is remembered. */
export class Kept<T> {
  readonly #known = new Map<string, Promise<T>>()
  readonly #make: (name: string) => Promise<T>

  constructor(make: (name: string) => Promise<T>) {
    this.#make = make
  }

  get(name: string): Promise<T> {
    const known = this.#known.get(name)
    if (known) return known
    const made = this.#make(name)
    this.#known.set(name, made)
    made.catch(() => this.#known.delete(name))
    return made
  }
}
