import { and, asc, inArray, isNotNull, lte } from 'drizzle-orm'
import * as z from 'zod/mini'
import { screenshots } from '../../../schema/screenshots.ts'
import { dropInBatches } from '../../platform/db/writes.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import { id } from '../../platform/lib/fields.ts'
import type { Deps } from '../../platform/runtime/ctx.ts'
import { KEPT_MS } from './rules.ts'

/** Takes the picture of a page. */
export const screenshotJob = defineJob({
  name: 'screenshots.take',
  worker: 'background',
  payload: z.object({ screenshot_id: id() }),
  key: 'screenshot',
  id: 'screenshot_id',
})

/** Clears the stored words of pages once no call searches them, in batches; returns how many. */
export const forgetPageWords = ({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<number> => {
  const before = new Date(now().getTime() - KEPT_MS)
  return dropInBatches(async (most) => {
    const old = db
      .select({ id: screenshots.id })
      .from(screenshots)
      .where(and(isNotNull(screenshots.pageWords), lte(screenshots.createdAt, before)))
      .orderBy(asc(screenshots.createdAt))
      .limit(most)
    const cleared = await db.update(screenshots).set({ pageWords: null }).where(inArray(screenshots.id, old))
    return cleared.rowCount ?? 0
  })
}
