import { clip } from '../../platform/lib/text.ts'
import type { Illustrations } from '../articles/writing-brief.ts'
import { applyEdits, type Edit } from '../html/edits.ts'
import { readEvents } from '../html/events.ts'
import { escapeAttribute } from '../html/references.ts'
import { parseFragment, textOf } from '../html/tree.ts'

/** A picture that is hosted, and what it shows in words. */
export type Placed = { url: string; width: number; height: number; alt: string }

/** Sections that get a picture; later ones go without. */
const MAX_SECTIONS = 6
const MAX_ALT = 300

/** A heading's words, where it begins and where it ends. */
type Section = { heading: string; start: number; end: number }

/** Returns the major sections of an article (h2) with the place behind their heading. */
export const sectionsIn = (html: string): Section[] => {
  const sections: Section[] = []
  let [start, from] = [-1, -1]
  for (const event of readEvents(html)) {
    if (event.kind === 'open' && event.tag.name === 'h2') [start, from] = [event.tag.start, event.tag.end]
    if (event.kind !== 'close' || event.tag?.name !== 'h2' || from < 0) continue
    const heading = textOf(parseFragment(html.slice(from, event.tag.start))).trim()
    sections.push({ heading, start, end: event.tag.end })
    from = -1
  }
  return sections.filter(({ heading }) => heading !== '').slice(0, MAX_SECTIONS)
}

/** Returns the description of a picture, for those who do not see it. */
export const altOf = (text: string): string => clip(text.replace(/\s+/g, ' ').trim(), MAX_ALT)

type Subject = { title: string; keyword: string; heading?: string }

/** Returns the prompt for a picture. The project's own text is last, so that it overrides the rest. */
export const promptOf = ({ title, keyword, heading }: Subject, illustrations: Illustrations): string =>
  [
    heading === undefined
      ? `The feature picture of an article titled "${title}" about ${keyword}.`
      : `A picture for the section "${heading}" of an article titled "${title}" about ${keyword}.`,
    'Landscape. It shows what the text is about. No words, letters, numbers, logos or watermarks in it.',
    illustrations.brandColor === undefined ? '' : `Use ${illustrations.brandColor} as an accent colour.`,
    illustrations.style === '' ? '' : `Style: ${illustrations.style}.`,
    illustrations.instructions,
  ]
    .filter((line) => line.trim() !== '')
    .join('\n')

const markup = ({ url, width, height, alt }: Placed): string =>
  `<figure><img src="${escapeAttribute(url)}" alt="${escapeAttribute(alt)}" width="${width}" height="${height}" loading="lazy"></figure>`

/** Returns the article with pictures behind the headings of its sections, in their order; undefined where a section has none. */
export const withPictures = (html: string, pictures: readonly (Placed | undefined)[]): string => {
  const edits = sectionsIn(html).flatMap(({ end }, index): Edit[] => {
    const picture = pictures[index]
    return picture ? [{ start: end, end, text: markup(picture) }] : []
  })
  return applyEdits(html, edits)
}
