import type { SeoReport } from '../../../schema/values/seo.ts'
import { type Texts, textWork } from '../../platform/lib/text-work.ts'
import { type ContentReading, type JudgedArticle, type Judgement, judge, readContent } from './assess.ts'
import type { Surroundings } from './parts.ts'
import { type Optimised, optimiseForPublication, type PublicationFound, type Unpublished } from './publication.ts'

/** Article to judge, with parsed content or stored HTML. `before` is the last report, for content that did not change. */
type ToJudge = {
  found: Pick<Surroundings, 'rows'>
  article: JudgedArticle
  content: ContentReading | { html: string }
  before?: SeoReport | null | undefined
}

/**
 * Judgement of an article, absent if the project does not exist. Also whether the content has text, and its image addresses.
 */
type JudgedText = { judgement?: Judgement | undefined; hasText: boolean; images: string[] }

/** Job that judges an article. */
export const judgeWork = textWork<ToJudge, JudgedText>('judge')

type Found = PublicationFound
/** Article to optimise, and the results of `publicationQueries`: surroundings and pages. */
type ToOptimise = { found: readonly [Found['surroundings'], Found['pages']]; article: Unpublished }

/** Job that optimises an article for publication. Returns nothing if there is nothing to change. */
export const optimiseWork = textWork<ToOptimise, { optimised?: Optimised | undefined }>('optimise')

const MAX_IMAGES = 50

/** Judges an article. Reads the stored HTML if the content is not parsed. */
export const judgeWithContent = ({ found, article, content, before }: ToJudge): JudgedText => {
  const reading = 'html' in content ? readContent(content.html) : content
  const { text, images } = reading.document
  const addresses = images.map(({ src }) => src).filter((src) => /^https?:\/\//i.test(src))
  return {
    judgement: judge(found, article, reading, before),
    hasText: text !== '',
    images: [...new Set(addresses)].slice(0, MAX_IMAGES),
  }
}

/** Optimises an article for publication, in the texts Worker. Returns undefined if there is nothing to change. */
export const optimise = async (texts: Texts, { surroundings, pages }: Found, article: Unpublished) => {
  const found = [{ rows: surroundings.rows }, { rows: pages.rows }] as const
  return (await texts(optimiseWork, { found, article })).optimised
}

/** Optimises an article for publication. */
export const optimiseGiven = async ({ found: [surroundings, pages], article }: ToOptimise) => ({
  optimised: await optimiseForPublication({ surroundings, pages }, article),
})
