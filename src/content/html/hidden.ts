import { attributesOf } from './attributes.ts'
import { applyEdits, type Edit } from './edits.ts'
import { readEvents } from './events.ts'

/**
 * Returns a fragment without the elements that have the attribute `hidden`, whatever its value.
 *
 * Sites that keep the words of HTML without its attributes would show them.
 */
export const withoutHidden = (html: string): string => {
  if (!/hidden/i.test(html)) return html
  const edits: Edit[] = []
  /** Number of open elements within the hidden one, including itself. */
  let within = 0
  let start = 0
  for (const event of readEvents(html)) {
    if (event.kind === 'open' && within > 0) within += event.isLeaf ? 0 : 1
    else if (event.kind === 'open' && attributesOf(html, event.tag).has('hidden')) {
      start = event.tag.start
      if (event.isLeaf) edits.push({ start, end: event.tag.end, text: '' })
      else within = 1
    } else if (event.kind === 'close' && within > 0) {
      within -= 1
      if (within === 0) edits.push({ start, end: event.end, text: '' })
    }
  }
  return applyEdits(html, edits)
}
