import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { Part } from '../../platform/db/part.ts'
import { declareJob } from '../../platform/jobs/declare.ts'
import { id } from '../../platform/lib/fields.ts'

/** Looks at the live page of an article that was published or put back. */
export const receiptJob = declareJob({
  name: 'publishing.receipt',
  payload: z.object({ article_id: id() }),
  key: 'receipt',
  id: 'article_id',
})

/** How long after publication the live page is checked, ms. */
const RECEIPT_AFTER_MS = 5_000

/** When the page of an article that is live from now on is looked at. */
const receiptAt = (now: Date): Date => new Date(now.getTime() + RECEIPT_AFTER_MS)

/** A part that has the live pages of articles looked at in a moment, or looked for where no address is known. */
export const checkLivePage = (live: Part<'id' | 'projectId' | 'url'>, accountId: number | SQL, now: Date): Part =>
  receiptJob.enqueue({
    from: live,
    account: accountId,
    payload: { article_id: live.c.id },
    runAt: receiptAt(now),
    open: 'keep',
    where: sql`(${live.c.url} is not null or exists (select 1 from projects where projects.id = ${live.c.projectId} and projects.blog_root_url <> ''))`,
  })
