import type { CmsUpdate, CmsWords } from '../../publishing/target/cms-adapter.ts'
import type { SentWords } from '../../publishing/target/sent-words.ts'
import { asSent, lostWords, replacedBy, textOf } from './overwritten.ts'

/** Returns a sent text in the form of the words at the site, with the fields that the site returns. */
const asWords = (sent: SentWords, { isConverted, ...words }: CmsWords): CmsWords => {
  const all: CmsWords = {
    title: sent.title,
    text: textOf(sent.content_html),
    metaDescription: sent.meta_description,
    seoTitle: sent.seo_title ?? '',
    canonicalUrl: sent.canonical_url ?? '',
    tags: sent.tags,
    categories: sent.category === '' ? [] : [sent.category],
  }
  const returned = Object.entries(all).filter(([name]) => name in words)
  return { ...Object.fromEntries(returned), ...(isConverted ? { isConverted } : {}) }
}

/**
 * Returns whether a post shows the words of an update, those from before, or neither. An update that changed nothing
 * which the site returns is `neither`, too.
 */
export const shownOf = (
  words: CmsWords,
  article: SentWords,
  before: SentWords | undefined,
  update: CmsUpdate,
): 'update' | 'before' | 'neither' => {
  const fields = replacedBy(update, article, words)
  const shows = (one: SentWords): boolean =>
    lostWords(words, [one], fields).length === 0 && lostWords(asWords(one, words), [asSent(words)], fields).length === 0
  const isNew = shows(article)
  const isOld = before !== undefined && shows(before)
  if (isNew === isOld) return 'neither'
  return isNew ? 'update' : 'before'
}
