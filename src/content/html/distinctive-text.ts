import { decodeReferences } from './references.ts'

/** Shorter runs of text may be in any page. */
const MIN_LENGTH = 20
const MAX_LENGTH = 120

const spaced = (text: string): string => decodeReferences(text).replace(/\s+/g, ' ').trim()

/** Returns the longest run of text within a piece of HTML, by which a page that shows it is known; undefined where all are short. */
export const distinctiveRun = (html: string): string | undefined =>
  html
    .split(/<[^<>]*>/)
    .map(spaced)
    .filter((run) => run.length >= MIN_LENGTH)
    .sort((a, b) => b.length - a.length)[0]
    ?.slice(0, MAX_LENGTH)

/** Returns the text of a page as `distinctiveRun` reads it. */
export const runText = (page: string): string => spaced(page.replace(/<[^<>]*>/g, ''))
