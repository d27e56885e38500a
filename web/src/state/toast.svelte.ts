/** A short message at the bottom of the page: that something was copied, or could not be. */

const SHOWN_MS = 2500

export const toast: { text: string } = $state({ text: '' })

let timer: ReturnType<typeof setTimeout> | undefined

/** Show a message for a moment; read aloud too. */
export function say(text: string, shownMs = SHOWN_MS): void {
  clearTimeout(timer)
  toast.text = text
  timer = setTimeout(() => (toast.text = ''), shownMs)
}

/** Copy a text to the clipboard and say so. */
export async function copy(text: string, said: string, failed: string): Promise<void> {
  say((await copied(text)) ? said : failed)
}

async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // Served over plain HTTP from another machine there is no clipboard API: the old way still works there.
    return copiedFromField(text)
  }
}

function copiedFromField(text: string): boolean {
  const field = document.createElement('textarea')
  field.value = text
  field.style.position = 'fixed'
  document.body.append(field)
  field.select()
  const done = document.execCommand('copy')
  field.remove()
  return done
}
