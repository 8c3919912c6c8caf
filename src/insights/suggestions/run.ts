import { and, eq, exists, gt, or, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { oneOf } from '../../../schema/columns.ts'
import { indexStates } from '../../../schema/indexing.ts'
import { searchConnections } from '../../../schema/search.ts'
import { suggestionRuns, suggestions } from '../../../schema/suggestions.ts'
import { OPEN_STATES } from '../../../schema/values/suggestions.ts'
import { statusAllows } from '../../content/articles/parts.ts'
import { insertWhere, listed, withAudit } from '../../platform/db/writes.ts'
import type { JobResult } from '../../platform/jobs/job.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import { DAY_MS } from '../../platform/lib/time.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { type Unlisted, unlistedArticles } from '../search/indexing/parts.ts'
import { WINDOW_DAYS } from '../search/rules.ts'
import { suggestNext } from '../search/writes.ts'
import { detect, type Opportunity, type Snapshot } from './detect.ts'
import { detectUnlisted, UNLISTED } from './not-indexed.ts'
import { connection } from './read.ts'
import { readSnapshot } from './snapshot.ts'

const NO_DATA =
  'Not enough data: suggestions need 28 full days of search data, which are fetched within a day of connecting. Nothing was analyzed.'

type Added = { created: number; first: number | null; resting: number }

const newOf = (projectId: number, { created, first }: Added): string => {
  const approve = `POST /suggestions/${first}/approve`
  return created === 1
    ? `1 new suggestion. Approve it with ${approve} to have it rewritten.`
    : `${created} new suggestions. GET /suggestions?project_id=${projectId}&status=pending lists them. Approve one to have it rewritten, the first with ${approve}.`
}

const messageOf = (projectId: number, added: Added, found: number): string => {
  const { created, resting } = added
  const rested = `suggested before, and rejected or published less than ${WINDOW_DAYS} days ago: it may be suggested again after that.`
  if (found === 0) return 'No changes worth making were found.'
  if (created > 0)
    return newOf(projectId, added) + (resting > 0 ? ` ${resting} more ${resting === 1 ? 'was' : 'were'} ${rested}` : '')
  if (resting === 0) return 'Everything that was found has an open suggestion already.'
  return `Nothing new was found. ${resting === found ? 'All of it was' : 'What has no open suggestion was'} ${rested}`
}

/**
 * Returns a condition: the article had a suggestion of this type that was rejected or published in the last 28 days.
 *
 * The numbers that led to that suggestion still count.
 */
const rests = ({ db }: Ctx, now: Date): SQL => {
  const since = new Date(now.getTime() - WINDOW_DAYS * DAY_MS)
  return exists(
    db
      .select({ id: suggestions.id })
      .from(suggestions)
      .where(
        and(
          sql`${suggestions.articleId} = listed."articleId" and ${suggestions.opportunityType} = listed.type`,
          or(
            and(eq(suggestions.status, 'rejected'), gt(suggestions.updatedAt, since)),
            and(eq(suggestions.status, 'published'), gt(suggestions.publishedAt, since)),
          ),
        ),
      ),
  )
}

/** Ends undecided suggestions of articles that Google lists by now. */
const nowListed = (ctx: Ctx, accountId: number, projectId: number) => {
  const { id, articleId, status, opportunityType } = suggestions
  const isListed = exists(
    ctx.db
      .select({ id: indexStates.articleId })
      .from(indexStates)
      .where(and(eq(indexStates.articleId, articleId), eq(indexStates.state, 'indexed'))),
  )
  const ended = ctx.db
    .update(suggestions)
    .set({ status: 'superseded', error: 'Google lists the page now.', updatedAt: ctx.now() })
    .where(
      and(eq(suggestions.projectId, projectId), eq(status, 'pending'), eq(opportunityType, 'not_indexed'), isListed),
    )
    .returning({ id })
  return withAudit(ctx, ended, {
    account: accountId,
    action: 'suggestion.supersede',
    on: ['suggestion', sql`made.id`],
  })
}

/**
 * Stores findings as suggestions, and the time of the run.
 *
 * An article with an open suggestion of the type keeps that one. A type that was rejected or published lately is skipped.
 */
const insertFound = async (ctx: Ctx, projectId: number, found: readonly Opportunity[]): Promise<Added> => {
  const { id: accountId } = await ctx.account()
  const now = ctx.now()
  const { articleId, opportunityType: type, priority, reason, trigger } = suggestions
  const live = sql`${listed({ articleId, type, priority, reason, trigger }, found)} join ${articles}
    on ${articles.id} = listed."articleId" and ${eq(articles.projectId, projectId)} and ${statusAllows('sync')}`
  const made = insertWhere(
    suggestions,
    {
      accountId,
      projectId,
      articleId: sql`${articles.id}`,
      articleTitle: sql`${articles.title}`,
      articleUrl: sql`${articles.url}`,
      opportunityType: sql`listed.type`,
      priority: sql`listed.priority`,
      reason: sql`listed.reason`,
      trigger: sql`listed.trigger`,
      createdAt: now,
      updatedAt: now,
    },
    {
      from: live,
      if: sql`not ${rests(ctx, now)}`,
      orderBy: sql`listed.n`,
      onConflict: sql`(article_id, opportunity_type) where ${oneOf(suggestions.status, OPEN_STATES)} do nothing`,
      returning: { id: suggestions.id },
    },
  )
  const entry = { account: accountId, action: 'suggestion.create', on: ['suggestion', sql`made.id`] } as const
  const {
    resting: [skipped],
    added,
  } = await ctx.batch({
    resting: sql<{ resting: number }>`select count(*)::int as resting from ${live} where ${rests(ctx, now)}`,
    added: withAudit<{ id: number }>(ctx, made, entry),
    listed: nowListed(ctx, accountId, projectId),
    suggestionRuns: ctx.db
      .insert(suggestionRuns)
      .values({ projectId, lastRunAt: now })
      .onConflictDoUpdate({ target: suggestionRuns.projectId, set: { lastRunAt: now } }),
  })
  const first = added.length > 0 ? Math.min(...added.map(({ id }) => id)) : null
  return { created: added.length, first, resting: skipped?.resting ?? 0 }
}

type Read = { snapshot: Snapshot | undefined; also: { unlisted: { rows: Unlisted[] } } }

/** Returns what the detectors find; undefined if there is nothing to look through. */
const foundIn = (ctx: Ctx, { snapshot, also }: Read): Opportunity[] | undefined => {
  const unlisted = detectUnlisted(also.unlisted.rows, ctx.now())
  if (snapshot) return [...detect(snapshot), ...unlisted]
  return unlisted.length > 0 ? unlisted : undefined
}

const readFor = (ctx: Ctx, projectId: number) =>
  readSnapshot(ctx, projectId, { unlisted: unlistedArticles(ctx.db, projectId, UNLISTED) })

const addFound = async (ctx: Ctx, projectId: number, found: readonly Opportunity[]) => {
  const added = await insertFound(ctx, projectId, found)
  return { created: added.created, message: messageOf(projectId, added, found.length) }
}

/**
 * Searches the data of a project and adds a suggestion for everything that could be better. Throws 404, 403.
 *
 * It skips articles with an open suggestion of the same type, or one that was rejected or published in the last 28 days.
 */
export const runSuggestions = async (ctx: Ctx, projectId: number) => {
  const read = await readFor(ctx, projectId)
  const { connected } = read
  const found = foundIn(ctx, read)
  const account = await ctx.account()
  const howToConnect = await connection(ctx, connected, projectId, account.id)
  const { created, message } =
    connected && found
      ? await addFound(ctx, projectId, found)
      : { created: 0, message: connected ? NO_DATA : (howToConnect.instructions_for_agent ?? NO_DATA) }
  return { project_id: projectId, created, message, ...howToConnect }
}

/** Moves the next run of a project to tomorrow, because it has no data yet. */
const runTomorrow = (ctx: Ctx, projectId: number) => {
  const tomorrow = new Date(ctx.now().getTime() + DAY_MS)
  const { nextSuggestionsAt } = searchConnections
  const isLater = and(eq(searchConnections.projectId, projectId), gt(nextSuggestionsAt, tomorrow))
  return ctx.batch({ suggestNext: suggestNext(ctx.db, tomorrow, isLater) }, { unaudited: 'the service’s own clock' })
}

/** Adds the suggestions of the week. A project without data yet runs again tomorrow; one that has weekly runs off does not run. */
export const runWeekly = async (ctx: Ctx, projectId: number): Promise<JobResult> => {
  try {
    const read = await readFor(ctx, projectId)
    const { connected, weekly, snapshot } = read
    const found = foundIn(ctx, read)
    if (weekly && connected && found) await addFound(ctx, projectId, found)
    if (weekly && !(connected && snapshot)) await runTomorrow(ctx, projectId)
  } catch (error) {
    // A project that was archived or deleted needs no suggestions.
    if (!(error instanceof ApiError && error.code === 'not_found')) throw error
  }
  return { kind: 'done' }
}
