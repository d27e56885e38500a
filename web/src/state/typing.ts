/** Inputs that take arrows and the space bar only. */
const NO_TEXT = ['radio', 'checkbox', 'range']

/** Whether a key goes into a field, so that it is no command. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement) return !NO_TEXT.includes(target.type)
  return target.isContentEditable || ['TEXTAREA', 'SELECT'].includes(target.tagName)
}
