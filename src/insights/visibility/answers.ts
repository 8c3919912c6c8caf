import * as z from 'zod/mini'
import { BING_KINDS } from '../../../schema/values/bing.ts'
import {
  ENGINES,
  GAP_REASONS,
  PROMPT_SOURCES,
  SCAN_KINDS,
  SCAN_STATES,
  SURFACES,
  VERDICTS,
} from '../../../schema/values/visibility.ts'
import {
  type AnswersOf,
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
import type { visibilityOperations } from './operations.ts'
import { engines, interval, numbers, score, within } from './score-answers.ts'

const prompt = (sentence: string, ...statuses: [string, ...string[]]) =>
  body({
    status: means(sentence, z.enum(statuses)),
    prompt: means('Saved prompt, with single spaces between words. For a duplicate: the existing prompt.', z.string()),
    project_id: projectId(),
    message: message(),
  })

const sandbox = {
  sandbox: means('Present if a stand-in for the provider made up the answers.', z.optional(z.literal(true))),
}
const lastScan = z.nullable(instant())

const summary = body({
  project_id: projectId(),
  has_data: means('True if a scan was completed. Without one, all numbers are 0.', z.boolean()),
  scanning: means('True while a scan is running.', z.boolean()),
  ...numbers,
  engines: means('The five engines, always in this order.', engines),
  engines_citing: means('Number of engines that cite the site.', count()),
  engines_total: means('Number of engines.', count()),
  prompts_tracked: means('Number of active prompts, at most 25.', count()),
  last_scan: means('End of the last completed scan. Null before the first.', lastScan),
  last_scan_id: means(
    '`scan_id` for `GET /ai-visibility/answers`. Null before the first completed scan.',
    z.nullable(id()),
  ),
  last_scan_cost_usd: means(
    'Provider charges for the last completed scan, in US dollars. Null before the first.',
    z.nullable(z.number()),
  ),
  last_scan_error: means(
    'If the newest finished scan failed: the reason, taken from most of its gaps. Null if it did not fail.',
    z.nullable(z.enum(GAP_REASONS)),
  ),
  scan_location: means(
    'Country from which the engines were asked. Before the first completed scan: the country for the next one.',
    z.string(),
  ),
  manual_scans_used: means(
    'Manual scans used today (UTC); each sample counts. Failed scans that cost nothing do not count.',
    count(),
  ),
  manual_scans_limit: means('Manual scans per project and day in the plan.', count()),
  can_scan: means(
    'True if a manual scan can start: no scan is running, one is left today, and there are prompts to ask.',
    z.boolean(),
  ),
  ...sandbox,
})

const prompts = body({
  project_id: projectId(),
  prompts: means(
    'Active prompts, in the order in which they were added.',
    z.array(
      z.strictObject({
        id: means('`prompt_id` for `GET /ai-visibility/answers`.', id()),
        prompt: selfExplanatory(z.string()),
        source: means(
          '`own`: added by a call. `auto`: made by the service from the business context.',
          z.enum(PROMPT_SOURCES),
        ),
        engines: means('Result of each engine for this prompt in the last completed scan.', engines),
        last_scan: means('End of the last completed scan. Null if that scan did not ask this prompt.', lastScan),
      }),
    ),
  ),
  page: selfExplanatory(id()),
  per_page: selfExplanatory(id()),
  total: means('Number of active prompts on all pages.', count()),
  ...sandbox,
})

const share = {
  citations: means(
    'Number of citations of pages of the domain in the answers. For your site, links also count.',
    count(),
  ),
  share: means('Share of `share_citations`, from 0 to 1.', within(1)),
  interval: means('95 % Wilson interval of the number next to it. Null without counted answers.', interval(1)),
}
const cited = {
  domain: means('Registered domain.', z.string()),
  citations: means('Number of citations of pages of this domain in the answers.', count()),
}

const competitors = body({
  project_id: projectId(),
  you: means('Numbers of the business itself.', z.strictObject(share)),
  rows: means(
    'Competitors of the project when the scan ended, most cited first. Includes those without citations.',
    z.array(
      z.strictObject({ domain: means('Address of the competitor, as saved in the project.', z.string()), ...share }),
    ),
  ),
  other_cited: means(
    'Domains of neither the business nor its competitors, most cited first, at most 50.',
    z.array(z.strictObject(cited)),
  ),
  answers: means('Number of answers behind the score. Gaps do not count.', count()),
  share_citations: means('Number of citations of the business and its competitors, the basis of the shares.', count()),
  last_scan: means('End of the last completed scan. Null before the first.', lastScan),
  ...sandbox,
})

const citedPages = body({
  project_id: projectId(),
  pages: means(
    'Pages of the site that were cited in the last completed scan, most cited first, at most 200.',
    z.array(
      z.strictObject({
        url: means('URL without fragment and tracking parameters.', z.string()),
        citations: means('Number of citations of the page in the answers.', count()),
        engines: means('Engines that cite the page.', z.array(z.enum(ENGINES))),
      }),
    ),
  ),
  answers: means('Number of answers behind the score. Gaps do not count.', count()),
  last_scan: means('End of the last completed scan. Null before the first.', lastScan),
  ...sandbox,
})

const history = body({
  project_id: projectId(),
  points: means(
    'One point for each completed scan, oldest first, at most the newest 104.',
    z.array(
      z.strictObject({
        date: means('Start of the scan.', instant()),
        scan_id: means('`scan_id` for `GET /ai-visibility/answers`.', id()),
        ...numbers,
      }),
    ),
  ),
  ...sandbox,
})

const answer = z.strictObject({
  id: selfExplanatory(id()),
  scan_id: means('ID of the scan, as listed by `GET /ai-visibility/scans`.', id()),
  prompt_id: means(
    'ID of the prompt, as listed by `GET /ai-visibility` with `view=prompts`. It may have been removed.',
    id(),
  ),
  prompt: selfExplanatory(z.string()),
  engine: selfExplanatory(z.enum(ENGINES)),
  sample: means('Number of the repetition, from 1 to `samples` of the scan.', z.int().check(z.gte(1), z.lte(5))),
  state: means(
    '`cited`: cites or links to a page of the site. `mentioned`: only names the business or its address. `not_cited`: neither. `no_data`: no answer that can be judged.',
    z.enum(VERDICTS),
  ),
  reason: means(
    'Reason for `no_data`. `unclear`: the prompt names the business, and whether the answer only says that it is not known cannot be told in this language. Otherwise the engine showed no answer, no provider is configured, the provider failed or refused, or the project was archived. Otherwise null.',
    z.nullable(z.enum(GAP_REASONS)),
  ),
  text: means('Original text of the answer, cut at 50,000 characters. Null if there is none.', z.nullable(z.string())),
  citations: means(
    'Pages that the answer cites or links to, each once, at most 100. Empty if there are none.',
    z.array(
      z.strictObject({
        url: means('URL without fragment and tracking parameters.', z.string()),
        title: means('Title from the engine. Empty if there is none.', z.string()),
        domain: means('Registered domain. For a competitor: its address, as saved in the project.', z.string()),
        site: means(
          '`own`: page of the business. `competitor`: page of a competitor of the project.',
          z.enum(['own', 'competitor', 'other']),
        ),
      }),
    ),
  ),
  model: means('Name of the model. Null if the engine returns none.', z.nullable(z.string())),
  surface: means(
    '`api`: the API of the model. `serp`: a Google results page. Null if neither was reached.',
    z.nullable(z.enum(SURFACES)),
  ),
  location: means(
    'Country from which the engine was asked. Null if the engine does not support a country or was not reached.',
    z.nullable(z.string()),
  ),
  asked_at: means('Time of the answer, or of the last failed attempt.', z.nullable(instant())),
  cost_usd: means('Provider charges in US dollars, including failed attempts.', z.number()),
})

const scan = z.strictObject({
  id: means('`scan_id` for `GET /ai-visibility/answers`.', id()),
  kind: means('`manual`: started by a person or a call. `weekly`: started automatically.', z.enum(SCAN_KINDS)),
  status: means(
    '`running`: in progress. `completed`: with at least one answer. `failed`: without any answer, so no number changes.',
    z.enum(SCAN_STATES),
  ),
  samples: means('Number of times that each engine is asked each prompt.', z.int()),
  location: means('Country from which the engines are asked.', z.string()),
  asked: means('Prompts × engines × samples. 0 until the scan ends.', count()),
  gaps: means('Number of questions without an answer. 0 until the scan ends.', count()),
  answers: means('Number of questions with an answer. 0 until the scan ends.', count()),
  visibility_score: means(
    'Score from 0 to 100: share of the answers that cite or mention the business. A mention counts half. Null without answers.',
    z.nullable(score),
  ),
  cost_usd: means('Provider charges in US dollars. 0 until the scan ends.', z.number()),
  started_at: selfExplanatory(instant()),
  finished_at: means('End of the scan. Null while it is running.', z.nullable(instant())),
  error: means(
    'Reason for the failure, taken from most of its gaps. Null if the scan did not fail.',
    z.nullable(z.enum(GAP_REASONS)),
  ),
  ...sandbox,
})

const day = () => z.string().check(z.regex(/^\d{4}-\d\d-\d\d$/))
const period = {
  from: means('First day of the period.', day()),
  to: means('Last day of the period.', day()),
}
const bingCount = () => means('Number of citations, as Bing counted them.', count())

/** Newest imported file of a kind. */
const ofFile = (name: string, rows: z.ZodMiniType) =>
  means(
    `Newest imported file by ${name}. Null if there is none.`,
    z.nullable(
      z.strictObject({
        ...period,
        imported_at: selfExplanatory(instant()),
        citations: means('Sum of the lines of the file.', count()),
        total: means('Number of lines of the file.', count()),
        rows: means('Lines of the file, the most citations first; of days the newest first.', z.array(rows)),
      }),
    ),
  )

/** Answers of the operations of AI visibility. */
export const visibilityAnswers = {
  report: { 200: z.union([summary, prompts, competitors, citedPages, history]) },
  answers: {
    200: page({
      answers: means('Answers and gaps, newest first. Includes those of a running scan.', z.array(answer)),
      ...sandbox,
    }),
  },
  scans: { 200: page({ scans: means('Scans, newest first.', z.array(scan)) }) },
  scan: {
    202: body({
      status: selfExplanatory(z.literal('queued')),
      project_id: projectId(),
      manual_scans_used: means(
        'Manual scans used today (UTC), including this one; each sample counts. Failed scans that cost nothing do not count.',
        count(),
      ),
      manual_scans_limit: means('Manual scans per project and day in the plan.', count()),
      cost_usd: means(
        'Most that the scan is expected to cost at the providers, in US dollars. `GET /account` has the rest in `provider_dollars`.',
        z.number(),
      ),
      message: message(),
    }),
  },
  addPrompt: {
    200: prompt(
      '`added`: included in the next scan. `duplicate`: already tracked, nothing changed.',
      'added',
      'duplicate',
    ),
  },
  removePrompt: { 200: prompt('The prompt is no longer asked. Its past answers are kept.', 'removed') },
  importBing: {
    200: body({
      status: means(
        '`imported`: stored; an earlier file of the kind and period is replaced. `unchanged`: the same file is stored already.',
        z.enum(['imported', 'unchanged']),
      ),
      project_id: projectId(),
      kind: means('Kind of the file, found by the names of its columns.', z.enum(BING_KINDS)),
      ...period,
      rows: means('Number of lines below the first.', count()),
      citations: means('Sum of the lines.', count()),
      columns: means(
        'Columns that were read, as the file names them.',
        z.strictObject({ name: selfExplanatory(z.string()), citations: selfExplanatory(z.string()) }),
      ),
      ignored_columns: means('Columns that were not read.', z.array(z.string())),
    }),
  },
  bing: {
    200: body({
      project_id: projectId(),
      pages: ofFile('page', z.strictObject({ url: selfExplanatory(z.string()), citations: bingCount() })),
      queries: ofFile(
        'grounding query',
        z.strictObject({
          query: means('Search that the AI made to find pages for its answer.', z.string()),
          citations: bingCount(),
        }),
      ),
      days: ofFile('day', z.strictObject({ date: selfExplanatory(day()), citations: bingCount() })),
      files: means(
        'Imported files, the newest period first. The newest 60 of a kind are kept.',
        z.array(
          z.strictObject({
            kind: selfExplanatory(z.enum(BING_KINDS)),
            ...period,
            imported_at: selfExplanatory(instant()),
            citations: means('Sum of the lines of the file.', count()),
            rows: means('Number of lines of the file.', count()),
          }),
        ),
      ),
    }),
  },
} satisfies AnswersOf<typeof visibilityOperations>
