import type { Ctx } from '../../platform/runtime/ctx.ts'
import { listArchivedRows } from './queries.ts'

/** Returns the account's archived projects, newest first, at most 200. */
export const listArchived = async (ctx: Ctx) => {
  const [rows] = await ctx.read((owner) => [listArchivedRows(ctx.db, owner)])
  return rows
}
