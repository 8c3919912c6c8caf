import { OUTREACH_KINDS, type OutreachKind } from '../../../schema/values/outreach.ts'
import { outreachAccess } from '../../platform/accounts/outreach-access.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { checkEntitled } from './access.ts'
import { mirrorLocks } from './erasure-parts.ts'
import { mirrorOf } from './queries.ts'
import type { SyncInput } from './schemas.ts'
import { type SentRows, storeRows } from './statements.ts'

const byKind = <T>(make: (kind: OutreachKind) => T) =>
  Object.fromEntries(OUTREACH_KINDS.map((kind) => [kind, make(kind)])) as Record<OutreachKind, T>

/**
 * Mirrors the caller's rows: each replaces the one with its id unless that is newer. Two round trips. Throws 403 while the beta
 * is closed or without Outreach Pro.
 */
export const syncMirror = async (ctx: Ctx, input: SyncInput) => {
  const [[access], [mirror]] = await ctx.read((owner) => [outreachAccess(ctx.db, owner), mirrorOf(ctx.db, owner)])
  const { id: account } = await ctx.account()
  checkEntitled(access ?? { entitled: false, isOpen: false })
  const rows: SentRows = byKind((kind) => input[kind] ?? [])
  const since = input.since ?? undefined
  const answer = { synced: byKind((kind) => rows[kind].length), cursor: since ?? mirror?.cursor ?? null }
  await ctx.write(storeRows(ctx, account, rows, since, answer), mirrorLocks(account))
  return answer
}
