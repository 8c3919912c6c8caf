import type { SeoReport } from '../../../../schema/values/seo.ts'
import { decodeReferences } from '../../../content/html/references.ts'
import { shownWords } from '../../../content/html/shown.ts'

type Failure = SeoReport['failed'][number]

/** A passage of the text in which a check found something: what is before it, the place, and what follows. */
export type Place = { before: string; found: string; after: string }

const AROUND = 60
const MOST = 5

/** Returns the words of HTML, and after them the addresses of its links and pictures. */
const readable = (html: string): string => {
  const addresses = [...html.matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, address = '']) => decodeReferences(address))
  return [...shownWords(html), ...addresses].join(' ')
}

/** Returns the passages that a finding names in quotation marks, at most five. */
export const placesOf = (html: string, { message }: Pick<Failure, 'message'>): Place[] => {
  const named = [...message.matchAll(/"([^"]{2,80})"/g)].map(([, words = '']) => words.replace(/…$/, ''))
  if (named.length === 0) return []
  const text = readable(html)
  const lower = text.toLowerCase()
  return named
    .flatMap((words) => {
      const at = lower.indexOf(words.toLowerCase())
      if (at === -1) return []
      const end = at + words.length
      return [
        {
          before: `${at > AROUND ? '…' : ''}${text.slice(Math.max(0, at - AROUND), at)}`,
          found: text.slice(at, end),
          after: `${text.slice(end, end + AROUND)}${end + AROUND < text.length ? '…' : ''}`,
        },
      ]
    })
    .slice(0, MOST)
}
