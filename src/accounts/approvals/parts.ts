import { type SQL, sql } from 'drizzle-orm'
import { approvals } from '../../../schema/approvals.ts'
import { oneOf } from '../../../schema/columns.ts'
import { OPEN_APPROVAL_STATUSES } from '../../../schema/values/approvals.ts'
import { at } from '../../platform/db/instant.ts'
import type { Proposal } from './rules.ts'

/** Condition: the approval can still let something out, or be given. */
export const isOpen = (): SQL => oneOf(approvals.status, OPEN_APPROVAL_STATUSES)

/** Approval that a claim needs: the thing, and the hash of content and target. */
export type Gate = Pick<Proposal, 'subject' | 'hash'>

/** Columns of a decided approval. */
export const DECIDED = { id: approvals.id, kind: approvals.kind, articleId: approvals.articleId }

/** Condition: now is before the end of an approval. */
export const isInTime = (now: Date): SQL => sql`${approvals.expiresAt} > ${at(now)}`
