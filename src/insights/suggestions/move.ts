import { and, eq, exists, inArray, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { articles } from '../../../schema/articles.ts'
import { suggestions } from '../../../schema/suggestions.ts'
import type { SuggestionState, Wording } from '../../../schema/values/suggestions.ts'
import { type Assessment, assess, assessmentQueries } from '../../content/articles/assess.ts'
import { readSent } from '../../content/articles/content.ts'
import { isMoveAllowed } from '../../content/articles/parts.ts'
import { keepRevision } from '../../content/articles/writes.ts'
import { type Statement, when } from '../../platform/db/steps.ts'
import { audit } from '../../platform/db/writes.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { changedBySuggestion } from '../effects/writes.ts'
import { rewriteJob } from './jobs.ts'
import { wordsBefore } from './queries.ts'
import type { SuggestionDetail } from './read.ts'

/** Actions on a suggestion, the states they start from, and the state they lead to. */
export const MOVES = {
  approve: { from: ['pending'], to: 'approved' },
  take: { from: ['approved', 'rewriting'], to: 'rewriting' },
  stage: { from: ['rewriting'], to: 'ready' },
  fail: { from: ['approved', 'rewriting'], to: 'failed' },
  publish: { from: ['ready'], to: 'published' },
  reject: { from: ['pending', 'approved', 'rewriting', 'ready', 'failed'], to: 'rejected' },
  regenerate: { from: ['ready', 'failed'], to: 'approved' },
  supersede: { from: ['pending', 'approved', 'rewriting', 'ready', 'failed'], to: 'superseded' },
} as const satisfies Record<string, { from: readonly SuggestionState[]; to: SuggestionState }>

export type Move = keyof typeof MOVES

/** True if the move is allowed from a state. */
export const isAllowed = (move: Move, from: SuggestionState): boolean =>
  (MOVES[move].from as readonly SuggestionState[]).includes(from)

/** A suggestion with its rewrite, and the live article it is for. */
export type Staged = SuggestionDetail & { articleId: number; after: Wording; revision: number; articleUpdatedAt: Date }

/** True if there is a rewrite, and a live article to publish it as. */
export const isStaged = (found: SuggestionDetail): found is Staged =>
  found.articleId !== null && found.after !== null && found.revision !== null && found.articleStatus === 'Published'

type Words = Pick<SuggestionDetail, 'title' | 'metaDescription' | 'content'>

/** True if an article has these words. */
export const hasWording = (found: Words, { title, meta_description: description, content }: Wording): boolean =>
  found.title === title && found.metaDescription === description && found.content === content

/** True if the article has something of the rewrite that it did not have before. */
const hasSomeWording = ({ title, metaDescription, content, before, after }: Staged): boolean =>
  (title === after.title && title !== before?.title) ||
  (metaDescription === after.meta_description && metaDescription !== before?.meta_description) ||
  (content === after.content && content !== before?.content)

type NextCall = { method: string; path: string; body?: { sync: true }; why: string }

/** Result of a rejection: a message about the article, and the words to restore. */
export type Rejection = {
  message: string
  next_calls?: NextCall[]
  back?: TakenBack
}

/** Words to restore in an article. `siteHasThem`: readers see them already. */
type TakenBack = {
  articleId: number
  /** The revision that has the rewrite. */
  revision: number
  state: Unsent
  words: Wording
  savedAt: Date
  siteHasThem: boolean
  assessment: Assessment
}

const UNTOUCHED: Rejection = { message: 'The suggestion is rejected. The article stays as it is.' }

/** Returns the end of a sentence about a rewrite that stays in the article: its state. */
const whereabouts = ({ publishState }: Staged): string => {
  if (publishState === 'idle') return 'is live: the article keeps it.'
  if (publishState === 'awaiting_merge')
    return 'is saved in the article and in a pull request, which would still bring it to the site: close the pull request, or merge it.'
  if (publishState === 'publishing') return 'is saved in the article and on its way to the site: the article keeps it.'
  return 'is saved in the article, which keeps it: the next sync sends it to the site.'
}

/** Returns the rejection if the article keeps the rewrite, or a part of it. */
const kept = (found: Staged, older: number | null): Rejection => {
  const what = hasWording(found, found.after) ? 'Its rewrite' : 'A part of its rewrite'
  const revisions = `/articles/${found.articleId}/revisions`
  const next: NextCall =
    older === null
      ? { method: 'GET', path: revisions, why: 'Lists earlier versions, to restore one of them.' }
      : {
          method: 'POST',
          path: `${revisions}/${older}/restore`,
          body: { sync: true },
          why: 'Saves the earlier text and sends it to the site.',
        }
  return { message: `The suggestion is rejected. ${what} ${whereabouts(found)}`, next_calls: [next] }
}

/** State of an article whose rewrite was saved and is not at the site: it was refused, or its pull request was closed. */
type Unsent = 'failed' | 'awaiting_merge'

/** True if the rewrite was saved, is not at the site, and the article was not changed since. */
const isSavedOnly = (found: Staged, state: Unsent): found is Staged & { before: Wording } =>
  found.publishState === state &&
  found.revision === found.baseRevision &&
  found.before !== null &&
  hasWording(found, found.after) &&
  !hasWording(found, found.before)

const restored = (found: Staged, back: TakenBack): Rejection => {
  const message = `The suggestion is rejected. Its rewrite was saved, but did not reach the site. The article has its earlier text again, as revision ${found.revision + 1}.`
  if (back.siteHasThem) return { back, message }
  const path = `/articles/${found.articleId}/sync`
  return {
    back,
    message: `The suggestion is rejected. The article has its text from before the rewrite again, as revision ${found.revision + 1}. It is not known what the site shows.`,
    next_calls: [{ method: 'POST', path, why: 'Without a body: sends the earlier text to the site.' }],
  }
}

const assessedOf = (found: Staged, words: Wording) => ({
  keyword: found.mainKeyword ?? '',
  title: words.title,
  slug: found.slug ?? '',
  metaDescription: words.meta_description,
  articleStyle: found.articleStyle ?? '',
  featureImage: found.featureImage ?? undefined,
})

/**
 * Returns the rejection of a suggestion: its message and, if the rewrite was saved but not sent, the words to restore.
 *
 * `state`: the article's state. It is `awaiting_merge` only if the pull request with the rewrite was closed.
 */
export const rejectionOf = async (ctx: Ctx, found: SuggestionDetail, state: Unsent = 'failed'): Promise<Rejection> => {
  if (!isStaged(found) || !hasSomeWording(found)) return UNTOUCHED
  const { articleId, revision, articleUpdatedAt } = found
  const { safe } = isSavedOnly(found, state) ? await readSent(ctx, { content: found.before.content }) : {}
  const { earlier, around } = await ctx.read(() => ({
    earlier: wordsBefore(ctx.db, found.id),
    around: assessmentQueries(ctx, { articleId }, safe?.reading),
  }))
  const { older = null, shown = false } = earlier.rows[0] ?? {}
  if (!safe || !isSavedOnly(found, state)) return kept(found, older)
  const words = { ...found.before, content: safe.html }
  const assessment = await assess(ctx, around, { articleId }, assessedOf(found, words), safe.reading)
  const savedAt = new Date(Math.max(ctx.now().getTime(), articleUpdatedAt.getTime() + 1))
  return restored(found, { articleId, revision, state, words, savedAt, siteHasThem: shown, assessment })
}

type Moved = { id: number; accountId: number }

export type SuggestionChanges = PgUpdateSetSource<typeof suggestions>

type Along = {
  answer?: unknown
  detail?: Record<string, unknown>
  /** Allowed states, if they differ from those for callers. */
  from?: readonly SuggestionState[]
  /** True for the call that publishes the suggestion. Other calls must wait until that has ended. */
  byHolder?: boolean
  /** The article whose live page the suggestion changed. */
  changedArticle?: number
  /** Time of the suggestion's last update when it was read. Nothing happens if it changed since. */
  since?: Date
  /** Value of `baseRevision` when it was read: the revision the rewrite was made for, or saved as. */
  base?: number | null
  /** Words to restore in the article. Nothing happens if they cannot be restored. */
  back?: TakenBack | undefined
}

/** Returns a condition: no call holds the suggestion to publish it. */
export const isFree = (now: Date): SQL | undefined =>
  or(isNull(suggestions.publishingUntil), lt(suggestions.publishingUntil, now))

/**
 * Returns a condition on articles: the rewrite is the present version and was not sent, and no call has a lease on the article.
 */
const isUnsent = (accountId: number, { articleId, revision, state, assessment }: TakenBack, now: Date) =>
  and(
    eq(articles.id, articleId),
    eq(articles.accountId, accountId),
    eq(articles.revision, revision),
    eq(articles.publishState, state),
    assessment.isCurrent,
    isMoveAllowed('sync', now),
  )

/** Updates a suggestion and ends any hold on it. */
const updateSuggestion = ({ db }: Ctx, changes: SuggestionChanges, where: SQL | undefined) =>
  db
    .update(suggestions)
    .set({ ...changes, publishingUntil: null })
    .where(where)
    .returning({ id: suggestions.id })

/**
 * Restores the words that an article had before a rewrite, as a new revision.
 *
 * Moves the suggestion in the same statement, because each of the two conditions needs the other row as it was before.
 */
const restoreWith = (
  { db }: Ctx,
  { revision, words, savedAt, siteHasThem, assessment }: TakenBack,
  article: SQL | undefined,
  move: ReturnType<typeof updateSuggestion>,
) => {
  const moved = db.$with('moved').as(move)
  return db
    .with(moved)
    .update(articles)
    .set({
      title: words.title,
      metaDescription: words.meta_description,
      content: words.content,
      ...assessment.changes,
      revision: revision + 1,
      updatedAt: savedAt,
      ...(siteHasThem ? { publishState: 'idle' as const, publishError: null } : {}),
    })
    .where(and(article, exists(db.select().from(moved))))
    .returning({ id: articles.id })
}

/** Returns the other statements for restored words: links, the present version as a revision, and an audit entry. */
const besideRestored = (
  ctx: Ctx,
  accountId: number,
  { articleId, assessment }: TakenBack,
  condition: SQL,
): Statement[] => {
  const isRestored = sql`exists (select 1 from ${articles} where ${condition})`
  return [
    ...assessment.writes(articleId, isRestored),
    keepRevision({ if: condition }),
    audit(ctx, {
      account: accountId,
      action: 'article.update',
      on: ['article', articleId],
      detail: { fields: ['title', 'meta_description', 'content'] },
      if: isRestored,
    }),
  ]
}

/** Moves a suggestion if its state still allows it, and queues the rewrite if one follows. Returns true if it was moved. */
export const moveSuggestion = async (
  ctx: Ctx,
  { id, accountId }: Moved,
  move: Move,
  changes: SuggestionChanges = {},
  { answer, detail = {}, from = MOVES[move].from, byHolder = false, changedArticle, since, base, back }: Along = {},
): Promise<boolean> => {
  const { db } = ctx
  const now = ctx.now()
  const article = back && isUnsent(accountId, back, now)
  const unsent = () => db.select({ id: articles.id }).from(articles).where(article)
  const canMove = and(
    eq(suggestions.id, id),
    inArray(suggestions.status, [...from]),
    byHolder ? undefined : isFree(now),
    since && eq(suggestions.updatedAt, since),
    base === undefined ? undefined : sql`${suggestions.baseRevision} is not distinct from ${base}::int`,
    back && exists(unsent()),
  )
  const movable = () => db.select({ id: suggestions.id }).from(suggestions).where(canMove)
  const isMoved = exists(movable())
  const moved = updateSuggestion(ctx, { making: null, ...changes, status: MOVES[move].to, updatedAt: now }, canMove)
  const { moved: suggestion = [] } = await ctx.batch({
    links: back?.assessment.locks,
    article: back && unsent().for('no key update'),
    suggestion: movable().for('no key update'),
    ...when(isMoved, {
      beside: back && ((isMet) => besideRestored(ctx, accountId, back, and(article, isMet) as SQL)),
      rewriteJob:
        MOVES[move].to === 'approved' &&
        enqueue(rewriteJob, { suggestion_id: id }, { account: accountId, runAt: now, open: 'move' }),
      changedBySuggestion:
        changedArticle !== undefined && ((isMet) => changedBySuggestion(db, changedArticle, id, isMet)),
      kept: answer !== undefined && ctx.keepAnswer(answer),
      audit: audit(ctx, {
        account: accountId,
        action: `suggestion.${move}`,
        on: ['suggestion', id],
        detail,
      }),
    }),
    moved: back ? restoreWith(ctx, back, article, moved) : moved,
  })
  return suggestion.length > 0
}
