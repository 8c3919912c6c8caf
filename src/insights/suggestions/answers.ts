import * as z from 'zod/mini'
import { CHANGE_KINDS, VERDICTS } from '../../../schema/values/effects.ts'
import { OPPORTUNITY_TYPES, SUGGESTION_STATES } from '../../../schema/values/suggestions.ts'
import { awaitingAnswer } from '../../accounts/approvals/answers.ts'
import {
  type AnswersOf,
  articleId,
  body,
  count,
  id,
  instant,
  means,
  message,
  page,
  projectId,
  selfExplanatory,
} from '../../platform/http/answers.ts'
import type { suggestionOperations } from './operations.ts'
import { livePage, proposal, trigger, wording } from './proposal-answers.ts'

const interval = z.strictObject({
  low: means('Lower end: -0.1 is 10 % fewer clicks.', z.number()),
  high: means('Upper end: 0.1 is 10 % more clicks.', z.number()),
})

/** Effect of a change: the share of clicks gained (0.1: 10 %), compared with similar pages that were not changed. */
const effect = z.strictObject({
  clicks_before: means('Clicks of the page in the 28 days before.', count()),
  clicks_after: means('Clicks of the page in the 28 days after. The day of the change is in neither period.', count()),
  change: means(
    'Change of clicks compared with what untouched pages led to expect: 0.1 is 10 % more. Null if there was no comparison.',
    z.nullable(z.number()),
  ),
  control_change: means(
    'Change of clicks expected from similar untouched pages: 0.1 is 10 % more. Null if `change` is null.',
    z.nullable(z.number()),
  ),
  controls: means('Number of untouched pages in the comparison, at most 100. 0 if there was no comparison.', count()),
  interval: means('97 % interval of `change`. Null if there was no comparison.', z.nullable(interval)),
  verdict: means(
    '`up` or `down` if `interval` is completely on one side of 0, otherwise `within_noise`. Null if the data are not sufficient.',
    z.nullable(z.enum(VERDICTS)),
  ),
  reason: means('Reason why there is no verdict. Null if there is one.', z.nullable(z.string())),
})

const sum = z.strictObject({
  n: means('Number of changes in this group.', count()),
  waiting: means('Number of changes that are not measured yet.', count()),
  up: means('Number of changes with the verdict `up`.', count()),
  down: means('Number of changes with the verdict `down`.', count()),
  within_noise: means('Number of changes with the verdict `within_noise`.', count()),
  without_verdict: means('Number of measured changes without a verdict, because the data are not sufficient.', count()),
  average: means(
    'Average effect of the newest compared changes, weighted by the precision of each. Null for fewer than two.',
    z.nullable(
      z.strictObject({
        n: means('Number of changes in this group.', count()),
        change: means(
          'Change of clicks compared with what untouched pages led to expect: 0.1 is 10 % more. Null if there was no comparison.',
          z.number(),
        ),
        interval: means('97 % interval of `change`. Null if there was no comparison.', interval),
      }),
    ),
  ),
})

const row = {
  id: selfExplanatory(id()),
  project_id: projectId(),
  article_id: means('ID of the article, as listed by `GET /articles`. Null if it was deleted.', z.nullable(id())),
  status: means(
    '`pending`: no decision yet. `approved`: waiting for its rewrite. `ready`: the rewrite can be published. `superseded`: the article was changed or taken down meanwhile. `failed`: see `error`.',
    z.enum(SUGGESTION_STATES),
  ),
  opportunity_type: means(
    'Type of improvement. The document on suggestions describes how each type is found.',
    z.enum(OPPORTUNITY_TYPES),
  ),
  suggestion_type: means('Result of accepting the suggestion: a rewrite of the article.', z.literal('content_rewrite')),
  source_type: means('The same as `opportunity_type`.', z.enum(OPPORTUNITY_TYPES)),
  article_title: means('Title of the article when the suggestion was made.', z.string()),
  article_url: means('Public URL of the article when the suggestion was made.', z.nullable(z.string())),
  priority: means(
    'Priority from 0 to 100, from the clicks expected in 28 days: 50 clicks are 50, 200 clicks are 80.',
    count(),
  ),
  reason: means('Finding behind the suggestion, in one sentence.', z.string()),
  trigger_snapshot: means(
    'Search numbers behind the suggestion. Null until the rewrite is ready.',
    z.nullable(trigger),
  ),
  proposed_diff: means(
    'Article with and without the rewrite. Null until the rewrite is ready.',
    z.nullable(z.strictObject(proposal)),
  ),
  notes: means('One sentence about each name in `ignored`.', z.array(z.string())),
  error: means('Reason for `failed` or `superseded`. Null if there was no problem.', z.nullable(z.string())),
  feedback: means('Feedback of the last regeneration or rejection. Null if there was none.', z.nullable(z.string())),
  awaiting_merge: means(
    'True if the rewrite is in a pull request. Merging that publishes the suggestion, closing it rejects the suggestion.',
    z.boolean(),
  ),
  /** Null until it is measured, 32 days after publication. */
  effect: means(
    'Effect of the change on the clicks of its page, measured 32 or more days later. Null until then.',
    z.nullable(effect),
  ),
  created_at: selfExplanatory(instant()),
  updated_at: selfExplanatory(instant()),
  ready_at: means('Time when the rewrite was ready. Null until then.', z.nullable(instant())),
  published_at: means('Time when the rewrite went live. Null until then.', z.nullable(instant())),
}

const connected = {
  sc_connected: means('True if Search Console is connected and a property is chosen.', z.boolean()),
  gsc_connected: means('The same as `sc_connected`.', z.boolean()),
  instructions_for_agent: means('Steps to connect Search Console. Absent if it is connected.', z.optional(z.string())),
}

const decided = {
  suggestion: selfExplanatory(
    z.strictObject({
      id: selfExplanatory(id()),
      status: means(
        '`pending`: no decision yet. `approved`: waiting for its rewrite. `ready`: the rewrite can be published. `superseded`: the article was changed or taken down meanwhile. `failed`: see `error`.',
        z.enum(SUGGESTION_STATES),
      ),
    }),
  ),
  message: message(),
}
const moved = body(decided)

const nextCall = z.strictObject({
  method: selfExplanatory(z.string()),
  path: selfExplanatory(z.string()),
  body: means(
    'Request body to send. Absent if the call needs none.',
    z.optional(
      z.strictObject({ sync: means('True: the restored version is also sent to the site.', z.literal(true)) }),
    ),
  ),
  why: means('Purpose of the call.', z.string()),
})

/** Progress of the rewrite while it is `approved` or `rewriting`. */
const progress = z.strictObject({
  step: means('Current step, from 1. 0 while the rewrite waits to start.', count()),
  of: means('Total number of steps.', count()),
  percent: means('Percentage from 0 to 90. A completed rewrite has no progress.', count()),
  label: means('Current step, as text for people.', z.string()),
})

const detail = {
  ...row,
  live_page: means(
    'Comparison of the live page with the saved article, made together with the rewrite. Null until there is a rewrite.',
    z.nullable(livePage),
  ),
  progress: means(
    'Progress of the rewrite. Null unless the suggestion is `approved` or `rewriting`.',
    z.nullable(progress),
  ),
}

/** Answers of the operations on suggestions. */
export const suggestionAnswers = {
  list: {
    200: page({
      project_id: projectId(),
      /** Fewer than `limit` if their proposals take more than 4 MiB. `next_offset` and `before_id` lead to the others. */
      suggestions: means('Suggestions, newest first.', z.array(z.strictObject(row))),
      counts: means(
        'Number of suggestions of the project in each state, independent of the filters.',
        z.record(z.enum(SUGGESTION_STATES), count()),
      ),
      settings: means(
        'Settings for the automatic search for suggestions.',
        z.strictObject({
          enabled: means('The same as `sc_connected`.', z.boolean()),
          weekly: means('`weekly_suggestions` of the project.', z.boolean()),
          next_run_at: means(
            'Time of the next automatic run. Null if Search Console is not connected or `weekly` is false.',
            z.nullable(instant()),
          ),
        }),
      ),
      ...connected,
    }),
  },
  effects: {
    200: page({
      project_id: projectId(),
      summary: means(
        'Summary of all changes of the project, independent of the filters.',
        z.strictObject({
          all: means('Rewrites and syncs together, without rollbacks.', sum),
          rewrite: means('Published suggestions.', sum),
          sync: means('All other updates of live articles.', sum),
          rollback: means('Restored earlier versions.', sum),
        }),
      ),
      effects: means(
        'Changes of live articles, newest first.',
        z.array(
          z.strictObject({
            id: selfExplanatory(id()),
            kind: means(
              '`rewrite`: a published suggestion. `sync`: any other update. `rollback`: a restored earlier version.',
              z.enum(CHANGE_KINDS),
            ),
            suggestion_id: means(
              'For a `rewrite`: ID of the suggestion, as listed by `GET /suggestions`. Otherwise null.',
              z.nullable(id()),
            ),
            article_id: means(
              'ID of the article, as listed by `GET /articles`. Null if it was deleted.',
              z.nullable(id()),
            ),
            article_title: means(
              'Current title of the article. Null if the article was deleted.',
              z.nullable(z.string()),
            ),
            article_url: means(
              'Current public URL of the article. Null if unknown or if the article was deleted.',
              z.nullable(z.string()),
            ),
            changed_at: means('Time when the change went live.', instant()),
            measure_at: means(
              'Time of the measurement, 32 or more days after the change. It moves by a day while search data are missing.',
              instant(),
            ),
            measured_at: means('Time when the effect was measured. Null until then.', z.nullable(instant())),
            effect: means(
              'Effect of the change on the clicks of its page, measured 32 or more days later. Null until then.',
              z.nullable(effect),
            ),
            visits: means(
              'Visits from AI assistants in the 28 days before the change, and in the 28 after it. Null unless the site counted all of these days.',
              z.nullable(z.strictObject({ before: selfExplanatory(count()), after: selfExplanatory(count()) })),
            ),
          }),
        ),
      ),
    }),
  },
  run: {
    200: body({
      project_id: projectId(),
      created: means('Number of new suggestions. An article has at most one open suggestion of each type.', count()),
      message: message(),
      ...connected,
    }),
  },
  get: { 200: body({ suggestion: selfExplanatory(z.strictObject(detail)) }) },
  diff: {
    200: body({
      id: selfExplanatory(id()),
      status: means(
        '`pending`: no decision yet. `approved`: waiting for its rewrite. `ready`: the rewrite can be published. `superseded`: the article was changed or taken down meanwhile. `failed`: see `error`.',
        z.enum(SUGGESTION_STATES),
      ),
      before: means('Article that the rewrite is based on. Null until the rewrite is ready.', z.nullable(wording)),
      after: means('Article with the rewrite. Null until the rewrite is ready.', z.nullable(wording)),
      html: means(
        '`after` as HTML, with added words in `ins` and removed words in `del`. Null until the rewrite is ready.',
        z.nullable(z.string()),
      ),
      stats: means(
        'Size of the change in title, description and text together. Null until the rewrite is ready.',
        z.nullable(proposal.stats),
      ),
      live_page: means(
        'Comparison of the live page with the saved article, made together with the rewrite. Null until there is a rewrite.',
        z.nullable(livePage),
      ),
      trigger_snapshot: means(
        'Search numbers behind the suggestion. Null until the rewrite is ready.',
        z.nullable(trigger),
      ),
    }),
  },
  approve: { 200: moved },
  reject: {
    200: body({
      ...decided,
      /** Calls that undo a rewrite which the article keeps. */
      next_calls: means(
        'Calls that undo a rewrite that is still in the article, or send the earlier text. Absent if none is needed.',
        z.optional(z.array(nextCall)),
      ),
    }),
  },
  publish: {
    200: body({
      suggestion: selfExplanatory(
        z.strictObject({
          id: selfExplanatory(id()),
          status: means(
            '`awaiting_approval`: the rewrite goes live automatically after a person approves it at `approve_url`.',
            z.enum(SUGGESTION_STATES),
          ),
        }),
      ),
      url: means('Public URL of the article. Null if unknown.', z.nullable(z.string())),
      message: message(),
    }),
    202: z.union([
      body(awaitingAnswer),
      body({
        status: means(
          'The rewrite is in a pull request. The suggestion stays `ready` until somebody merges or closes that.',
          z.literal('awaiting_merge'),
        ),
        suggestion: selfExplanatory(
          z.strictObject({ id: selfExplanatory(id()), status: selfExplanatory(z.literal('ready')) }),
        ),
        article_id: articleId(),
        pull_request: means('URL of the pull request.', z.string()),
        message: message(),
      }),
    ]),
  },
  regenerate: { 202: moved },
} satisfies AnswersOf<typeof suggestionOperations>
