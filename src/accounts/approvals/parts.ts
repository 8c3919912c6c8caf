import { and, eq, gt, type SQL, sql } from 'drizzle-orm'
import { approvals } from '../../../schema/approvals.ts'
import { oneOf } from '../../../schema/columns.ts'
import { type ApprovalStatus, OPEN_APPROVAL_STATUSES } from '../../../schema/values/approvals.ts'
import { audit } from '../../platform/db/audit.ts'
import { at } from '../../platform/db/instant.ts'
import type { AnyPart, Part } from '../../platform/db/part.ts'
import { read, select } from '../../platform/db/read-parts.ts'
import type { Parts } from '../../platform/db/statement.ts'
import { insert, update } from '../../platform/db/write-parts.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { followJob } from './jobs.ts'
import { HOLDS_MS, type Proposal } from './rules.ts'

/** Condition: the approval can still let something out, or be given. */
export const isOpen = (): SQL => oneOf(approvals.status, OPEN_APPROVAL_STATUSES)

/** Approval that a claim needs: the thing, and the hash of content and target. */
export type Gate = Pick<Proposal, 'subject' | 'hash'>

type Asking = {
  /** The question is asked once for each row of this part, which locked what is asked about. */
  from: AnyPart
}

const msOf = (column: SQL): SQL => sql`round(date_part('epoch', ${column}) * 1000)::text`

/**
 * Parts that ask a person about exactly this content and target. A question about it that is open already stands; one about other
 * content ends. Two at once may violate `approvals_open_unique`.
 */
export const askParts = (ctx: Ctx, proposal: Proposal, { from }: Asking) => {
  const now = ctx.now()
  const { accountId, projectId, kind, subject, articleId, revision, target, proposed, hash, call } = proposal
  const isSame = sql`${and(eq(approvals.contentHash, hash), gt(approvals.expiresAt, now))}`
  const mine = sql`${and(eq(approvals.subject, subject), eq(approvals.accountId, accountId), isOpen())}`
  const expiresAt = new Date(now.getTime() + HOLDS_MS)
  const standing = read(
    'standing',
    approvals,
    { id: approvals.id, expiresMs: msOf(sql`${approvals.expiresAt}`) },
    { from: [from], where: sql`${mine} and ${isSame}`, lock: 'no key update' },
  )
  const superseded = update(
    'superseded_approvals',
    approvals,
    { status: 'superseded' },
    { from: [from], where: sql`${mine} and not (${isSame})`, returning: DECIDED },
  )
  // Materialized, so that the older question has ended before the new one is inserted.
  const ready = select(
    'ready_to_ask',
    { superseded: sql`(select count(*) from ${superseded.rows})` },
    sql`from ${from.rows} where not ${standing.hasRows}`,
    { materialized: true },
  )
  const asked = insert(
    'asked',
    approvals,
    {
      accountId,
      projectId,
      kind,
      subject,
      articleId,
      contentHash: hash,
      revision,
      proposed,
      call: call ?? null,
      target,
      requestedBy: ctx.actor(),
      expiresAt,
      createdAt: now,
    },
    { from: [ready], returning: { id: approvals.id } },
  )
  const parts: Parts = [
    standing,
    superseded,
    ready,
    asked,
    auditDecided(ctx, superseded, accountId, 'superseded'),
    followJob.enqueue({
      from: asked,
      account: accountId,
      payload: { approval_id: asked.c.id },
      runAt: now,
      open: 'keep',
    }),
  ]
  return {
    parts,
    /** The question, as an expression for other parts. */
    id: sql`coalesce((select ${asked.c.id} from ${asked.rows}), (select ${standing.c.id} from ${standing.rows}))`,
    audit: audit(ctx, {
      of: asked,
      account: accountId,
      action: 'approval.requested',
      on: ['approval', asked.c.id],
      detail: { kind, article_id: articleId },
      name: 'audited_question',
    }),
    answer: {
      id: sql`coalesce(${asked.c.id}, ${standing.c.id})`,
      expires_ms: sql`coalesce(${standing.c.expiresMs}, ${String(expiresAt.getTime())})`,
    },
    answerFrom: sql`${from.rows} left join ${asked.rows} on true left join ${standing.rows} on true`,
  }
}

/** An approval that was decided, as other parts need it. */
export type Decided = Part<'id' | 'kind' | 'articleId'>

/** Columns of a decided approval. */
export const DECIDED = { id: approvals.id, kind: approvals.kind, articleId: approvals.articleId }

/** A part that notes in the audit log, and so in the feed of events, what became of approvals. */
export const auditDecided = (
  ctx: Pick<Ctx, 'actor' | 'now'>,
  of: Decided,
  account: number,
  status: ApprovalStatus,
  comment?: string,
): Part =>
  audit(ctx, {
    of,
    account,
    action: `approval.${status}`,
    on: ['approval', of.c.id],
    detail: sql`jsonb_build_object('kind', ${of.c.kind}, 'article_id', ${of.c.articleId}${comment === undefined ? sql`` : sql`, 'comment', ${comment}::text`})`,
    name: 'audited_approvals',
  })

/** Condition: now is before the end of an approval. */
export const isInTime = (now: Date): SQL => sql`${approvals.expiresAt} > ${at(now)}`
