import { unseal } from '../lib/crypto.ts'
import { storableText } from '../lib/text.ts'
import type { Ctx } from '../runtime/ctx.ts'
import { keepingOf } from './keeping.ts'
import { takeNextDue } from './next-due.ts'
import type { PublishOutcome, PublishRequest, PublishTarget, TargetFactory } from './port.ts'
import { accepted, type PublishAnswer, unaccepted } from './present.ts'
import type { TargetRow } from './queries.ts'
import { LOOK_UP_AGAIN_MS, nextAttempt } from './rules.ts'
import { type Finishing, finishAccepted, finishUnaccepted } from './statements.ts'

/** An attempt this process holds: what is sent, and what the ending is written to. */
export type Held = {
  deliveryId: number
  number: number
  /** How many of the attempts before only asked whether the post is there. */
  lookups: number
  platform: string
  accountId: number
  projectId: number
  integrationId: number
  /** The article whose state follows; null when the delivery is a replay. */
  articleId: number | null
  shownArticleId: number | null
  /** Whether the clock took the article because its date had come: then the project's next one follows. */
  due: boolean
  live: boolean
  request: PublishRequest
}

/** The adapter of a stored connection, its secrets opened in memory only. Undefined when the platform has no adapter. */
export const openTarget = async (
  ctx: Ctx,
  targets: TargetFactory,
  row: TargetRow,
): Promise<PublishTarget | undefined> => {
  const secrets = JSON.parse(await unseal(ctx.settings.secretsKeys, row.sealedSecrets)) as Record<string, string>
  return targets({ id: row.id, platform: row.platform, url: row.url, secrets })
}

/** What the ending of an attempt is written to. */
export const finishing = (held: Held, outcome: PublishOutcome, durationMs: number | null): Finishing => ({
  deliveryId: held.deliveryId,
  number: held.number,
  accountId: held.accountId,
  projectId: held.projectId,
  integrationId: held.integrationId,
  articleId: held.articleId ?? undefined,
  durationMs,
  wasLookup: outcome.kind === 'unknown' && durationMs === null,
  answer: {
    ...(outcome.httpStatus === undefined ? {} : { httpStatus: outcome.httpStatus }),
    ...(outcome.excerpt === undefined ? {} : { excerpt: outcome.excerpt }),
  },
})

/** When a target that could not say whether it has a post is asked again. */
export const lookUpAgainAt = (ctx: Ctx): Date =>
  new Date(ctx.now().getTime() + LOOK_UP_AGAIN_MS / ctx.settings.retryTimeScale)

const endingOf = (ctx: Ctx, held: Held, outcome: Exclude<PublishOutcome, { kind: 'accepted' }>) => {
  const now = ctx.now()
  const error = storableText(outcome.reason)
  if (outcome.kind === 'unknown') return { status: 'unknown' as const, error, nextAt: lookUpAgainAt(ctx) }
  // A draft that goes live is an update to its target, but a publication all the same: it is retried like one.
  const event = held.articleId === null ? held.request.event : 'publish_articles'
  const nextAt = outcome.retryable
    ? nextAttempt(event, held.number - held.lookups, {
        now,
        random: ctx.random(),
        scale: ctx.settings.retryTimeScale,
        retryAfterS: outcome.retryAfterS,
      })
    : undefined
  return nextAt ? { status: 'retrying' as const, error, nextAt } : { status: 'failed' as const, error, nextAt: null }
}

/** What follows on the end of an attempt: new outbox rows are offered, and the project's next late article is taken. */
const goOn = (ctx: Ctx, held: Held, wrote: boolean): void => {
  if (held.due) ctx.defer(takeNextDue(ctx, held.projectId))
  else if (wrote) ctx.defer(ctx.wakeQueue())
}

/** Writes the end of an attempt; when another took it over meanwhile nothing changes. The answer for whoever waits. */
export const conclude = async (
  ctx: Ctx,
  held: Held,
  outcome: PublishOutcome,
  durationMs: number | null,
): Promise<PublishAnswer> => {
  const f = finishing(held, outcome, durationMs)
  if (outcome.kind === 'accepted') {
    const url = outcome.url ?? held.request.article.url
    const answer = accepted(held.shownArticleId, held.deliveryId, held.live, url, outcome.notes)
    const publishedAt =
      held.request.article.published_at === undefined ? null : new Date(held.request.article.published_at)
    await ctx.write(
      finishAccepted(ctx, f, { live: held.live, publishedAt, url, remoteId: outcome.remoteId }, answer.body),
    )
    goOn(ctx, held, true)
    return answer
  }
  const ending = endingOf(ctx, held, outcome)
  const answer = unaccepted(held, ending, outcome)
  await ctx.write(finishUnaccepted(ctx, f, ending, answer.body))
  goOn(ctx, held, ending.nextAt !== null)
  return answer
}

/** Makes the one attempt that was claimed and writes how it ended. */
export const attempt = async (ctx: Ctx, target: PublishTarget, held: Held): Promise<PublishAnswer> => {
  await ctx.step('claimed')
  const startedAt = ctx.now().getTime()
  const outcome = await target.deliver(held.request, keepingOf(ctx, held.integrationId, held.articleId))
  const durationMs = ctx.now().getTime() - startedAt
  await ctx.step('answered')
  const answer = await conclude(ctx, held, outcome, durationMs)
  await ctx.step('concluded')
  return answer
}
