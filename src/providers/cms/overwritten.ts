import { collapse, escapeText } from '../../content/html/references.ts'
import { shownWords } from '../../content/html/shown.ts'
import { sentencesOf } from '../../platform/lib/sentences.ts'
import { clip } from '../../platform/lib/text.ts'
import type { CmsUpdate, CmsWords } from '../../publishing/target/cms-adapter.ts'
import type { SentWords } from '../../publishing/target/sent-words.ts'
import { sends } from './fields.ts'

/** A field whose words at the site are replaced, and those words. */
type Overwritten = { field: Field; was: string }

const MAX_SHOWN = 200
/** Characters of the text before a difference that are shown with it. */
const MAX_LEAD = 40
/** Sentences with fewer letters are ignored in a converted text: they come from labels that the CMS added. */
const MIN_LETTERS = 12
/** Number of sentences, from the first, that are searched in the other texts. */
const MAX_SOUGHT = 500
/** A text of at least this length may have been cut to the limit of a field. */
const MIN_CUT = 100

const NOT_SHOWN = /[^\p{L}\p{M}\p{N}\p{Sc}]+/gu
const SHOWN = /[\p{L}\p{M}\p{N}\p{Sc}]/u

/**
 * Returns only the letters, digits and currency signs of a text, for comparisons. A CMS may change blanks, quotation marks and dashes by
 * itself.
 */
const letters = (text: string): string => text.normalize('NFC').replace(NOT_SHOWN, '')

/** Returns the text of HTML that readers see. */
export const textOf = (html: string): string => shownWords(html).join(' ')

const sentText = ({ content_html }: SentWords): string => textOf(content_html)

/** Returns part of a text, from shortly before the first letter that differs from `other`. */
const firstDifference = (text: string, other: string): string => {
  const own = text.normalize('NFC')
  let same = 0
  let at = 0
  for (const char of own) {
    if (SHOWN.test(char)) {
      if (!other.startsWith(char, same)) break
      same += char.length
    }
    at += char.length
  }
  const from = at <= MAX_LEAD ? 0 : own.indexOf(' ', at - MAX_LEAD) + 1
  return own.slice(from, from + MAX_SHOWN)
}

/** Returns the first sentence of a text that none of the others contains. */
const firstNewSentence = (text: string, others: readonly string[]): string | undefined =>
  text
    .split('\n')
    .flatMap((line) => sentencesOf(line).map(({ start, end }) => line.slice(start, end).trim()))
    .slice(0, MAX_SOUGHT)
    .find((sentence) => {
      const own = letters(sentence)
      return own.length >= MIN_LETTERS && !others.some((other) => other.includes(own))
    })

const lostText = ({ text, isConverted }: CmsWords, sent: readonly SentWords[]): string | undefined => {
  if (text === undefined) return undefined
  const others = sent.map((words) => letters(sentText(words)))
  if (isConverted) return firstNewSentence(text, others)
  return others.includes(letters(text)) ? undefined : firstDifference(text, others[0] ?? '')
}

const lostLine = (shown: string | undefined, sent: readonly (string | undefined)[]): string | undefined => {
  const line = collapse(shown ?? '').normalize('NFC')
  const isSent = (other: string): boolean =>
    other === line || (line.length >= MIN_CUT && other.startsWith(line.replace(/…$/, '')))
  return line === '' || sent.some((other) => isSent(collapse(other ?? '').normalize('NFC'))) ? undefined : line
}

const lostNames = (shown: readonly string[] = [], sent: readonly SentWords[]): string | undefined => {
  const known = new Set(
    sent.flatMap(({ tags, category }) => [category, ...tags].map((name) => letters(name).toLowerCase())),
  )
  const lost = shown.map(collapse).filter((name) => !known.has(letters(name).toLowerCase()))
  return lost.length > 0 ? lost.join(', ') : undefined
}

/** Comparisons by field. Each returns the words at the site that none of the sent texts has. */
const LOST = {
  title: ({ title }, sent) =>
    lostLine(
      title,
      sent.map((one) => one.title),
    ),
  content: lostText,
  meta_description: ({ metaDescription }, sent) =>
    lostLine(
      metaDescription,
      sent.map((one) => one.meta_description),
    ),
  seo_title: ({ seoTitle }, sent) =>
    lostLine(
      seoTitle,
      sent.flatMap((one) => [one.seo_title, one.title]),
    ),
  canonical_url: ({ canonicalUrl }, sent) =>
    lostLine(
      canonicalUrl,
      sent.map((one) => one.canonical_url),
    ),
  tags: ({ tags }, sent) => lostNames(tags, sent),
  category: ({ categories }, sent) => lostNames(categories, sent),
} satisfies Record<string, (words: CmsWords, sent: readonly SentWords[]) => string | undefined>

type Field = keyof typeof LOST
const FIELDS = Object.keys(LOST) as Field[]

/** Returns the words at the site that none of the sent texts has, by field. */
export const lostWords = (
  words: CmsWords,
  sent: readonly SentWords[],
  fields: readonly Field[] = FIELDS,
): Overwritten[] =>
  fields.flatMap((field) => {
    const was = LOST[field](words, sent)
    return was === undefined ? [] : [{ field, was }]
  })

/**
 * Returns the fields that an update replaces.
 *
 * An empty SEO title, canonical address or category replaces nothing. Empty tags replace nothing either, if the CMS keeps its tags.
 *
 * Other CMSs may store the category as a tag, so an update of either replaces the tags.
 */
export const replacedBy = (update: CmsUpdate, article: SentWords, { keepsTags }: CmsWords): Field[] => {
  const isReplaced: Record<Field, boolean> = {
    title: sends(update, 'title'),
    content: sends(update, 'html'),
    meta_description: sends(update, 'metaDescription'),
    seo_title: sends(update, 'seoTitle') && Boolean(article.seo_title),
    canonical_url: sends(update, 'canonicalUrl') && Boolean(article.canonical_url),
    tags: keepsTags
      ? sends(update, 'tags') && article.tags.length > 0
      : sends(update, 'tags') || sends(update, 'category'),
    category: sends(update, 'category') && article.category !== '',
  }
  return FIELDS.filter((field) => isReplaced[field])
}

const warningOf = (lost: readonly Overwritten[], back: string): string[] => {
  if (lost.length === 0) return []
  const parts = lost.map(({ field, was }) => `${field} (it was “${clip(was.replace(/\s+/g, ' ').trim(), MAX_SHOWN)}”)`)
  return [
    `Words that were changed at the site since they were sent last have been replaced: ${parts.join('; ')}.${back}`,
  ]
}

/**
 * Returns the warning of an update that replaces words people wrote at the site.
 *
 * `before` has the texts sent earlier, the newest first. Words that the update itself sends are not lost.
 */
export const overwrittenNotes = (
  words: CmsWords,
  article: SentWords & { id: string },
  before: readonly SentWords[],
  { update, canRestore }: { update: CmsUpdate; canRestore: boolean },
): string[] =>
  warningOf(
    words.isMerged ? [] : lostWords(words, [...before, article], replacedBy(update, article, words)),
    canRestore ? ` POST /articles/${article.id}/rollback puts the post back as it was.` : '',
  )

const SENT = [
  'title',
  'content_html',
  'meta_description',
  'tags',
  'category',
  'seo_title',
  'canonical_url',
  'image_url',
  'alt_text',
  'fields',
] as const

/**
 * True if an update only repeats one whose answer was lost, and the post has its words already. Nothing of value is
 * replaced then.
 */
export const isThereAlready = (
  words: CmsWords,
  article: SentWords,
  before: readonly SentWords[],
  update: CmsUpdate,
): boolean =>
  before.some((one) => one.arrived === false && SENT.every((name) => isSame(one[name], article[name]))) &&
  lostWords(words, [article], replacedBy(update, article, words)).length === 0

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Returns words at the site in the form of sent texts. */
export const asSent = (words: CmsWords): SentWords => ({
  title: words.title ?? '',
  content_html: escapeText(words.text ?? ''),
  meta_description: words.metaDescription ?? '',
  tags: [...(words.tags ?? [])],
  category: words.categories?.[0] ?? '',
  seo_title: words.seoTitle ?? '',
  canonical_url: words.canonicalUrl ?? '',
})

/** True if a post has words that this service did not send. */
export const hasOwnWords = (words: CmsWords, sent: readonly SentWords[]): boolean => lostWords(words, sent).length > 0

/** Returns the warning of a rollback that replaced words people wrote at the site. `after` has the words that are there now. */
export const rollbackReplacedNotes = (words: CmsWords, sent: readonly SentWords[], after: CmsWords): string[] =>
  warningOf(lostWords(words, [...sent, asSent(after)]), ' Roll back once more to have them again.')
