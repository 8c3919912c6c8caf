import * as z from 'zod/mini'
import { declareJob } from '../../platform/jobs/declare.ts'
import { id } from '../../platform/lib/fields.ts'

/** One look: at which article, the how manieth (from 0), and when at the earliest (ms), since the queue may wake too soon. */
const Look = z.object({ article_id: id(), look: z.int().check(z.gte(0)), not_before: z.int() })

export type LookJob = z.infer<typeof Look>

/** Looks at a live page for its links to partners. */
export const verifyJob = declareJob({ name: 'exchange.verify', payload: Look, key: 'verify', id: 'article_id' })
