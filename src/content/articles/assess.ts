import { type SQL, sql } from 'drizzle-orm'
import type { BatchResponse } from 'drizzle-orm/batch'
import type { SeoReport } from '../../../schema/values/seo.ts'
import type { Ctx, Statement } from '../../platform/runtime/ctx.ts'
import {
  type ExchangeAnswer,
  type ExchangeView,
  exchangeAnswer,
  judgeLinks,
  linksIn,
  partnersOf,
} from '../exchange/scan.ts'
import { articleLocks, linksStand, newArticleLocks, saveLinks } from '../exchange/writes.ts'
import { type ContentReading, type JudgedArticle, type Judgement, seoQuery } from '../seo/assess.ts'
import { judgeWork } from '../seo/work.ts'
import { projectOf } from './queries.ts'
import type { ArticleChanges } from './writes.ts'

/** Owner of saved content: an article that exists, or a new one of a project. */
export type Place = { articleId: number } | { projectId: number }

const projectIn = (place: Place): SQL =>
  'articleId' in place ? projectOf(place.articleId) : sql`${place.projectId}::int`

const articleIn = (place: Place): number | undefined => ('articleId' in place ? place.articleId : undefined)

/**
 * Queries of a save about its content in the first round trip, beside the article or the project.
 *
 * `reading` is the content being saved; absent, the stored one is judged again. `keyword`: the article's, if it is not the
 * stored one.
 */
export const assessmentQueries = (
  { db, now }: Pick<Ctx, 'db' | 'now'>,
  place: Place,
  reading: ContentReading | undefined,
  keyword?: string,
) => {
  const [project, articleId] = [projectIn(place), articleIn(place)]
  const keys = reading ? linksIn(reading.document).keys : []
  return [
    seoQuery(db, project, articleId, reading),
    partnersOf(db, project, { keys, articleId, keyword, now: now() }),
  ] as const
}

/** Results of `assessmentQueries`. */
export type AssessmentFound = BatchResponse<ReturnType<typeof assessmentQueries>>

/** An article as it will be saved. `stored` is its present content with the report on it, where no content is being saved. */
export type Assessed = JudgedArticle & { stored?: { content: string; seo: SeoReport | null } }

/** Fields of an answer about an article without a feature image. */
type Hero = { image_warning?: string; image_candidates?: string[] }

const heroOf = (featureImage: string | undefined, images: string[]): Hero =>
  featureImage === ''
    ? {
        image_warning:
          images.length > 0
            ? 'The article has no feature image. Send feature_image, for example one of image_candidates.'
            : 'The article has no feature image, and its text has no image with an absolute address. Send feature_image.',
        image_candidates: images,
      }
    : {}

/** Result of judging content: fields of the answer, stored values, and what else changes with it. */
export type Assessment = {
  answer: { seo: SeoReport | null; hosted_images?: string[]; sync_required: false } & Hero & ExchangeAnswer
  changes: ArticleChanges
  /** Statements of the batch that saves, if the condition is met: the article's links, and the images that it holds. */
  writes: (articleId: number, condition: SQL) => Statement[]
  /** Locks with which that batch begins. */
  locks: readonly SQL[]
  /** Condition behind the locks under which the answer is true; the content is judged again if it does not hold. */
  stands: SQL | undefined
}

/** Returns a judgement as changes of an article. */
export const judgementChanges = ({ report, sketch }: Judgement): ArticleChanges => ({
  seo: report,
  contentSketch: [...sketch],
})

const NO_VIEW: ExchangeView = { participating: false, offered: false, counted: 0, sites: [] }

/** The content that is judged: as it was read, or the stored HTML. */
type Content = ContentReading | { html: string }

/** Returns the links of the content in the exchange: what the answer says of them, and how they are saved. */
const exchange = (
  ctx: Pick<Ctx, 'db' | 'now'>,
  [, found]: AssessmentFound,
  place: Place,
  content: Content,
  hasText: boolean,
) => {
  const view = found.rows[0] ?? NO_VIEW
  const links = judgeLinks('document' in content ? linksIn(content.document) : undefined, view)
  const answer = exchangeAnswer(links, view, hasText)
  if (!links || ('projectId' in place && links.counted.length === 0))
    return { answer, writes: () => [], locks: [], stands: undefined }
  const { counted } = links
  return {
    answer,
    writes: (articleId: number, condition: SQL) => saveLinks(ctx, articleId, projectIn(place), counted, condition),
    locks: 'articleId' in place ? articleLocks(place.articleId, counted) : newArticleLocks(place.projectId, counted),
    stands: linksStand(articleIn(place) ?? 0, counted, ctx.now()),
  }
}

/** Judges an article that is about to be saved, by what the first round trip found. */
export const assess = async (
  ctx: Pick<Ctx, 'db' | 'texts' | 'now'>,
  found: AssessmentFound,
  place: Place,
  { stored, ...article }: Assessed,
  reading: ContentReading | undefined,
): Promise<Assessment> => {
  const content = reading ?? { html: stored?.content ?? '' }
  // Links of content that did not change are as sound as they were when it was saved.
  const before = stored && !reading ? stored.seo : undefined
  const { judgement, hasText, images } = await ctx.texts(judgeWork, {
    found: { rows: found[0].rows },
    article,
    content,
    before,
  })
  const { answer, writes, locks, stands } = exchange(ctx, found, place, content, hasText)
  const changes = judgement ? judgementChanges(judgement) : {}
  return {
    answer: {
      seo: judgement?.report ?? null,
      ...heroOf(article.featureImage, images),
      ...answer,
      sync_required: false,
    },
    changes,
    writes,
    locks,
    stands,
  }
}
