import { eq } from 'drizzle-orm'
import { searchConnections } from '../../../schema/search.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { errorFields } from '../../platform/runtime/log.ts'
import { disconnect } from './connect.ts'
import type { SearchConsole } from './port.ts'

/** Disconnects every project of an account and withdraws the access at Google, where Google answers. */
export const disconnectAll = async (ctx: Ctx, google: SearchConsole, accountId: number): Promise<void> => {
  const rows = await ctx.db
    .select({ projectId: searchConnections.projectId })
    .from(searchConnections)
    .where(eq(searchConnections.accountId, accountId))
    .limit(1_000)
  for (const { projectId } of rows)
    await disconnect(ctx, google, projectId).catch((error: unknown) =>
      ctx.log('warn', 'search.not_disconnected', { project: projectId, ...errorFields(error) }),
    )
}
