import * as z from 'zod/mini'
import {
  ENGINES,
  GAP_REASONS,
  PROMPT_SOURCES,
  SCAN_KINDS,
  SCAN_STATES,
  SURFACES,
  VERDICTS,
} from '../../../schema/values/visibility.ts'
import { type AnswersOf, body, count, id, instant, page } from '../../platform/http/answers.ts'
import type { visibilityOperations } from './operations.ts'

const prompt = (...statuses: [string, ...string[]]) =>
  body({ status: z.enum(statuses), prompt: z.string(), project_id: id(), message: z.string() })

const sandbox = { sandbox: z.optional(z.literal(true)) }
const within = (high: number) => z.number().check(z.gte(0), z.lte(high))
const interval = (high: number) => z.nullable(z.strictObject({ low: within(high), high: within(high) }))
const change = z.nullable(z.enum(['up', 'down', 'within_noise']))
const score = z.int().check(z.gte(0), z.lte(100))

/** Reason for which a scan is not compared with the one before. */
const MODEL_CHANGED = 'model_changed'

const engine = z.strictObject({
  engine: z.enum(ENGINES),
  key: z.enum(ENGINES),
  label: z.string(),
  model: z.nullable(z.string()),
  cited: z.boolean(),
  state: z.enum(VERDICTS),
  reason: z.optional(z.enum([...GAP_REASONS, 'not_asked', MODEL_CHANGED])),
  answers: count(),
  gaps: count(),
  citations: count(),
  visibility_score: z.nullable(score),
  interval: interval(100),
  change,
})

const numbers = {
  visibility_score: score,
  score,
  answers: count(),
  interval: interval(100),
  change,
  reason: z.optional(z.literal(MODEL_CHANGED)),
  share_of_voice: within(1),
  share_citations: count(),
  share_interval: interval(1),
  share_change: change,
}

const engines = z.array(engine).check(z.length(ENGINES.length))
const lastScan = z.nullable(instant())

const summary = body({
  project_id: id(),
  has_data: z.boolean(),
  scanning: z.boolean(),
  ...numbers,
  engines,
  engines_citing: count(),
  engines_total: count(),
  prompts_tracked: count(),
  last_scan: lastScan,
  last_scan_id: z.nullable(id()),
  last_scan_cost_usd: z.nullable(z.number()),
  last_scan_error: z.nullable(z.enum(GAP_REASONS)),
  scan_location: z.string(),
  manual_scans_used: count(),
  manual_scans_limit: count(),
  can_scan: z.boolean(),
  ...sandbox,
})

const prompts = body({
  project_id: id(),
  prompts: z.array(
    z.strictObject({ id: id(), prompt: z.string(), source: z.enum(PROMPT_SOURCES), engines, last_scan: lastScan }),
  ),
  page: id(),
  per_page: id(),
  total: count(),
  ...sandbox,
})

const share = { citations: count(), share: within(1), interval: interval(1) }
const cited = { domain: z.string(), citations: count() }

const competitors = body({
  project_id: id(),
  you: z.strictObject(share),
  rows: z.array(z.strictObject({ domain: z.string(), ...share })),
  other_cited: z.array(z.strictObject(cited)),
  answers: count(),
  share_citations: count(),
  last_scan: lastScan,
  ...sandbox,
})

const citedPages = body({
  project_id: id(),
  pages: z.array(z.strictObject({ url: z.string(), citations: count(), engines: z.array(z.enum(ENGINES)) })),
  answers: count(),
  last_scan: lastScan,
  ...sandbox,
})

const history = body({
  project_id: id(),
  points: z.array(z.strictObject({ date: instant(), scan_id: id(), ...numbers })),
  ...sandbox,
})

const answer = z.strictObject({
  id: id(),
  scan_id: id(),
  prompt_id: id(),
  prompt: z.string(),
  engine: z.enum(ENGINES),
  sample: z.int().check(z.gte(1), z.lte(5)),
  state: z.enum(VERDICTS),
  reason: z.nullable(z.enum(GAP_REASONS)),
  text: z.nullable(z.string()),
  citations: z.array(
    z.strictObject({
      url: z.string(),
      title: z.string(),
      domain: z.string(),
      site: z.enum(['own', 'competitor', 'other']),
    }),
  ),
  model: z.nullable(z.string()),
  surface: z.nullable(z.enum(SURFACES)),
  location: z.nullable(z.string()),
  asked_at: z.nullable(instant()),
  cost_usd: z.number(),
})

const scan = z.strictObject({
  id: id(),
  kind: z.enum(SCAN_KINDS),
  status: z.enum(SCAN_STATES),
  samples: z.int(),
  location: z.string(),
  asked: count(),
  gaps: count(),
  answers: count(),
  visibility_score: z.nullable(score),
  cost_usd: z.number(),
  started_at: instant(),
  finished_at: z.nullable(instant()),
  error: z.nullable(z.enum(GAP_REASONS)),
  ...sandbox,
})

/** Answers of the operations of AI visibility. */
export const visibilityAnswers = {
  report: { 200: z.union([summary, prompts, competitors, citedPages, history]) },
  answers: { 200: page({ answers: z.array(answer), ...sandbox }) },
  scans: { 200: page({ scans: z.array(scan) }) },
  scan: {
    202: body({
      status: z.literal('queued'),
      project_id: id(),
      manual_scans_used: count(),
      manual_scans_limit: count(),
      cost_usd: z.number(),
      message: z.string(),
    }),
  },
  addPrompt: { 200: prompt('added', 'duplicate') },
  removePrompt: { 200: prompt('removed') },
} satisfies AnswersOf<typeof visibilityOperations>
