import { withoutModelMarks } from '../../platform/lib/model-marks.ts'
import { readEvents } from './events.ts'
import { applyEdits, type Edit } from './tags.ts'

/** Elements whose text may show such marks on purpose. */
const CODE = new Set(['code', 'kbd', 'samp', 'tt', 'pre'])

/** Returns HTML without the marks of a model's sources, except in code. `all`: also numbers in brackets outside of links. */
export const withoutMarksInHtml = (html: string, all = false): string => {
  const edits: Edit[] = []
  const open: string[] = []
  let code = 0
  let links = 0
  for (const event of readEvents(html)) {
    if (event.kind === 'open' && !event.isLeaf) {
      open.push(event.tag.name)
      if (CODE.has(event.tag.name)) code += 1
      if (event.tag.name === 'a') links += 1
    } else if (event.kind === 'close') {
      const name = open.pop() ?? ''
      if (CODE.has(name)) code -= 1
      if (name === 'a') links -= 1
    } else if (event.kind === 'text' && event.mode === 'text' && code === 0) {
      const { start, end } = event
      const given = html.slice(start, end)
      const text = withoutModelMarks(given, all && links === 0)
      if (text !== given) edits.push({ start, end, text })
    }
  }
  return applyEdits(html, edits)
}
