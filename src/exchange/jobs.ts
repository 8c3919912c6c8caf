import * as z from 'zod/mini'
import { defineJob, type JobDefinition } from '../jobs/define.ts'
import { id } from '../lib/fields.ts'
import { verifyLinks } from './verify.ts'

/** The job of the exchange: the look at a live page for its links to partners. */
export const exchangeJobs = (): JobDefinition[] => [
  defineJob('exchange.verify', z.object({ article_id: id(), look: z.int().check(z.gte(0)) }), (ctx, p) =>
    verifyLinks(ctx, p.article_id, p.look),
  ),
]
