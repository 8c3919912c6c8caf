import { type ArticleDetail, getArticle } from '../../../content/articles/read.ts'
import { listRevisions } from '../../../content/articles/revisions.ts'
import { showsContent } from '../../../content/html/shown.ts'
import { ApiError } from '../../../platform/lib/errors.ts'
import { listDeliveries } from '../../../publishing/deliveries.ts'
import { ctxOf, idIn } from '../../ctx.ts'
import type { PagesContext } from '../../front.tsx'
import { sitePath } from '../../menu.ts'
import type { Site } from '../../queries.ts'
import { numberIn, type SiteFront, siteIdIn, siteIn } from '../front.ts'
import type { Dated } from '../states.tsx'

/** Tabs of an article's page, by their name in the query. */
export const TABS = [
  ['', 'Text'],
  ['check', 'Check'],
  ['versions', 'Versions'],
  ['deliveries', 'Deliveries'],
] as const

export type Tab = (typeof TABS)[number][0]

/** True if the article is published. */
export const isLive = ({ status }: ArticleDetail): boolean => status === 'Published'

/** Returns the facts of an article that its state is shown by. */
export const statedOf = (article: ArticleDetail) => ({
  status: article.status,
  publish_state: article.publishState,
  publish_error: article.publishError,
  being_written: article.status === 'Generating' || article.writingStartedAt !== null,
})

/** Returns the facts of an article that decide what happens on its date. */
export const plannedOf = ({
  id,
  content,
  claimedAt,
  writtenAt,
  generationError,
  scheduledAt,
}: ArticleDetail): Dated => ({
  id,
  at: scheduledAt ?? new Date(0),
  claimed: claimedAt !== null,
  written: writtenAt !== null,
  unfit: writtenAt !== null && claimedAt === null && generationError !== null,
  characters: content.length,
  hasContent: showsContent(content),
})

/** Returns the path of the article in the current path. `page`: what follows it. */
export const pathOf = (c: PagesContext, page = ''): string =>
  `${sitePath(siteIdIn(c), `articles/${numberIn(c, 'article')}`)}${page}`

/** Page of an article's versions. */
export type Versions = Awaited<ReturnType<typeof listRevisions>>

type Deliveries = Awaited<ReturnType<typeof listDeliveries>>

/** Site and article of a page, and the list that its tab shows. */
export type Loaded = { site: Site; article: ArticleDetail; versions?: Versions; deliveries?: Deliveries }

/** Returns what a tab of the article in the path shows. Throws `not_found` for an article of another site. */
export const load = async (c: PagesContext, front: SiteFront, tab: Tab): Promise<Loaded> => {
  const [ctx, id] = [ctxOf(c, front), numberIn(c, 'article')]
  const before = idIn(c.req.query('before'))
  const paging = before === 0 ? {} : { before_id: before }
  const asked = Promise.all([
    getArticle(ctx, id),
    tab === 'versions' ? listRevisions(ctx, id, paging) : undefined,
    tab === 'deliveries' ? listDeliveries(ctx, { article_id: id, ...paging }) : undefined,
  ])
  // Both may be missing: the answer is always that of the site.
  asked.catch(() => {})
  const site = await siteIn(c)
  const [article, versions, deliveries] = await asked
  if (article.projectId !== site.id) throw new ApiError('not_found', 'The article does not exist.')
  return { site, article, ...(versions ? { versions } : {}), ...(deliveries ? { deliveries } : {}) }
}
