import * as z from 'zod/mini'
import { defineJob, type JobDefinition } from '../jobs/define.ts'
import { id } from '../lib/fields.ts'
import { verifyLinks } from './verify.ts'

const Look = z.object({ article_id: id(), look: z.int().check(z.gte(0)), not_before: z.int() })

/** The job of the exchange: the look at a live page for its links to partners. */
export const exchangeJobs = (): JobDefinition[] => [defineJob('exchange.verify', Look, verifyLinks)]
