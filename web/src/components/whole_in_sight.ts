/** Keeps whole what has the focus or is chosen: a card, a figure, a row, not half of it at the edge of the page. */

/** What is read as one. */
const ITEMS = '[role="row"], tr, figure, article, li'

/** The thing that an element belongs to, the largest that has room on the page. */
function itemOf(one: Element, page: Element): Element {
  let item = one
  for (let at = one.closest(ITEMS); at && page.contains(at); at = at.parentElement?.closest(ITEMS) ?? null)
    if (at.getBoundingClientRect().height <= page.clientHeight) item = at
  return item
}

/**
 * Scroll the page so far that all of the item around an element is in sight; not at all where it is. The element itself
 * is, too, where its item is wider than what a dock at the right leaves.
 */
export function bringWhole(one: Element): void {
  const page = one.closest('main')
  if (page) for (const each of [itemOf(one, page), one]) each.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

/** What the keyboard reaches shows whole; a pointer's target must not move while it is pressed. */
export function wholeOnFocus(event: FocusEvent): void {
  if (event.target instanceof Element && event.target.matches(':focus-visible')) bringWhole(event.target)
}
