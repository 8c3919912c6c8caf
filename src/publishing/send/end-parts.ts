import { and, eq, lte, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { projects } from '../../../schema/projects.ts'
import { endTurn } from '../../accounts/projects/parts.ts'
import { releaseArticle } from '../../content/articles/parts.ts'
import { statusAllows } from '../../content/articles/standing-parts.ts'
import type { Move } from '../../content/articles/transitions.ts'
import { lookForLinks } from '../../content/exchange/parts.ts'
import { articlePage } from '../../content/site/parts.ts'
import type { Part } from '../../platform/db/part.ts'
import { read } from '../../platform/db/read-parts.ts'
import type { Parts } from '../../platform/db/statement.ts'
import type { Changes } from '../../platform/db/write-parts.ts'
import { noteUse } from '../connect/parts.ts'
import type { Ending, HeldAttempt } from '../deliveries/attempt.ts'
import { type EndedDelivery, endDelivery, endNotedAttempt } from '../deliveries/parts.ts'
import { deliverJob } from '../jobs.ts'

/** The project's row, locked before its deliveries and articles by everyone who needs it and them. */
export const lockProject = (id: number | SQL): Part<'id'> =>
  read('project', projects, { id: projects.id }, { where: eq(projects.id, id), lock: 'no key update' })

/**
 * The parts every end of an attempt shares: the project's turn, delivery, attempt, target and the job that wakes it.
 * `delivery` has a row only if this attempt still held the delivery; all others follow from it.
 */
export const endAttempt = (
  attempt: HeldAttempt,
  ending: Ending,
  now: Date,
): { delivery: EndedDelivery; parts: Parts } => {
  const project = lockProject(attempt.projectId)
  const delivery = endDelivery(attempt, ending, project, now)
  const error = ending.status === 'delivered' ? null : ending.error
  const again =
    ending.nextAt && deliverJob.move(attempt.deliveryId, ending.nextAt, { from: [delivery], where: delivery.hasRows })
  return {
    delivery,
    parts: [
      project,
      delivery,
      endTurn(project, delivery),
      endNotedAttempt(attempt, delivery, ending),
      noteUse(attempt.integrationId, error, delivery, now),
      again ?? deliverJob.finish(delivery, now),
    ],
  }
}

type Release = {
  state: 'idle' | 'retrying' | 'unknown' | 'failed'
  error: string | null
  /** The move of the state table that was under way. */
  move: Move
  also?: Changes<typeof articles>
}

/** A part that lets go of the article an attempt held, if it still holds delivery and article. */
export const letArticleGo = (attempt: HeldAttempt, delivery: EndedDelivery, { state, error, move, also }: Release) =>
  releaseArticle(state, error, {
    from: [delivery],
    where: sql`${and(
      eq(articles.id, delivery.c.articleId),
      // Who takes the article over holds it until later.
      lte(articles.publishLeaseUntil, attempt.lease),
      statusAllows(move),
    )}`,
    ...(also ? { also } : {}),
  })

/** An article that is live, with what its page and the search for links on it are made from. */
export type LiveArticle = Parameters<typeof articlePage>[0] & Part<'url'>

/** Parts that follow from a live article: it is a page of the site, and its links to partners are looked for there. */
export const articleLives = (live: LiveArticle, accountId: number, url: string | undefined, now: Date): Parts => [
  articlePage(live, url, now),
  lookForLinks(live, accountId, now),
]
