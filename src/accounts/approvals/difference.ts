import { diffArrays } from 'diff'
import type { Proposed } from '../../../schema/values/approvals.ts'

/** Changes that a mail shows, characters of each side of one, and words before it. */
const MOST_CHANGES = 12
const MOST_OF_CHANGE = 200
const CONTEXT = 4
/** Characters that a mail shows of content that is new. */
const MOST_OF_NEW = 400
/** From so many changed words on the versions have so little in common that they are not compared. */
const MAX_EDITS = 4_000

const REFERENCES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': ' ',
  '&amp;': '&',
}

const wordsOfHtml = (html: string): string =>
  html.replace(/<[^<>]*>/g, ' ').replace(/&(?:lt|gt|quot|#39|nbsp|amp);/g, (reference) => REFERENCES[reference] ?? '')

const textOf = ({ body, format }: Proposed): string => (format === 'html' ? wordsOfHtml(body) : body)

const wordsOf = (text: string): string[] => text.match(/\S+/g) ?? []

const short = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1).trimEnd()}…` : text

/** Returns content that is new in plain text: its beginning, and what goes out with it. */
const beginningOf = (proposed: Proposed): string => {
  const text = wordsOf(textOf(proposed)).join(' ')
  const also = Object.entries(proposed.fields).map(
    ([name, value]) => `${name}: ${short(wordsOf(value).join(' '), MOST_OF_CHANGE)}`,
  )
  return [short(text, MOST_OF_NEW), ...also].filter((line) => line !== '').join('\n')
}

/** Returns the changed words of one text, a line for each run of them; undefined if the texts have little in common. */
const linesOf = (live: string, proposed: string, name = ''): string[] | undefined => {
  const runs = diffArrays(wordsOf(live), wordsOf(proposed), { maxEditLength: MAX_EDITS })
  if (!runs) return undefined
  let before = name
  return runs.flatMap(({ added, removed, value }) => {
    if (added || removed) return [`${added ? '+' : '-'} ${before}${short(value.join(' '), MOST_OF_CHANGE)}`]
    before = `${name}… ${value.slice(-CONTEXT).join(' ')} `
    return []
  })
}

/**
 * Returns what is different from the version that readers see, in plain text: removed words after `-`, added ones after `+`. Of content
 * that is new, its beginning.
 */
export const changesInWords = (proposed: Proposed, live: Proposed | null): string => {
  if (live === null) return beginningOf(proposed)
  const names = Object.keys({ ...live.fields, ...proposed.fields })
  const parts = [
    linesOf(live.title, proposed.title),
    linesOf(textOf(live), textOf(proposed)),
    ...names.map((name) => linesOf(live.fields[name] ?? '', proposed.fields[name] ?? '', `${name}: `)),
  ]
  if (parts.includes(undefined)) return `Most of it is different. It now begins:\n${beginningOf(proposed)}`
  const lines = parts.flatMap((part) => part ?? [])
  if (lines.length === 0) return 'The words are the same; pictures, links or the form of the text change.'
  const more = lines.length - MOST_CHANGES
  return [...lines.slice(0, MOST_CHANGES), ...(more > 0 ? [`and ${more} more`] : [])].join('\n')
}
