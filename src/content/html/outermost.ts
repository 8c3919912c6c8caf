import { type HtmlEvent, readEvents } from './events.ts'

/** Beginning and end of an element in the source. */
export type Place = { name: string; start: number; end: number }

/**
 * Returns the outermost elements of these names, in order. Those within an element that `isTaken` knows are left out.
 */
export const outermost = (
  html: string,
  names: ReadonlySet<string>,
  isTaken: (event: HtmlEvent & { kind: 'open' }) => boolean = () => false,
): Place[] => {
  const places: Place[] = []
  /** Of each open element: whether it is within one that counts already, or where it counts itself. */
  const open: ('no' | 'within' | number)[] = []
  for (const event of readEvents(html)) {
    if (event.kind === 'open' && !event.isLeaf) {
      const isWithin = (open.at(-1) ?? 'no') !== 'no'
      const counts = !isWithin && names.has(event.tag.name)
      open.push(counts ? event.tag.start : isWithin || isTaken(event) ? 'within' : 'no')
    } else if (event.kind === 'close') {
      const start = open.pop()
      if (typeof start === 'number') places.push({ name: event.name, start, end: event.end })
    }
  }
  return places
}

/** Returns the source with something written before and after each place. */
export const wrapPlaces = (html: string, places: readonly Place[], before: string, after: string): string => {
  let at = 0
  const parts = places.map(({ start, end }) => {
    const part = `${html.slice(at, start)}${before}${html.slice(start, end)}${after}`
    at = end
    return part
  })
  return parts.join('') + html.slice(at)
}
