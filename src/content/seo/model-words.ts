import { modelMarksIn } from '../../platform/lib/model-marks.ts'
import { clip } from '../../platform/lib/text.ts'
import { assistantWordsIn } from './assistant-words.ts'
import { type Check, named } from './checks.ts'
import { compareLanguage } from './language.ts'

/** Longest excerpt in a finding. */
const SHOWN = 80

/** Returns a mark with its private characters as numbers, since no font shows them. */
const shownMark = (mark: string): string =>
  mark.replace(/[\ue000-\uf8ff]/g, (sign) => `U+${sign.charCodeAt(0).toString(16).toUpperCase()}`)

/** Numbers in brackets: `[1]`, `[2, 3]`. */
const NUMBERS = /^[\s\d[\]^,–-]+$/

/**
 * Fails for marks with which models name their sources. Numbers in brackets are none if they are links, or if the article has a
 * list of them.
 */
export const modelMarks: Check = ({ passages, links }, { title, metaDescription, byWriter }) => {
  const linked = new Set(links.map(({ text }) => text))
  const isListed = passages.some((passage) => /^\[\^?\d{1,3}\]\s*\S/.test(passage))
  const marks = [title, metaDescription, ...passages]
    .flatMap(modelMarksIn)
    .filter((mark) => !linked.has(mark) && !(isListed && NUMBERS.test(mark)))
  if (marks.length === 0) return null
  return {
    ...(byWriter ? { severity: 'error' as const } : {}),
    message: `The text has marks with which models name their sources: ${named([...new Set(marks.map(shownMark))])}.`,
    fix: 'Delete the marks, or link to the sources.',
  }
}

/** Fails for paragraphs that a model addresses to its user, and for places that somebody has to fill in. */
export const assistantWords: Check = ({ passages }, { title, metaDescription, byWriter }) => {
  const found = assistantWordsIn([title, metaDescription, ...passages])
  if (found.length === 0) return null
  return {
    ...(byWriter ? { severity: 'error' as const } : {}),
    message: `The text has words of a model to its user, or a place to fill in: ${named(found.map((one) => clip(one, SHOWN)))}.`,
    fix: 'Delete these words, or write what belongs there.',
  }
}

/** Fails if the text is in another language than the project. Does not apply if the language cannot be told. */
export const languageOfText: Check = ({ passages }, { language, byWriter }) => {
  const found = compareLanguage(passages.join(' '), language)
  if (found.kind !== 'other') return found.kind === 'own' ? null : 'not_applicable'
  return {
    ...(byWriter ? { severity: 'error' as const } : {}),
    message: `The text is in ${found.other}, but the project’s language is ${language}.`,
    fix: `Write the article in ${language}, or change the language of the project.`,
  }
}
