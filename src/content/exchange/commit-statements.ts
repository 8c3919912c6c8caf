import { eq, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { exchangeCommitments, exchangeLedger } from '../../../schema/exchange.ts'
import { projects } from '../../../schema/projects.ts'
import { spendBacklinkCredit } from '../../accounts/projects/parts.ts'
import type { AnyPart, Part } from '../../platform/db/part.ts'
import { query, read, select } from '../../platform/db/read-parts.ts'
import { statement } from '../../platform/db/statement.ts'
import { insert } from '../../platform/db/write-parts.ts'
import { partnersNear } from './candidates.ts'
import { PARTNERS_PER_ARTICLE } from './rules.ts'

/** The part that notes on an article that its partners are chosen; it runs once `after` has run. */
export type NoteChosen = (after: AnyPart) => Part<'id' | 'projectId'>

/** So many are looked at, since others may reserve the last credit of the first ones at this moment. */
const LOOKED_AT = 3 * PARTNERS_PER_ARTICLE

/**
 * Chooses the partners of an article that has none chosen yet, reserves a credit of each and keeps them; one row each. Partners
 * are held before the article, as everywhere, and a partner that has no credit left by then is passed over. After `commitLocks`.
 */
export const insertCommitments = (noteChosen: NoteChosen, articleId: number, keyword: string, now: Date): SQL => {
  const projectId = sql`(select ${articles.projectId} from ${articles} where ${eq(articles.id, articleId)})`
  const asked = { projectId, keyword, limit: LOOKED_AT, now, uncommitted: true }
  const chosen = query('chosen', ['to_project_id', 'url', 'project_name', 'place'], partnersNear(asked), {
    materialized: true,
  })
  const held = read(
    'held',
    projects,
    { id: projects.id },
    {
      where: sql`${projects.id} in (select ${chosen.c.to_project_id} from ${chosen.rows}) and ${projects.backlinkCredits} >= 1`,
      orderBy: sql`${projects.id}`,
      lock: 'no key update',
    },
  )
  const committed = noteChosen(held)
  const picked = select(
    'picked',
    {
      projectId: chosen.c.to_project_id,
      articleId: committed.c.id,
      url: chosen.c.url,
      anchor: chosen.c.project_name,
      place: chosen.c.place,
    },
    sql`from ${committed.rows} cross join ${held.rows} join ${chosen.rows} on ${chosen.c.to_project_id} = ${held.c.id}
      order by ${chosen.c.place} limit ${PARTNERS_PER_ARTICLE}::int`,
    { materialized: true },
  )
  const charged = spendBacklinkCredit(picked)
  const made = insert(
    'made',
    exchangeCommitments,
    {
      articleId: picked.c.articleId,
      toProjectId: picked.c.projectId,
      url: picked.c.url,
      anchor: picked.c.anchor,
      reserved: true,
      createdAt: now,
    },
    {
      from: [picked, charged],
      where: sql`${picked.c.projectId} = ${charged.c.projectId}`,
      orderBy: picked.c.place,
      returning: {
        id: exchangeCommitments.id,
        toProjectId: exchangeCommitments.toProjectId,
        url: exchangeCommitments.url,
        anchor: exchangeCommitments.anchor,
      },
    },
  )
  const booked = select(
    'reservations',
    { accountId: projects.accountId, projectId: projects.id, id: made.c.id },
    sql`from ${made.rows} join ${projects} on ${eq(projects.id, made.c.toProjectId)}`,
  )
  const entry = insert(
    'booked',
    exchangeLedger,
    {
      accountId: booked.c.accountId,
      projectId: booked.c.projectId,
      delta: -1,
      reason: 'reserved',
      key: sql`'reserved:' || ${booked.c.id}`,
      at: now,
    },
    { from: [booked] },
  )
  return statement({
    unaudited: 'a choice of the service’s own; it stands on the article, and in the partner’s ledger',
    parts: [chosen, held, committed, picked, charged, made, booked, entry],
    answer: { url: made.c.url, anchor: made.c.anchor },
    answerOrder: made.c.id,
  })
}
