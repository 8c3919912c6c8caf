import { and, eq, isNull, ne, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { oneOf } from '../../../schema/columns.ts'
import { deliveries } from '../../../schema/deliveries.ts'
import { askParts, gateOf } from '../../accounts/approvals/parts.ts'
import type { Proposal } from '../../accounts/approvals/rules.ts'
import { policyGate } from '../../accounts/policy/parts.ts'
import type { Assessment } from '../../content/articles/assess.ts'
import { changeArticle, holdArticle, keepRevision, oldArticle } from '../../content/articles/parts.ts'
import { mayMove } from '../../content/articles/standing-parts.ts'
import { pageChanged } from '../../insights/effects/parts.ts'
import { audit } from '../../platform/db/audit.ts'
import { read, select } from '../../platform/db/read-parts.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Changes } from '../../platform/db/write-parts.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { Attempt, Ending, NewAttempt } from '../deliveries/attempt.ts'
import { beginAttempt, openDelivery, replaceDeliveries } from '../deliveries/parts.ts'
import { checkLivePage } from '../jobs.ts'
import { keptPost } from '../remote/site-parts.ts'
import { articleLives, endAttempt, letArticleGo } from '../send/end-parts.ts'

/** Contents of a sync's save: the edited columns, the revision that was read, and what follows from the content. */
export type Saving = {
  articleId: number
  readRevision: number
  /** Time of the version that the caller named; any if none was named. */
  readAt?: Date | undefined
  /** Time of the save, as answers show it. */
  savedAt: Date
  edits: Changes<typeof articles>
  assessment: Pick<Assessment, 'changes' | 'parts' | 'stands'>
  /** Content that the policy may have a person approve. */
  proposal: Proposal
}

/** The article as it was read, and the condition that it may be changed at its site now. */
const readAs = ({ articleId, readRevision, readAt, assessment, proposal }: Saving, now: Date) => {
  const old = oldArticle({
    where: sql`${and(eq(articles.id, articleId), eq(articles.accountId, proposal.accountId))}`,
    lock: 'update',
  })
  const stands = sql`${and(
    eq(articles.id, old.c.id),
    eq(articles.revision, readRevision),
    readAt && eq(articles.updatedAt, readAt),
    assessment.stands,
  )} and ${mayMove('sync', now)}`
  return { old, stands }
}

/** The edits as columns, with what follows from them. */
const savedAs = ({ readRevision, savedAt, edits, assessment }: Saving, revision: number) => ({
  ...edits,
  ...assessment.changes,
  revision,
  publishError: null,
  ...(revision === readRevision ? {} : { updatedAt: savedAt }),
})

/**
 * Saves edits of a published article as a new revision and opens the update that carries them. A sync that died is called
 * off. No id: a rule of the policy forbids it, another sync holds the article, it was changed meanwhile, or what the answer says of its links does not stand.
 */
export const claimSync = (ctx: Ctx, attempt: NewAttempt, saving: Saving): SQL => {
  const now = ctx.now()
  const { accountId, projectId, revision, lease, platform } = attempt
  const { assessment, proposal } = saving
  const { old, stands } = readAs(saving, now)
  const gate = gateOf(proposal, ctx, old)
  const policy = policyGate(projectId, { activity: 'sync', now, target: platform, isApproved: gate.isApproved })
  const article = holdArticle(lease, {
    from: [old, policy.allowed],
    where: stands,
    also: savedAs(saving, revision),
  })
  const { calledOff, parts: replaced } = replaceDeliveries(article, 'Replaced by a later sync.', now)
  // Materialized, so that the open delivery is called off before the new one is inserted.
  const ready = select(
    'ready',
    { id: article.c.id, calledOff: sql`(select count(*) from ${calledOff.rows})` },
    sql`from ${article.rows}`,
    { materialized: true },
  )
  const delivery = openDelivery(attempt, { articleId: ready.c.id, createdAt: now, from: [ready] })
  return statement({
    unaudited: 'what a sync did is written to the audit log when it ends',
    parts: [
      old,
      gate.approved,
      policy.parts,
      article,
      gate.settle(article),
      keepRevision(old, article, ne(old.c.revision, revision)),
      replaced,
      ready,
      delivery,
      beginAttempt(delivery, accountId, lease, now),
      assessment.parts(article),
      ctx.keep.running([delivery], lease),
    ],
    answer: { id: delivery.c.id, attempts: delivery.c.attempts, rule: policy.rule },
    answerFrom: policy.answerBeside(delivery),
  })
}

/**
 * Asks a person whether a change may be sent to a live article's site. Its edits are saved here and wait; those of a suggestion stay
 * with the suggestion until then. No row: as of `claimSync`.
 */
export const askToSync = (ctx: Ctx, saving: Saving, revision: number): SQL => {
  const { assessment, proposal } = saving
  const { old, stands } = readAs(saving, ctx.now())
  const isKept = proposal.kind === 'sync'
  const article = isKept
    ? changeArticle(
        'waiting_article',
        { publishState: 'awaiting_approval', ...savedAs(saving, revision) },
        { from: [old], where: stands },
      )
    : read('waiting_article', articles, { id: articles.id }, { from: [old], where: stands })
  const question = askParts(ctx, proposal, { from: article })
  return statement({
    parts: [
      old,
      article,
      isKept && keepRevision(old, article, ne(old.c.revision, revision)),
      isKept && assessment.parts(article),
      question.parts,
    ],
    audit: question.audit,
    answer: question.answer,
    answerFrom: question.answerFrom,
  })
}

/** The newest publication of an article, which a receiver that lost the post can be sent again. */
const newestPublication = (articleId: number | null): SQL =>
  sql`(select max(${deliveries.id}) from ${deliveries} where ${and(
    sql`${deliveries.articleId} = ${articleId}::int`,
    eq(deliveries.eventType, 'publish_articles'),
    oneOf(deliveries.status, ['delivered']),
    isNull(deliveries.replayOf),
  )})`

/** Writes how a sync ended: the article stays published either way, its new content saved. Of a failed one it tells the publication. */
export const finishSync = (
  ctx: Ctx,
  attempt: Attempt,
  ending: Ending,
  { url, remoteId }: { url?: string | undefined; remoteId?: string | undefined },
  answer: unknown,
): SQL => {
  const now = ctx.now()
  const { accountId } = attempt
  const succeeded = ending.status === 'delivered'
  const { delivery, parts } = endAttempt(attempt, ending, now)
  const article = letArticleGo(attempt, delivery, {
    state: succeeded ? 'idle' : 'failed',
    error: ending.error,
    move: 'sync',
    // A post at a site that tells no address stays known as it was.
    ...(succeeded && url !== undefined ? { also: keptPost(attempt.integrationId, { url, remoteId }) } : {}),
  })
  return statement({
    parts: [
      parts,
      article,
      succeeded && articleLives(article, accountId, url, now),
      succeeded && url === undefined && checkLivePage(article, accountId, now),
      succeeded && pageChanged(article, attempt, now),
      succeeded ? ctx.keep.done(delivery, answer) : ctx.keep.dropped(delivery),
    ],
    audit: audit(ctx, {
      of: delivery,
      account: accountId,
      action: succeeded ? 'article.sync' : 'article.sync_failed',
      on: ['delivery', delivery.c.id],
    }),
    answer: { id: delivery.c.id, ...(succeeded ? {} : { publication: newestPublication(attempt.articleId) }) },
  })
}
