import * as z from 'zod/mini'
import { CHANGE_KINDS, VERDICTS } from '../../../schema/values/effects.ts'
import { OPPORTUNITY_TYPES, SUGGESTION_STATES } from '../../../schema/values/suggestions.ts'
import { awaitingAnswer } from '../../accounts/approvals/answers.ts'
import { type AnswersOf, body, count, id, instant, page } from '../../platform/http/answers.ts'
import type { suggestionOperations } from './operations.ts'

const numbers = { clicks: count(), impressions: count(), position: z.nullable(z.number()) }

const trigger = z.strictObject({
  page: z.string(),
  period: z.strictObject({ starts_on: z.string(), ends_on: z.string(), days: count() }),
  now: z.strictObject(numbers),
  before: z.nullable(z.strictObject(numbers)),
  queries: z.array(z.strictObject({ query: z.string(), ...numbers })),
  other_page: z.nullable(z.string()),
  last_year: z.nullable(z.strictObject({ clicks: count(), clicks_before: count() })),
  expected_clicks: count(),
})

const wording = z.strictObject({ title: z.string(), meta_description: z.string(), content: z.string() })

const livePage = z.strictObject({
  url: z.nullable(z.string()),
  read_at: instant(),
  state: z.enum(['same', 'edited', 'unread']),
  reason: z.nullable(z.string()),
  only_live: z.array(z.string()),
  only_live_count: count(),
  only_saved_count: count(),
  title_changed: z.boolean(),
})

const proposal = {
  before: wording,
  after: wording,
  stats: z.strictObject({ added: count(), removed: count() }),
  trigger_snapshot: trigger,
}

const interval = z.strictObject({ low: z.number(), high: z.number() })

/** Effect of a change: the share of clicks gained (0.1: 10 %), compared with similar pages that were not changed. */
const effect = z.strictObject({
  clicks_before: count(),
  clicks_after: count(),
  change: z.nullable(z.number()),
  control_change: z.nullable(z.number()),
  controls: count(),
  interval: z.nullable(interval),
  verdict: z.nullable(z.enum(VERDICTS)),
  reason: z.nullable(z.string()),
})

const sum = z.strictObject({
  n: count(),
  waiting: count(),
  up: count(),
  down: count(),
  within_noise: count(),
  without_verdict: count(),
  average: z.nullable(z.strictObject({ n: count(), change: z.number(), interval })),
})

const row = {
  id: id(),
  project_id: id(),
  article_id: z.nullable(id()),
  status: z.enum(SUGGESTION_STATES),
  opportunity_type: z.enum(OPPORTUNITY_TYPES),
  suggestion_type: z.literal('content_rewrite'),
  source_type: z.enum(OPPORTUNITY_TYPES),
  article_title: z.string(),
  article_url: z.nullable(z.string()),
  priority: count(),
  reason: z.string(),
  trigger_snapshot: z.nullable(trigger),
  proposed_diff: z.nullable(z.strictObject(proposal)),
  notes: z.array(z.string()),
  error: z.nullable(z.string()),
  feedback: z.nullable(z.string()),
  /** Null until it is measured, 32 days after publication. */
  effect: z.nullable(effect),
  created_at: instant(),
  updated_at: instant(),
  ready_at: z.nullable(instant()),
  published_at: z.nullable(instant()),
}

const connected = {
  sc_connected: z.boolean(),
  gsc_connected: z.boolean(),
  instructions_for_agent: z.optional(z.string()),
}

const decided = { suggestion: z.strictObject({ id: id(), status: z.enum(SUGGESTION_STATES) }), message: z.string() }
const moved = body(decided)

const nextCall = z.strictObject({
  method: z.string(),
  path: z.string(),
  body: z.optional(z.strictObject({ sync: z.literal(true) })),
  why: z.string(),
})

/** Progress of the rewrite while it is `approved` or `rewriting`. */
const progress = z.strictObject({ step: count(), of: count(), percent: count(), label: z.string() })

const detail = { ...row, live_page: z.nullable(livePage), progress: z.nullable(progress) }

/** Answers of the operations on suggestions. */
export const suggestionAnswers = {
  list: {
    200: page({
      project_id: id(),
      /** Fewer than `limit` if their proposals take more than 4 MiB. `next_offset` and `before_id` lead to the others. */
      suggestions: z.array(z.strictObject(row)),
      counts: z.record(z.enum(SUGGESTION_STATES), count()),
      settings: z.strictObject({ enabled: z.boolean(), weekly: z.boolean(), next_run_at: z.nullable(instant()) }),
      ...connected,
    }),
  },
  effects: {
    200: page({
      project_id: id(),
      summary: z.strictObject({ all: sum, rewrite: sum, sync: sum, rollback: sum }),
      effects: z.array(
        z.strictObject({
          id: id(),
          kind: z.enum(CHANGE_KINDS),
          suggestion_id: z.nullable(id()),
          article_id: z.nullable(id()),
          article_title: z.nullable(z.string()),
          article_url: z.nullable(z.string()),
          changed_at: instant(),
          measure_at: instant(),
          measured_at: z.nullable(instant()),
          effect: z.nullable(effect),
        }),
      ),
    }),
  },
  run: { 200: body({ project_id: id(), created: count(), message: z.string(), ...connected }) },
  get: { 200: body({ suggestion: z.strictObject(detail) }) },
  diff: {
    200: body({
      id: id(),
      status: z.enum(SUGGESTION_STATES),
      before: z.nullable(wording),
      after: z.nullable(wording),
      html: z.nullable(z.string()),
      stats: z.nullable(proposal.stats),
      live_page: z.nullable(livePage),
      trigger_snapshot: z.nullable(trigger),
    }),
  },
  approve: { 200: moved },
  reject: {
    200: body({
      ...decided,
      /** Calls that undo a rewrite which the article keeps. */
      next_calls: z.optional(z.array(nextCall)),
    }),
  },
  publish: {
    200: body({
      suggestion: z.strictObject({ id: id(), status: z.enum(SUGGESTION_STATES) }),
      url: z.nullable(z.string()),
      message: z.string(),
    }),
    202: body(awaitingAnswer),
  },
  regenerate: { 202: moved },
} satisfies AnswersOf<typeof suggestionOperations>
