import { type SQL, sql } from 'drizzle-orm'
import type { SeoReport } from '../../../schema/values/seo.ts'
import type { ResultOf, Statement } from '../../platform/db/steps.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import {
  type ExchangeAnswer,
  type ExchangeView,
  exchangeAnswer,
  judgeLinks,
  linksIn,
  partnersOf,
} from '../exchange/scan.ts'
import { articleLocks, linksAreCurrent, newArticleLocks, saveLinks } from '../exchange/writes.ts'
import type { ContentReading, JudgedArticle, Judgement } from '../seo/assess.ts'
import { surroundingsOf } from '../seo/parts.ts'
import { judgeWork } from '../seo/work.ts'
import { projectOf } from './queries.ts'
import type { ArticleChanges } from './writes.ts'

/** Article whose content is saved: its id, or the project of a new article. */
export type Place = { articleId: number } | { projectId: number }

const projectIn = (place: Place): SQL =>
  'articleId' in place ? projectOf(place.articleId) : sql`${place.projectId}::int`

const articleIn = (place: Place): number | undefined => ('articleId' in place ? place.articleId : undefined)

/**
 * Returns the queries about a save's content. They are sent with the query for the article or the project.
 *
 * `reading` is the content being saved; if absent, the stored content is judged again. `keyword` is the new keyword, if it
 * changes.
 */
export const assessmentQueries = (
  { db, now }: Pick<Ctx, 'db' | 'now'>,
  place: Place,
  reading: ContentReading | undefined,
  keyword?: string,
) => {
  const [project, articleId] = [projectIn(place), articleIn(place)]
  const keys = reading ? linksIn(reading.document).keys : []
  return {
    surroundings: surroundingsOf(db, project, articleId, reading),
    partners: partnersOf(db, project, { keys, articleId, keyword, now: now() }),
  }
}

/** Results of `assessmentQueries`. */
export type AssessmentFound = ResultOf<ReturnType<typeof assessmentQueries>>

/** Article as it will be saved. If no content is being saved, `stored` has the present content and its report. */
export type Assessed = JudgedArticle & { stored?: { content: string; seo: SeoReport | null } }

/** Note on a missing feature image. */
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

/** Result of judging content: fields of the answer, and the changes to save. */
export type Assessment = {
  answer: { seo: SeoReport | null; hosted_images?: string[]; sync_required: false } & Hero & ExchangeAnswer
  changes: ArticleChanges
  /** Returns statements for the batch that saves. They write the article's links and images if the condition is met. */
  writes: (articleId: number, condition: SQL) => Statement[]
  /** Locks at the start of that batch. */
  locks: readonly SQL[]
  /** Condition for the answer to be true, checked after the locks. If it fails, the content is judged again. */
  isCurrent: SQL | undefined
}

/** Returns a judgement as changes of an article. */
export const judgementChanges = ({ report, sketch, linkedKeys }: Judgement): ArticleChanges => ({
  seo: report,
  contentSketch: [...sketch],
  linkedKeys: [...linkedKeys],
})

const NO_VIEW: ExchangeView = { participating: false, offered: false, counted: 0, sites: [] }

/** Content to judge: parsed content being saved, or the stored HTML. */
type Content = ContentReading | { html: string }

/**
 * Judges the content's links to exchange partners. Returns the answer's fields, and the locks and statements that save the
 * links.
 */
const exchange = (
  ctx: Pick<Ctx, 'db' | 'now'>,
  { partners }: AssessmentFound,
  place: Place,
  content: Content,
  hasText: boolean,
) => {
  const view = partners.rows[0] ?? NO_VIEW
  const links = judgeLinks('document' in content ? linksIn(content.document) : undefined, view)
  const answer = exchangeAnswer(links, view, hasText)
  if (!links || ('projectId' in place && links.counted.length === 0))
    return { answer, writes: () => [], locks: [], isCurrent: undefined }
  const { counted } = links
  return {
    answer,
    writes: (articleId: number, condition: SQL) => saveLinks(ctx, articleId, projectIn(place), counted, condition),
    locks: 'articleId' in place ? articleLocks(place.articleId, counted) : newArticleLocks(place.projectId, counted),
    isCurrent: linksAreCurrent(articleIn(place) ?? 0, counted, ctx.now()),
  }
}

/**
 * Returns the SEO report and exchange links of an article before it is saved. `found` has the results of `assessmentQueries`.
 */
export const assess = async (
  ctx: Pick<Ctx, 'db' | 'texts' | 'now'>,
  found: AssessmentFound,
  place: Place,
  { stored, ...article }: Assessed,
  reading: ContentReading | undefined,
): Promise<Assessment> => {
  const content = reading ?? { html: stored?.content ?? '' }
  // Unchanged content keeps the verdict on its links from the last save.
  const before = stored && !reading ? stored.seo : undefined
  const { judgement, hasText, images } = await ctx.texts(judgeWork, {
    found: { rows: found.surroundings.rows },
    article,
    content,
    before,
  })
  const { answer, writes, locks, isCurrent } = exchange(ctx, found, place, content, hasText)
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
    isCurrent,
  }
}
