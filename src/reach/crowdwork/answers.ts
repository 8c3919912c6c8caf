import * as z from 'zod/mini'
import { CAMPAIGN_STATUSES, RATINGS } from '../../../schema/values/crowdwork.ts'
import { awaitingAnswer } from '../../accounts/approvals/answers.ts'
import { type AnswersOf, body, count, id, instant, page } from '../../platform/http/answers.ts'
import type { crowdworkOperations } from './operations.ts'

const money = () => z.number().check(z.gte(0))
const status = z.enum(CAMPAIGN_STATUSES)

const row = z.strictObject({
  ID: id(),
  ProjectID: id(),
  CrowdworkCampaignID: z.string().check(z.minLength(1)),
  Platform: z.string(),
  Title: z.string(),
  Status: status,
  AvailablePositions: count(),
  PaymentPerTask: money(),
  CreatedAt: instant(),
})

const live = z.strictObject({
  status,
  provider_status: z.string(),
  available_positions: count(),
  payment_per_task: money(),
  slots: z.strictObject({
    untaken: count(),
    locked: count(),
    not_rated: count(),
    not_reviewed: count(),
    ok: count(),
    nok: count(),
    revise: count(),
  }),
  blocked_reason: z.nullable(z.string()),
  finished_at: z.nullable(instant()),
  external_url: z.url(),
})

const proof = z.union([
  z.strictObject({ type: z.literal('answer'), question: z.string(), answer: z.string() }),
  z.strictObject({ type: z.literal('file'), url: z.string() }),
])

const slot = z.strictObject({
  id: z.string(),
  worker_id: z.string(),
  status: z.string(),
  submitted_at: z.nullable(instant()),
  proofs: z.array(proof),
  rating: z.nullable(z.enum(RATINGS)),
})

const registered = (already: boolean) =>
  body({
    campaign_id: z.string(),
    project_id: id(),
    status,
    already_registered: z.literal(already),
    external_url: z.url(),
    message: z.string(),
  })

/** Answers of the operations of crowdwork. */
export const crowdworkAnswers = {
  list: { 200: page({ campaigns: z.array(row) }) },
  create: {
    201: body({
      campaign_id: z.string(),
      template_id: z.string(),
      project_id: id(),
      status: z.literal('created'),
      external_url: z.url(),
      message: z.string(),
    }),
    202: body(awaitingAnswer),
  },
  register: { 201: registered(false), 200: registered(true) },
  get: { 200: body({ campaign: row, live }) },
  slots: {
    200: body({
      slots: z.array(slot),
      page: z.int().check(z.gte(1)),
      page_size: z.int().check(z.gte(1)),
      total: count(),
    }),
  },
  proofs: { 200: z.string() },
  rate: { 200: body({ slot_id: z.string(), rating: z.enum(RATINGS), status: z.enum(RATINGS), message: z.string() }) },
  spend: {
    200: body({
      project_id: id(),
      month: z.string().check(z.regex(/^\d{4}-\d\d$/)),
      currency: z.literal('USD'),
      budget: z.nullable(money()),
      committed: money(),
      remaining: z.nullable(money()),
      campaigns: count(),
    }),
  },
} satisfies AnswersOf<typeof crowdworkOperations>
