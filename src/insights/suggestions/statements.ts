import { and, eq, inArray, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { accounts } from '../../../schema/accounts.ts'
import { articles } from '../../../schema/articles.ts'
import { oneOf } from '../../../schema/columns.ts'
import { projects } from '../../../schema/projects.ts'
import { suggestionRuns, suggestions } from '../../../schema/suggestions.ts'
import { type Making, OPEN_STATES, type SuggestionState, type Wording } from '../../../schema/values/suggestions.ts'
import { changeArticle, keepRevision, oldArticle } from '../../content/articles/parts.ts'
import { mayMove, statusAllows } from '../../content/articles/standing-parts.ts'
import { audit } from '../../platform/db/audit.ts'
import { at } from '../../platform/db/instant.ts'
import type { AnyPart } from '../../platform/db/part.ts'
import { givenRows, select } from '../../platform/db/read-parts.ts'
import { countOf, ONE_ROW, type Parts, statement } from '../../platform/db/statement.ts'
import { type Changes, excluded, insert, update } from '../../platform/db/write-parts.ts'
import { DAY_MS } from '../../platform/lib/time.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { changedBySuggestion } from '../effects/parts.ts'
import { claimForSuggestions, suggestBy } from '../search/parts.ts'
import { WINDOW_DAYS } from '../search/rules.ts'
import { nextRunAfter } from './calendar.ts'
import type { Opportunity } from './detect.ts'
import { rewriteJob, weeklyJob } from './jobs.ts'
import { MOVES, type Move } from './states.ts'
import type { TakenBack } from './take-back.ts'

const ran = (projectId: number, now: Date) =>
  insert(
    'ran',
    suggestionRuns,
    { projectId, lastRunAt: now },
    { onConflict: { columns: [suggestionRuns.projectId], set: { lastRunAt: excluded(suggestionRuns.lastRunAt) } } },
  )

/**
 * True if an article had a suggestion of the type that was rejected or published so lately that the numbers which led to it still
 * count.
 */
const rests = (articleId: SQL, type: SQL, now: Date): SQL => {
  const since = at(new Date(now.getTime() - WINDOW_DAYS * DAY_MS))
  return sql`exists (select 1 from ${suggestions} where ${eq(suggestions.articleId, articleId)} and ${eq(suggestions.opportunityType, type)}
    and ${or(
      and(eq(suggestions.status, 'rejected'), sql`${suggestions.updatedAt} > ${since}`),
      and(eq(suggestions.status, 'published'), sql`${suggestions.publishedAt} > ${since}`),
    )})`
}

/**
 * Stores what was found, and that the project was looked through. An article that has an open suggestion of the type keeps it, and
 * gets none of a type that rests. One row: how many are new, and how many rest.
 */
export const insertFound = (ctx: Ctx, projectId: number, accountId: number, found: readonly Opportunity[]): SQL => {
  const columns = {
    articleId: suggestions.articleId,
    type: suggestions.opportunityType,
    priority: suggestions.priority,
    reason: suggestions.reason,
    trigger: suggestions.trigger,
  }
  const rows = givenRows('found', columns, found)
  const { articleId, type, priority, reason, trigger, n } = rows.c
  const live = select(
    'live',
    {
      ...{ articleId, type, priority, reason, trigger, n, title: articles.title, url: articles.url },
      rests: rests(articleId, type, ctx.now()),
    },
    sql`from ${rows.rows} join ${articles} on ${eq(articles.id, articleId)} and ${eq(articles.projectId, projectId)}
      and ${statusAllows('sync')} order by ${n}`,
    { materialized: true },
  )
  const made = insert(
    'made',
    suggestions,
    {
      accountId,
      projectId,
      articleId: live.c.articleId,
      articleTitle: live.c.title,
      articleUrl: live.c.url,
      opportunityType: live.c.type,
      priority: live.c.priority,
      reason: live.c.reason,
      trigger: live.c.trigger,
      createdAt: ctx.now(),
      updatedAt: ctx.now(),
    },
    {
      from: [live],
      where: sql`not ${live.c.rests}`,
      onConflict: {
        columns: [suggestions.articleId, suggestions.opportunityType],
        where: oneOf(suggestions.status, OPEN_STATES),
      },
      returning: { id: suggestions.id },
    },
  )
  const seen = ran(projectId, ctx.now())
  return statement({
    parts: [rows, live, made, seen],
    audit: audit(ctx, { of: made, account: accountId, action: 'suggestion.create', on: ['suggestion', made.c.id] }),
    answer: {
      created: countOf(made),
      first: sql`(select min(${made.c.id}) from ${made.rows})`,
      resting: sql`(select count(*) from ${live.rows} where ${live.c.rests})`,
    },
    answerFrom: ONE_ROW,
  })
}

/**
 * Parts that give an article the words from before a rewrite again, as a new revision.
 *
 * `holds` has a row, locked, if the rewrite is still its present version and nobody has a lease on it; `parts` follow from a
 * part with a row.
 */
const putBack = (ctx: Ctx, accountId: number, { articleId, revision, words, savedAt, ...rest }: TakenBack) => {
  const { siteHasThem, assessment } = rest
  const old = oldArticle({
    where: sql`${and(
      eq(articles.id, articleId),
      eq(articles.accountId, accountId),
      eq(articles.revision, revision),
      eq(articles.publishState, 'failed'),
      assessment.stands,
    )} and ${mayMove('sync', ctx.now())}`,
    lock: 'no key update',
  })
  const partsAfter = (moved: AnyPart): Parts => {
    const restored = changeArticle(
      'restored',
      {
        title: words.title,
        metaDescription: words.meta_description,
        content: words.content,
        ...assessment.changes,
        revision: revision + 1,
        updatedAt: savedAt,
        ...(siteHasThem ? { publishState: 'idle' as const, publishError: null } : {}),
      },
      { from: [old], where: sql`${eq(articles.id, old.c.id)} and ${moved.hasRows}` },
    )
    const told = audit(ctx, {
      of: restored,
      account: accountId,
      action: 'article.update',
      on: ['article', restored.c.id],
      detail: { fields: ['title', 'meta_description', 'content'] },
      name: 'audited_article',
    })
    return [restored, keepRevision(old, restored), assessment.parts(restored), told]
  }
  return { old, partsAfter }
}

type Moved = { id: number; accountId: number }

type Along = {
  answer?: unknown
  detail?: Record<string, unknown>
  /** The states it is made from, where they are others than those a caller may make it from. */
  from?: readonly SuggestionState[]
  /** It is made by the call that publishes the suggestion; others wait until that has ended. */
  byHolder?: boolean
  /** The article whose live page it changed. */
  changedArticle?: number
  /** Time of the last decision on its source: nothing happens if there was one since. */
  since?: Date
  /** The revision that the rewrite was made for, or saved as, when it was read. */
  base?: number | null
  /** The words its article gets back with it: nothing where it cannot. */
  back?: TakenBack | undefined
}

const isFree = (now: Date): SQL => sql`${or(isNull(suggestions.publishingUntil), lt(suggestions.publishingUntil, now))}`

/** Holds a ready suggestion for one call that publishes it. No row: another call holds it, or it is not ready any more. */
export const holdForPublishing = (now: Date, id: number, until: Date): SQL => {
  const held = update(
    'held',
    suggestions,
    { publishingUntil: until },
    {
      where: sql`${and(eq(suggestions.id, id), eq(suggestions.status, 'ready'), isFree(now))}`,
      returning: { id: suggestions.id },
    },
  )
  return statement({ unaudited: 'told when it is published', parts: [held], answer: { id: held.c.id } })
}

/**
 * Lets go of a suggestion that could not be published. `now`: the article as it is, where it has the words of the rewrite by now.
 */
export const letGo = (id: number, until: Date, now?: { revision: number; before: Wording }): SQL => {
  const freed = update(
    'freed',
    suggestions,
    { publishingUntil: null, ...(now ? { baseRevision: now.revision, before: now.before } : {}) },
    {
      where: sql`${and(eq(suggestions.id, id), eq(suggestions.publishingUntil, until))}`,
      returning: { id: suggestions.id },
    },
  )
  return statement({ unaudited: 'nothing of the suggestion was decided', parts: [freed], answer: { id: freed.c.id } })
}

/** Keeps what is made of a rewrite so far. No row: it was decided meanwhile. */
export const keepMaking = ({ id, updatedAt }: { id: number; updatedAt: Date }, making: Making): SQL => {
  const kept = update(
    'kept',
    suggestions,
    { making },
    {
      where: sql`${and(eq(suggestions.id, id), eq(suggestions.status, 'rewriting'), eq(suggestions.updatedAt, updatedAt))}`,
      returning: { id: suggestions.id },
    },
  )
  return statement({ unaudited: 'a step of a rewrite decides nothing', parts: [kept], answer: { id: kept.c.id } })
}

/** Makes a move of a suggestion, if its state still allows it, and queues the rewrite where one follows. No row: it does not. */
export const moveSuggestion = (
  ctx: Ctx,
  { id, accountId }: Moved,
  move: Move,
  changes: Changes<typeof suggestions> = {},
  { answer, detail, from = MOVES[move].from, byHolder = false, changedArticle, since, base, back }: Along = {},
): SQL => {
  const now = ctx.now()
  const article = back && putBack(ctx, accountId, back)
  const moved = update(
    'moved',
    suggestions,
    { making: null, ...changes, status: MOVES[move].to, updatedAt: now, publishingUntil: null },
    {
      where: sql`${and(
        eq(suggestions.id, id),
        inArray(suggestions.status, [...from]),
        byHolder ? undefined : isFree(now),
        since && eq(suggestions.updatedAt, since),
        base === undefined ? undefined : sql`${suggestions.baseRevision} is not distinct from ${base}::int`,
        article?.old.hasRows,
      )}`,
      returning: { id: suggestions.id, status: suggestions.status },
    },
  )
  const isQueued = MOVES[move].to === 'approved'
  return statement({
    parts: [
      article?.old,
      moved,
      article?.partsAfter(moved),
      isQueued &&
        rewriteJob.enqueue({
          from: moved,
          account: accountId,
          payload: { suggestion_id: moved.c.id },
          runAt: now,
          open: 'move',
        }),
      changedArticle !== undefined && changedBySuggestion(moved, changedArticle, id),
      answer !== undefined && ctx.keep.answer([moved], answer),
    ],
    audit: audit(ctx, {
      of: moved,
      account: accountId,
      action: `suggestion.${move}`,
      on: ['suggestion', moved.c.id],
      ...(detail ? { detail } : {}),
    }),
    answer: { id: moved.c.id, status: moved.c.status },
  })
}

/** Projects a minute: ten thousand are asked for in five. */
const BATCH = 2_000
/** The runs of one minute are spread over the hour. */
const SPREAD_S = 3_300
/**
 * Queues the weekly runs of connected projects whose time has come, a batch at a time, each at a second of its own within the hour after
 * that time. Answers how many were taken.
 *
 * Those that do not wish for a run, archived ones, and those of suspended accounts, wait for the next week.
 */
export const enqueueWeekly = (now: Date): SQL => {
  const { due, taken } = claimForSuggestions(now, nextRunAfter(now), BATCH)
  const isWished = sql`exists (select 1 from ${projects} where ${projects.id} = ${taken.c.id} and ${projects.status} = 'Active'
    and ${projects.weeklySuggestions}
    and exists (select 1 from ${accounts} where ${accounts.id} = ${projects.accountId} and ${accounts.suspendedAt} is null))`
  const place = sql`(${taken.c.id}::bigint * 2654435761 % ${sql.raw(String(SPREAD_S))}) * interval '1 second'`
  const queued = weeklyJob.enqueue({
    from: taken,
    account: taken.c.accountId,
    payload: { project_id: taken.c.id },
    runAt: sql`greatest(${taken.c.dueAt} + ${place}, ${at(now)})`,
    open: 'keep',
    where: sql`${taken.c.hasData} and ${isWished}`,
  })
  return statement({
    unaudited: 'the runs themselves are told',
    parts: [due, taken, queued],
    answer: { queued: countOf(queued) },
    answerFrom: ONE_ROW,
  })
}

/** Queues the project's run again for tomorrow: it had no data yet. */
export const runTomorrow = (projectId: number, now: Date): SQL => {
  const earlier = suggestBy(projectId, new Date(now.getTime() + DAY_MS))
  return statement({ unaudited: 'the service’s own clock', parts: [earlier], answer: { id: earlier.c.id } })
}
