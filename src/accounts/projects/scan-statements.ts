import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { projects } from '../../../schema/projects.ts'
import { audit } from '../../platform/db/audit.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { queueScan, SCAN_ASKED } from './jobs.ts'
import { changeScan } from './parts.ts'

/** Asks for the scan of an active project. No row while one is under way. `answer` is kept where it is given. */
export const askForScan = (ctx: Ctx, accountId: number, id: number, answer?: unknown): SQL => {
  const asked = changeScan('asked', {
    changes: SCAN_ASKED,
    where: sql`${and(
      eq(projects.id, id),
      eq(projects.accountId, accountId),
      eq(projects.status, 'Active'),
      inArray(projects.siteScanState, ['completed', 'failed']),
    )}`,
    returning: { id: projects.id },
  })
  return statement({
    parts: [
      asked,
      queueScan({ from: asked, account: accountId, now: ctx.now() }),
      answer !== undefined && ctx.keep.answer([asked], answer),
    ],
    audit: audit(ctx, { of: asked, account: accountId, action: 'project.scan_asked', on: ['project', asked.c.id] }),
    answer: { id: asked.c.id },
  })
}
