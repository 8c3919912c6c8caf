import type { SeoReport } from '../../../schema/values/seo.ts'
import { textWork } from '../../platform/lib/text-work.ts'
import type { ContentReading, JudgedArticle, Judgement } from './assess.ts'
import type { Optimised, PublicationFound, Unpublished } from './publication.ts'
import type { Surroundings } from './queries.ts'

/**
 * An article to judge: its content as it was read, or stored HTML; `before` is the last report, for content that did not
 * change.
 */
export type ToJudge = {
  found: Pick<Surroundings, 'rows'>
  article: JudgedArticle
  content: ContentReading | { html: string }
  before?: SeoReport | null | undefined
}

/** The judgement, absent when the project is not there, whether the content has any text, and the addresses of its images. */
export type JudgedText = { judgement?: Judgement | undefined; hasText: boolean; images: string[] }

/** Judges an article. */
export const judgeWork = textWork<ToJudge, JudgedText>('judge')

/** An article to optimise, and what was found around it. */
export type ToOptimise = { found: PublicationFound; article: Unpublished }

/** Optimises an article for publication; nothing when there is nothing to change. */
export const optimiseWork = textWork<ToOptimise, { optimised?: Optimised | undefined }>('optimise')
