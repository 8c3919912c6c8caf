import { and, eq, inArray, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../schema/articles.ts'
import { oneOf } from '../../schema/columns.ts'
import { projects } from '../../schema/projects.ts'
import { searchConnections } from '../../schema/search.ts'
import { suggestionRuns, suggestions } from '../../schema/suggestions.ts'
import { OPEN_STATES, type SuggestionState, type Wording } from '../../schema/values/suggestions.ts'
import { audit } from '../db/audit.ts'
import { givenRows, select } from '../db/read-parts.ts'
import { countOf, ONE_ROW, statement } from '../db/statement.ts'
import { type Changes, excluded, insert, update } from '../db/write-parts.ts'
import type { Ctx } from '../runtime/ctx.ts'
import { rewriteJob, weeklyJob } from './declared-jobs.ts'
import type { Opportunity } from './detect.ts'
import { MOVES, type Move } from './states.ts'

const ran = (projectId: number, now: Date) =>
  insert(
    'ran',
    suggestionRuns,
    { projectId, lastRunAt: now },
    { onConflict: { columns: [suggestionRuns.projectId], set: { lastRunAt: excluded(suggestionRuns.lastRunAt) } } },
  )

/**
 * Stores what was found, and that the project was looked through. An article that has an open suggestion of the type keeps it.
 * One row: how many are new.
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
    { articleId, type, priority, reason, trigger, n, title: articles.title, url: articles.url },
    sql`from ${rows.rows} join ${articles} on ${eq(articles.id, articleId)} and ${eq(articles.projectId, projectId)}
      and ${eq(articles.status, 'Published')} order by ${n}`,
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
    answer: { created: countOf(made) },
    answerFrom: ONE_ROW,
  })
}

type Moved = { id: number; accountId: number }

type Making = {
  answer?: unknown
  detail?: Record<string, unknown>
  /** The states it is made from, where they are others than those a caller may make it from. */
  from?: readonly SuggestionState[]
  /** It is made by the call that publishes the suggestion; others wait until that has ended. */
  byHolder?: boolean
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

/** Makes a move of a suggestion, if its state still allows it, and queues the rewrite where one follows. No row: it does not. */
export const moveSuggestion = (
  ctx: Ctx,
  { id, accountId }: Moved,
  move: Move,
  changes: Changes<typeof suggestions> = {},
  { answer, detail, from = MOVES[move].from, byHolder = false }: Making = {},
): SQL => {
  const now = ctx.now()
  const moved = update(
    'moved',
    suggestions,
    { ...changes, status: MOVES[move].to, updatedAt: now, publishingUntil: null },
    {
      where: sql`${and(
        eq(suggestions.id, id),
        inArray(suggestions.status, [...from]),
        byHolder ? undefined : isFree(now),
      )}`,
      returning: { id: suggestions.id, status: suggestions.status },
    },
  )
  const isQueued = MOVES[move].to === 'approved'
  return statement({
    parts: [
      moved,
      isQueued &&
        rewriteJob.enqueue({
          from: moved,
          account: accountId,
          payload: { suggestion_id: moved.c.id },
          runAt: now,
          open: 'move',
        }),
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

const BATCH = sql.raw('200')

/** Queues the weekly run of projects that were not looked through since `since`, a batch at a time. Answers how many. */
export const takeWeekly = (now: Date, since: Date): SQL => {
  const due = select(
    'due',
    { id: projects.id, accountId: projects.accountId },
    sql`from ${searchConnections} join ${projects} on ${eq(projects.id, searchConnections.projectId)}
        and ${eq(projects.status, 'Active')} and ${projects.weeklySuggestions}
      left join ${suggestionRuns} on ${eq(suggestionRuns.projectId, projects.id)}
      where ${searchConnections.sourceId} is not null
        and coalesce(${suggestionRuns.lastRunAt}, 'epoch') < ${since.toISOString()}::timestamptz
      order by ${projects.id} limit ${BATCH}`,
    { materialized: true },
  )
  const queued = weeklyJob.enqueue({
    from: due,
    account: due.c.accountId,
    payload: { project_id: due.c.id },
    runAt: now,
    open: 'keep',
  })
  const marked = insert(
    'marked',
    suggestionRuns,
    { projectId: due.c.id, lastRunAt: now },
    {
      from: [due],
      onConflict: { columns: [suggestionRuns.projectId], set: { lastRunAt: excluded(suggestionRuns.lastRunAt) } },
    },
  )
  return statement({
    unaudited: 'the runs themselves are told',
    parts: [due, queued, marked],
    answer: { queued: countOf(due) },
    answerFrom: ONE_ROW,
  })
}
