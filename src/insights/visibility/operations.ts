import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { ENGINES } from '../../../schema/values/visibility.ts'
import { PLAN_INCLUDES } from '../../platform/accounts/plans.ts'
import { lengthParam, pagingParams } from '../../platform/db/paging.ts'
import type { Operations } from '../../platform/http/operation.ts'
import { id, intParam, label, labels, means, rawText, text } from '../../platform/lib/fields.ts'
import { MAX_FILE } from './bing/file.ts'
import { MAX_PROMPT, MAX_SAMPLES, MIN_PROMPT } from './rules.ts'
import { manualScansOn, scanUsd } from './scan/queries.ts'

const prompt = () => text(MAX_PROMPT, MIN_PROMPT)

const AddPrompt = z.object({
  project_id: means('ID of the project, as listed by `GET /projects`.', id()),
  prompt: means('Question that a person would ask. Compared without case and spaces.', prompt()),
})
const RemovePrompt = z.object({
  project_id: means('ID of the project, in the body or in the query.', z.optional(id())),
  prompt: means('Prompt as it was added, in the body or in the query.', z.optional(prompt())),
})
const RemovePromptQuery = z.object({
  project_id: means('ID of the project, in the body or in the query.', z.optional(intParam(1))),
  prompt: means('Prompt as it was added, in the body or in the query.', z.optional(prompt())),
})

const samples = z.int().check(z.gte(1), z.lte(MAX_SAMPLES))

const StartScan = z.object({
  project_id: means('ID of the project, in the body or in the query.', z.optional(id())),
  samples: means(
    'Number of times that each engine is asked each prompt. More answers give narrower intervals and cost more.',
    z.optional(samples),
    '1',
  ),
})
const StartScanQuery = z.object({
  project_id: means('ID of the project, in the body or in the query.', z.optional(intParam(1))),
  samples: means(
    'Number of times that each engine is asked each prompt. More answers give narrower intervals and cost more.',
    z.optional(intParam(1, MAX_SAMPLES)),
    '1',
  ),
})

/** Returns the number of samples of a scan, each of which counts as one. */
const samplesIn = ({ samples: given }: Readonly<Record<string, unknown>>): number =>
  typeof given === 'number' ? given : 1

const VIEWS = ['summary', 'prompts', 'competitors', 'cited_pages', 'history'] as const

const ReportQuery = z.object({
  project_id: means('ID of the project, as listed by `GET /projects`.', intParam(1)),
  view: means('View to return.', z.optional(label(VIEWS)), '`summary`'),
  page: means('With `view=prompts`: page number.', z.optional(intParam(1)), '1'),
  per_page: means(
    'With `view=prompts`: prompts per page. Values above 50 are reduced to 50.',
    z.optional(lengthParam()),
    '10',
  ),
})

const ListAnswersQuery = z.object({
  project_id: means('ID of the project, as listed by `GET /projects`.', intParam(1)),
  scan_id: means('Returns only answers of this scan.', z.optional(intParam(1)), 'all'),
  prompt_id: means('Returns only answers to this prompt.', z.optional(intParam(1)), 'all'),
  engine: means('Returns only answers of these engines, separated by commas.', z.optional(labels(ENGINES)), 'all'),
  ...pagingParams({ default: 20, max: 100 }),
})

const ListScansQuery = z.object({
  project_id: means('ID of the project, as listed by `GET /projects`.', intParam(1)),
  ...pagingParams(),
})

const day = () => z.iso.date('must be a date as 2026-10-31')

const ImportBing = z.object({
  project_id: means('ID of the project, as listed by `GET /projects`.', id()),
  file: means(
    'Text of a CSV file of Bing Webmaster Tools, AI Performance: by page, by grounding query or by day. At most 5,000 lines.',
    rawText(MAX_FILE).check(z.minLength(1)),
  ),
  from: means(
    'First day of the period that was chosen in Bing. Required for files by page and by query, which have no dates.',
    z.optional(day()),
  ),
  to: means('Last day of that period, as `from`.', z.optional(day())),
})

const BingQuery = z.object({
  project_id: means('ID of the project, as listed by `GET /projects`.', intParam(1)),
  limit: means(
    'Maximum length of the rows of pages and queries. Values above 100 are reduced to 100.',
    z.optional(lengthParam()),
    '20',
  ),
})

export type ImportBingInput = z.infer<typeof ImportBing>
export type AddPromptInput = z.infer<typeof AddPrompt>
export type RemovePromptInput = z.infer<typeof RemovePrompt>
export type StartScanInput = z.infer<typeof StartScan>
export type ReportInput = z.infer<typeof ReportQuery>
export type ListAnswersInput = z.infer<typeof ListAnswersQuery>
export type ListScansInput = z.infer<typeof ListScansQuery>

/** Endpoints of AI visibility. */
export const visibilityOperations = {
  report: {
    id: 'visibility.get',
    method: 'GET',
    path: '/ai-visibility',
    perMinute: 30,
    scope: 'read',
    summary:
      'Returns how AI engines mention the business, in five views: summary, prompts, competitors, cited_pages, history.',
    query: ReportQuery,
    errors: ['not_found', 'forbidden'],
  },
  answers: {
    id: 'visibility.answers',
    method: 'GET',
    path: '/ai-visibility/answers',
    perMinute: 30,
    scope: 'read',
    summary: 'Lists the original answers behind the numbers, newest first.',
    query: ListAnswersQuery,
    errors: ['not_found', 'forbidden'],
  },
  scans: {
    id: 'visibility.scans',
    method: 'GET',
    path: '/ai-visibility/scans',
    perMinute: 30,
    scope: 'read',
    summary: 'Lists the scans of a project with their costs, newest first.',
    query: ListScansQuery,
    errors: ['not_found', 'forbidden'],
  },
  scan: {
    id: 'visibility.scan',
    method: 'POST',
    path: '/ai-visibility/scan',
    perMinute: 6,
    daily: {
      per: 'project',
      most: (plan) => PLAN_INCLUDES[plan].manualScans,
      used: manualScansOn,
      what: 'scans of the project',
      amountOf: samplesIn,
    },
    costs: [
      {
        unit: 'scans',
        amount: 1,
        amountOf: samplesIn,
        note: 'no credit; for each sample one of the project’s daily scans (UTC): 1, 2 or 5, depending on the plan',
      },
    ],
    typicalSeconds: 300,
    isShared: true,
    scope: 'write',
    summary:
      'Starts a scan of the AI engines. Scans are limited per project and day. Send the project in the body or the query.',
    success: [202],
    query: StartScanQuery,
    json: StartScan,
    bodyOptional: true,
    mostUsd: (project, body) => sql`${scanUsd(project)} * ${samplesIn(body)}::int`,
    errors: ['key_budget_used', 'provider_budget_used', 'scan_running', 'no_prompts', 'not_found', 'forbidden'],
  },
  addPrompt: {
    id: 'visibility.prompts.add',
    method: 'POST',
    path: '/ai-visibility/prompts',
    perMinute: 20,
    scope: 'draft',
    summary: 'Adds a prompt for the next scans of AI engines. At most 25 prompts are active.',
    json: AddPrompt,
    errors: ['not_found', 'forbidden', 'prompt_limit'],
  },
  removePrompt: {
    id: 'visibility.prompts.remove',
    method: 'DELETE',
    path: '/ai-visibility/prompts',
    perMinute: 20,
    scope: 'write',
    scopeReason: 'later numbers lack its answers',
    summary: 'Removes a prompt. Its past answers are kept. Send the project and the prompt in the body or the query.',
    query: RemovePromptQuery,
    json: RemovePrompt,
    bodyOptional: true,
    errors: ['not_found', 'forbidden'],
  },
  importBing: {
    id: 'visibility.bing.import',
    method: 'POST',
    path: '/ai-visibility/bing',
    perMinute: 10,
    scope: 'write',
    scopeReason: 'its numbers replace those of the same period',
    summary:
      'Imports a file of Bing’s AI performance report. Bing has no API for it. The same file again changes nothing.',
    json: ImportBing,
    errors: ['not_found', 'forbidden'],
  },
  bing: {
    id: 'visibility.bing',
    method: 'GET',
    path: '/ai-visibility/bing',
    perMinute: 30,
    scope: 'read',
    summary: 'Returns citations in Copilot and Bing. The imported files have them.',
    query: BingQuery,
    errors: ['not_found', 'forbidden'],
  },
} as const satisfies Operations
