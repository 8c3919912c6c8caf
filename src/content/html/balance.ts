import { applyEdits, type Edit } from './edits.ts'
import { readEvents } from './events.ts'

/** Elements whose end tags may be left out (HTML standard, 13.1.2.4). */
const OMITTABLE = new Set('li dt dd p rt rp thead tbody tfoot tr td th colgroup caption'.split(' '))
/** Elements that end without ending what is open in them: a paragraph in them goes on behind them (13.2.6.1). */
const FORMATTING = new Set('a b big code em font i nobr s small strike strong tt u'.split(' '))

/**
 * Closes the elements a fragment leaves open and removes end tags without a start.
 *
 * A fragment without faults stays byte for byte: each end tag ends the element opened last, or only end tags that HTML allows to
 * leave out are missing.
 */
export const balance = (html: string): { html: string; done: string[] } => {
  const edits: Edit[] = []
  const done = new Set<string>()
  const open: string[] = []
  let isNested = true
  let isLegal = true
  /** True if elements ended without a tag right before. */
  let isImplied = false
  const endTag = (name: string) => {
    if (open.at(-1) === name) open.pop()
    else isNested = false
  }
  for (const event of readEvents(html)) {
    if (event.kind === 'open') {
      if (!event.isLeaf) open.push(event.tag.name)
    } else if (event.kind === 'stray') {
      const { name, start, end } = event.tag
      endTag(name)
      isLegal = false
      edits.push({ start, end, text: '' })
      done.add(`</${name}> (it ended nothing)`)
    } else if (event.kind === 'close' && event.tag) {
      const { name, start, nameEnd } = event.tag
      endTag(name)
      if (isImplied && FORMATTING.has(name)) isLegal = false
      if (name !== event.name) {
        isLegal = false
        edits.push({ start: start + 2, end: nameEnd, text: event.name })
        done.add(`</${name}> (made </${event.name}>)`)
      }
    } else if (event.kind === 'close') {
      edits.push({ start: event.at, end: event.at, text: `</${event.name}>` })
      if (!OMITTABLE.has(event.name)) {
        isLegal = false
        done.add(`<${event.name}> left open (closed)`)
      }
    }
    isImplied = event.kind === 'close' && !event.tag
  }
  if (isLegal || (isNested && open.length === 0)) return { html, done: [] }
  return { html: applyEdits(html, edits), done: done.size > 0 ? [...done] : ['paragraphs left open (closed)'] }
}
