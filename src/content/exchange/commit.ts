import { and, asc, eq, inArray, isNotNull, lt, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { exchangeCommitments as commitments } from '../../../schema/exchange.ts'
import { projects } from '../../../schema/projects.ts'
import type { Owner } from '../../platform/accounts/parts.ts'
import type { Db } from '../../platform/db/client.ts'
import { at } from '../../platform/db/instant.ts'
import { type Ctx, type Deps, sendBatch } from '../../platform/runtime/ctx.ts'
import { partnersNear } from './candidates.ts'
import { PARTNERS_PER_ARTICLE } from './rules.ts'
import { commitLocks, endReservations } from './writes.ts'

/** Link that the article must have, with its anchor text. */
export type CommittedPartner = { url: string; anchor: string }

/**
 * Selects the partners that an article is committed to, in order of choice. Leaves out partners whose site the last scan did
 * not find.
 */
export const committedPartners = (db: Db, articleId: number) =>
  db
    .select({ url: commitments.url, anchor: commitments.anchor })
    .from(commitments)
    .innerJoin(projects, eq(projects.id, commitments.toProjectId))
    .where(and(eq(commitments.articleId, articleId), isNotNull(projects.siteReadAt)))
    .orderBy(asc(commitments.id))

/** Number of partners considered, because others may reserve the last credit of the first ones at the same time. */
const LOOKED_AT = 3 * PARTNERS_PER_ARTICLE

/**
 * Chooses and stores the partners of an article without partners, and reserves a credit of each. Run after `commitLocks`.
 *
 * Partners are locked before the article, the usual order. A partner without a credit by then is skipped.
 */
const chosenPartners = (articleId: number, keyword: string, mayChoose: SQL, now: Date): SQL<CommittedPartner> => {
  const projectId = sql`(select ${articles.projectId} from ${articles} where ${eq(articles.id, articleId)})`
  return sql`
    with chosen as materialized (${partnersNear({ projectId, keyword, limit: LOOKED_AT, now, uncommitted: true })}),
    held as materialized (
      select id from projects where id in (select to_project_id from chosen) and backlink_credits >= 1 order by id for no key update),
    committed as (
      update articles set partners_committed_at = ${at(now)} where ${mayChoose} and (select count(*) from held) >= 0 returning id),
    picked as materialized (
      select committed.id as article_id, chosen.to_project_id, chosen.url, chosen.project_name, chosen.place
      from committed cross join held join chosen on chosen.to_project_id = held.id
      order by chosen.place limit ${PARTNERS_PER_ARTICLE}::int),
    charged as (
      update projects set backlink_credits = backlink_credits - 1 from picked
      where projects.id = picked.to_project_id and backlink_credits >= 1 returning projects.id),
    made as (
      insert into exchange_commitments (article_id, to_project_id, url, anchor, reserved, created_at)
      select picked.article_id, picked.to_project_id, picked.url, picked.project_name, true, ${at(now)}
      from picked join charged on charged.id = picked.to_project_id order by picked.place
      returning id, to_project_id, url, anchor),
    booked as (
      insert into exchange_ledger (account_id, project_id, delta, reason, key, at)
      select p.account_id, p.id, -1, 'reserved', 'reserved:' || made.id, ${at(now)}
      from made join projects p on p.id = made.to_project_id)
    select url, anchor from made order by id`
}

/**
 * Chooses at most two partners that a planned article must link to, and reserves a credit of each. The choice is final.
 *
 * Empty for a project that does not take part. `mayChoose` is a condition: the article is not written and has no partners.
 * Takes one round trip, or two if another call chose first.
 */
export const commitPartners = async (
  ctx: Ctx,
  mayChoose: SQL,
  articleId: number,
  keyword: string,
): Promise<CommittedPartner[]> => {
  const { chosen } = await ctx.batch(
    { locks: commitLocks(articleId), chosen: chosenPartners(articleId, keyword, mayChoose, ctx.now()) },
    { unaudited: 'a choice of the service’s own; it is shown with the article, and in the partner’s ledger' },
  )
  if (chosen.length > 0) return chosen
  const kept = await ctx.read(() => committedPartners(ctx.db, articleId))
  return kept
}

const RESERVED_DAYS = 90
const BATCH = 200
const MAX_BATCHES = 20

/**
 * Ends one batch of reservations and returns their number. Their projects are locked first, in the usual order.
 */
const endBatch = async ({ db, now }: Pick<Deps, 'db' | 'now'>, which: SQL | undefined): Promise<number> => {
  const held = await db
    .select({ id: commitments.id, toProjectId: commitments.toProjectId })
    .from(commitments)
    .where(and(eq(commitments.reserved, true), which))
    .orderBy(asc(commitments.createdAt))
    .limit(BATCH)
  if (held.length === 0) return 0
  const partners = inArray(
    projects.id,
    held.map(({ toProjectId }) => toProjectId),
  )
  const ids = inArray(
    commitments.id,
    held.map(({ id }) => id),
  )
  await sendBatch(
    db,
    {
      project: db
        .select({ id: projects.id })
        .from(projects)
        .where(partners)
        .orderBy(asc(projects.id))
        .for('no key update'),
      endReservations: endReservations(ids, now()),
    },
    { unaudited: 'the service’s own; the ledger says what it changed' },
  )
  return held.length
}

/** Ends reservations in batches. Returns the number of ended ones. */
const endAll = async (deps: Pick<Deps, 'db' | 'now'>, which: SQL | undefined): Promise<number> => {
  let ended = 0
  for (let n = 0; n < MAX_BATCHES; n += 1) {
    const gone = await endBatch(deps, which)
    ended += gone
    if (gone < BATCH) break
  }
  return ended
}

/**
 * Returns reserved credits to partners if the article was not published in 90 days. Returns the number of ended reservations.
 */
export const expireReservations = async (deps: Pick<Deps, 'db' | 'now'>): Promise<number> => {
  const before = new Date(deps.now().getTime() - RESERVED_DAYS * 86_400_000)
  return await endAll(deps, lt(commitments.createdAt, before))
}

/** Returns the credits that partners reserved for the owner’s articles, before those are erased. */
export const returnReservations = async (
  deps: Pick<Deps, 'db' | 'now'>,
  { account, project }: Owner,
): Promise<void> => {
  const isOf = project === undefined ? undefined : eq(articles.projectId, project)
  const own = deps.db
    .select({ id: articles.id })
    .from(articles)
    .where(and(eq(articles.accountId, account), isOf))
  await endAll(deps, inArray(commitments.articleId, own))
}
