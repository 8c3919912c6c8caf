import { and, eq, gt, type SQL, sql } from 'drizzle-orm'
import { auditLog } from '../../../schema/kernel.ts'
import { type Db, rowsOf } from '../db/client.ts'
import { insertWhere } from '../db/writes.ts'
import type { KeyOwner } from './key-owner.ts'

/** Fields of a key and its account that explain a refusal. */
type Refused = Pick<KeyOwner, 'id' | 'keyId' | 'revokedAt' | 'heldAt' | 'suspendedAt'>

/** Reason for refusing an existing key. */
type Fault = 'revoked' | 'expired' | 'suspended' | 'on_hold'

/** Recorder of refused sign-ins, for existing keys only. */
export type RefusedSignIns = {
  /** Records a refusal, once an hour per key. Undefined if there is nothing to write. */
  note: (db: Db, owner: Refused) => Promise<unknown> | undefined
}

const AGAIN_AFTER_MS = 3_600_000
const MAX_KEYS = 10_000

const faultOf = ({ revokedAt, heldAt, suspendedAt }: Refused): Fault => {
  if (revokedAt) return 'revoked'
  if (heldAt) return 'on_hold'
  return suspendedAt ? 'suspended' : 'expired'
}

/** Returns a statement that adds an audit entry, unless there is one from the last hour. */
const noted = ({ id, keyId }: Refused, fault: Fault, now: Date): SQL => {
  const row = {
    accountId: id,
    actor: 'caller',
    action: 'sign_in.refused',
    subject: `key:${keyId}`,
    detail: { why: fault },
    at: now,
  }
  const isSame = and(
    eq(auditLog.subject, row.subject),
    eq(auditLog.action, row.action),
    gt(auditLog.at, new Date(now.getTime() - AGAIN_AFTER_MS)),
  )
  return insertWhere(auditLog, row, { if: sql`not exists (select 1 from ${auditLog} where ${isSame})` })
}

/**
 * Creates a recorder that remembers, in this isolate, the keys recorded within the hour. A flood of refusals then costs no
 * statements.
 */
export const createRefusedSignIns = (now: () => Date): RefusedSignIns => {
  const until = new Map<number, number>()
  return {
    note: (db, owner) => {
      const moment = now()
      if ((until.get(owner.keyId) ?? 0) > moment.getTime()) return undefined
      if (until.size >= MAX_KEYS) until.clear()
      until.set(owner.keyId, moment.getTime() + AGAIN_AFTER_MS)
      return rowsOf(db, noted(owner, faultOf(owner), moment))
    },
  }
}
