import type { SeoReport } from '../../../schema/values/seo.ts'
import { textWork } from '../../platform/lib/text-work.ts'
import { type ContentReading, type JudgedArticle, type Judgement, judge, readContent } from './assess.ts'
import { type Optimised, optimiseForPublication, type PublicationFound, type Unpublished } from './publication.ts'
import type { Surroundings } from './queries.ts'

/**
 * An article to judge: its content as it was read, or stored HTML; `before` is the last report, for content that did not
 * change.
 */
type ToJudge = {
  found: Pick<Surroundings, 'rows'>
  article: JudgedArticle
  content: ContentReading | { html: string }
  before?: SeoReport | null | undefined
}

/** The judgement, absent when the project is not there, whether the content has any text, and the addresses of its images. */
type JudgedText = { judgement?: Judgement | undefined; hasText: boolean; images: string[] }

/** Judges an article. */
export const judgeWork = textWork<ToJudge, JudgedText>('judge')

/** An article to optimise, and what was found around it. */
type ToOptimise = { found: PublicationFound; article: Unpublished }

/** Optimises an article for publication; nothing when there is nothing to change. */
export const optimiseWork = textWork<ToOptimise, { optimised?: Optimised | undefined }>('optimise')

const MAX_IMAGES = 50

/** Judges an article by what was found around it, reading its stored content where no reading is given. */
export const judgeGiven = ({ found, article, content, before }: ToJudge): JudgedText => {
  const reading = 'html' in content ? readContent(content.html) : content
  const { text, images } = reading.document
  const addresses = images.map(({ src }) => src).filter((src) => /^https?:\/\//i.test(src))
  return {
    judgement: judge(found, article, reading, before),
    hasText: text !== '',
    images: [...new Set(addresses)].slice(0, MAX_IMAGES),
  }
}

/** Optimises an article by what was found around it. */
export const optimiseGiven = async ({ found, article }: ToOptimise) => ({
  optimised: await optimiseForPublication(found, article),
})
