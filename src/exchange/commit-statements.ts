import { type SQL, sql } from 'drizzle-orm'
import { exchangeCommitments } from '../../schema/exchange.ts'
import type { Part } from '../db/part.ts'
import { query } from '../db/read-parts.ts'
import { statement } from '../db/statement.ts'
import { insert } from '../db/write-parts.ts'
import { partnersNear } from './candidates.ts'
import { PARTNERS_PER_ARTICLE } from './rules.ts'

/**
 * Chooses the partners of an article that has none chosen yet and keeps them; one row each. `committed` is the part that notes
 * on the article that they are chosen. After `commitLocks`.
 */
export const insertCommitments = (committed: Part<'id' | 'projectId'>, keyword: string, now: Date): SQL => {
  const projectId = sql`(select ${committed.c.projectId} from ${committed.rows})`
  const asked = { projectId, keyword, limit: PARTNERS_PER_ARTICLE, now, uncommitted: true }
  const chosen = query('chosen', ['to_project_id', 'url', 'project_name'], partnersNear(asked), { materialized: true })
  const made = insert(
    'made',
    exchangeCommitments,
    {
      articleId: committed.c.id,
      toProjectId: chosen.c.to_project_id,
      url: chosen.c.url,
      anchor: chosen.c.project_name,
      createdAt: now,
    },
    {
      from: [committed, chosen],
      returning: { id: exchangeCommitments.id, url: exchangeCommitments.url, anchor: exchangeCommitments.anchor },
    },
  )
  return statement({
    unaudited: 'a choice of the service’s own; it stands on the article',
    parts: [committed, chosen, made],
    answer: { url: made.c.url, anchor: made.c.anchor },
    answerOrder: made.c.id,
  })
}
