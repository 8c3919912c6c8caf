import * as z from 'zod/mini'
import { LEDGER_REASONS, LINK_STATUSES } from '../../../schema/values/exchange.ts'
import { type AnswersOf, body, count, id, instant, page } from '../../platform/http/answers.ts'
import type { exchangeOperations } from './operations.ts'

const target = z.strictObject({
  url: z.string(),
  title: z.string(),
  meta_description: z.string(),
  project_name: z.string(),
})

const received = z.strictObject({
  id: id(),
  source_domain: z.string(),
  source_business: z.string(),
  source_url: z.nullable(z.string()),
  target_url: z.string(),
  anchor: z.string(),
  status: z.enum(LINK_STATUSES),
  date: instant(),
  scheduled_since: instant(),
  source_dr: z.null(),
})

const entry = z.strictObject({
  id: id(),
  link_id: z.nullable(id()),
  delta: z.int(),
  reason: z.enum(LEDGER_REASONS),
  partner: z.nullable(z.string()),
  article_id: z.nullable(id()),
  at: instant(),
})

/** Answers of the operations of the backlink exchange. */
export const exchangeAnswers = {
  targets: {
    200: body({
      targets: z.array(target).check(z.maxLength(5)),
      category: z.string(),
      credits: count(),
      instructions: z.string(),
    }),
  },
  list: {
    200: body({
      earned: z.array(received),
      earned_count: count(),
      earned_limit: count(),
      earned_before_id: z.nullable(id()),
      scheduled: z.array(received),
      scheduled_count: count(),
      scheduled_limit: count(),
      scheduled_before_id: z.nullable(id()),
      velocity: z.strictObject({
        cap: z.nullable(count()),
        used: count(),
        month: z.string().check(z.regex(/^\d{4}-\d\d$/)),
        competitor_gap_percent: z.null(),
        competitor_gap_target: z.null(),
      }),
      note: z.string(),
    }),
  },
  status: {
    200: body({
      project_id: id(),
      participating: z.boolean(),
      credits: count(),
      debt: count(),
      reserved: count(),
      given: count(),
      received: count(),
      pending: count(),
      velocity_cap: z.nullable(count()),
      velocity_used: count(),
    }),
  },
  ledger: { 200: page({ entries: z.array(entry), balance: count(), debt: count() }) },
} satisfies AnswersOf<typeof exchangeOperations>
