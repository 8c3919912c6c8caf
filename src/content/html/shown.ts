import { readEvents } from './events.ts'
import { decodeReferences } from './references.ts'

const PICTURES = new Set(['img', 'iframe', 'video', 'picture', 'table'])

/** True if HTML shows any text that is not blank. */
export const showsText = (html: string): boolean => {
  for (const event of readEvents(html))
    if (
      event.kind === 'text' &&
      event.mode === 'text' &&
      /\S/.test(decodeReferences(html.slice(event.start, event.end)))
    )
      return true
  return false
}

/** True if HTML shows anything: text, a picture, a video or a table. */
export const showsContent = (html: string): boolean => {
  for (const event of readEvents(html)) if (event.kind === 'open' && PICTURES.has(event.tag.name)) return true
  return showsText(html)
}

/** Returns the words of HTML without its tags, one blank apart where a tag stood. */
export const shownWords = (html: string): string[] => {
  const texts: string[] = []
  for (const event of readEvents(html))
    if (event.kind === 'text' && event.mode === 'text') texts.push(decodeReferences(html.slice(event.start, event.end)))
  return texts
    .join(' ')
    .split(/\s+/)
    .filter((word) => word !== '')
}
