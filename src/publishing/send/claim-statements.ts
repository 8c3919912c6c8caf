import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { deliveries } from '../../../schema/deliveries.ts'
import { approvalOf, policyGate } from '../../accounts/policy/parts.ts'
import { select } from '../../platform/db/read-parts.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { NewAttempt } from '../deliveries/attempt.ts'
import {
  beginAttempt,
  endLostAttempts,
  isFree,
  isOpen,
  openDelivery,
  replaceDeliveries,
  resumeDelivery,
} from '../deliveries/parts.ts'
import { isSentAsDraftTo } from '../remote/site-parts.ts'
import { TARGET_REPLACED } from '../target/reasons.ts'
import { type Claim, claimAnswer, claimTurn, noteTurn } from './turn-parts.ts'

const UNAUDITED = 'what an attempt did is written to the audit log when it ends'

/** The article is as it was read: not sent to this site as a draft since, and no delivery came to wait meanwhile that nobody has seen. */
const asReadBy = ({ articleId, integrationId, request }: NewAttempt, replaces: number | null): SQL =>
  sql`${isSentAsDraftTo(integrationId)} = ${request.event === 'update_articles'}::boolean and not exists (
      select 1 from ${deliveries} where ${deliveries.articleId} = ${articleId}::int and ${and(isOpen(), isNull(deliveries.replayOf))}
        and ${deliveries.id} is distinct from ${replaces}::int)`

type NewPublication = Claim & { attempt: NewAttempt; replaces: { id: number; integrationId: number } | null }

/**
 * Claims the article and the project's turn and opens a new delivery; `replaces`, the one still open for other content or
 * another target, is called off. Answers a ClaimRow. Two at once may violate `deliveries_open_unique`.
 */
export const claimWithNewDelivery = (ctx: Ctx, claim: NewPublication): SQL => {
  const now = ctx.now()
  const { attempt, accountId, lease } = claim
  const turn = claimTurn(ctx, claim, null, () => asReadBy(attempt, claim.replaces?.id ?? null))
  const isMoved = claim.replaces !== null && claim.replaces.integrationId !== attempt.integrationId
  const reason = isMoved ? TARGET_REPLACED : 'Replaced by a delivery of newer content.'
  const { calledOff, parts: replaced } = replaceDeliveries(turn.article, reason, now)
  // Materialized, or the planner drops the unread count and inserts before the open delivery is called off, which
  // `deliveries_open_unique` refuses.
  const ready = select(
    'ready',
    { id: turn.article.c.id, calledOff: sql`(select count(*) from ${calledOff.rows})` },
    sql`from ${turn.article.rows}`,
    { materialized: true },
  )
  const createdAt = new Date(attempt.request.firstSentAt)
  const delivery = openDelivery(attempt, {
    articleId: ready.c.id,
    createdAt,
    from: [ready],
    publishes: attempt.live,
  })
  return statement({
    unaudited: UNAUDITED,
    parts: [
      turn.parts,
      replaced,
      ready,
      delivery,
      beginAttempt(delivery, accountId, lease, now),
      ctx.keep.running([delivery], lease),
      noteTurn(claim, delivery, now),
    ],
    ...claimAnswer(turn, delivery),
  })
}

/** Claims the article, the project's turn and the delivery already open for the same content. Answers a ClaimRow. */
export const claimOpenDelivery = (ctx: Ctx, claim: Claim & { id: number }): SQL => {
  const now = ctx.now()
  const { id, accountId, lease } = claim
  // A delivery that ends at this moment must not leave its article held for nothing, so the locked row is asked.
  const turn = claimTurn(ctx, claim, id, (isStillOpen) => isStillOpen)
  const where = sql`${eq(deliveries.articleId, turn.article.c.id)} and ${isOpen()}`
  const delivery = resumeDelivery({ id, lease, now, where, from: [turn.article] })
  return statement({
    unaudited: UNAUDITED,
    parts: [
      turn.parts,
      delivery,
      endLostAttempts(delivery),
      beginAttempt(delivery, accountId, lease, now),
      ctx.keep.running([delivery], lease),
      noteTurn(claim, delivery, now),
    ],
    ...claimAnswer(turn, delivery),
  })
}

/** Names a replay as a thing that a person is asked about: the delivery, and where it goes now. */
export const replaySubject = ({ replayOf, integrationId }: Pick<NewAttempt, 'replayOf' | 'integrationId'>): string =>
  `replay:${replayOf}:${integrationId}`

/** Opens a delivery that repeats an earlier one and leaves the article as it is. No id: a rule of the policy forbids it. */
export const insertReplay = (ctx: Ctx, attempt: NewAttempt): SQL => {
  const now = ctx.now()
  const { accountId, articleId, lease, projectId, platform } = attempt
  const { allowed, rule, parts, answerBeside } = policyGate(projectId, {
    activity: 'replay',
    now,
    target: platform,
    // No reader sees an article that is sent as a draft.
    isSettled: !attempt.live,
    ...approvalOf(ctx, now, replaySubject(attempt)),
  })
  const delivery = openDelivery(attempt, { articleId, createdAt: now, from: [allowed] })
  return statement({
    unaudited: UNAUDITED,
    parts: [parts, delivery, beginAttempt(delivery, accountId, lease, now), ctx.keep.running([delivery], lease)],
    answer: { id: delivery.c.id, rule },
    answerFrom: answerBeside(delivery),
  })
}

type Replay = { id: number; accountId: number; projectId: number; target: string; lease: Date }

/** Claims a replay that waits for its next attempt; the article is not touched. No id: another attempt holds it, or a rule forbids it. */
export const claimReplay = (ctx: Ctx, { id, accountId, projectId, target, lease }: Replay): SQL => {
  const now = ctx.now()
  const gate = policyGate(projectId, { activity: 'replay', now, target, isSettled: true })
  const delivery = resumeDelivery({ id, lease, now, where: isFree(now), from: [gate.allowed] })
  return statement({
    unaudited: UNAUDITED,
    parts: [gate.parts, delivery, endLostAttempts(delivery), beginAttempt(delivery, accountId, lease, now)],
    answer: { id: delivery.c.id, attempts: delivery.c.attempts, rule: gate.rule },
    answerFrom: gate.answerBeside(delivery),
  })
}
