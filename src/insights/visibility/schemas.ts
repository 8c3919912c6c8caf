import * as z from 'zod/mini'
import { ENGINES } from '../../../schema/values/visibility.ts'
import { lengthParam, pagingParams } from '../../platform/db/paging.ts'
import { id, intParam, label, labels, text } from '../../platform/lib/fields.ts'
import { MAX_PROMPT, MAX_SAMPLES, MIN_PROMPT } from './rules.ts'

const prompt = () => text(MAX_PROMPT, MIN_PROMPT)

export const AddPrompt = z.object({ project_id: id(), prompt: prompt() })
export const RemovePrompt = z.object({ project_id: z.optional(id()), prompt: z.optional(prompt()) })
export const RemovePromptQuery = z.object({ project_id: z.optional(intParam(1)), prompt: z.optional(prompt()) })

const samples = z.int().check(z.gte(1), z.lte(MAX_SAMPLES))

export const StartScan = z.object({ project_id: z.optional(id()), samples: z.optional(samples) })
export const StartScanQuery = z.object({
  project_id: z.optional(intParam(1)),
  samples: z.optional(intParam(1, MAX_SAMPLES)),
})

const VIEWS = ['summary', 'prompts', 'competitors', 'cited_pages', 'history'] as const

export const ReportQuery = z.object({
  project_id: intParam(1),
  view: z.optional(label(VIEWS)),
  page: z.optional(intParam(1)),
  per_page: z.optional(lengthParam()),
})

export const ListAnswersQuery = z.object({
  project_id: intParam(1),
  scan_id: z.optional(intParam(1)),
  prompt_id: z.optional(intParam(1)),
  engine: z.optional(labels(ENGINES)),
  ...pagingParams(),
})

export const ListScansQuery = z.object({ project_id: intParam(1), ...pagingParams() })

export type AddPromptInput = z.infer<typeof AddPrompt>
export type RemovePromptInput = z.infer<typeof RemovePrompt>
export type StartScanInput = z.infer<typeof StartScan>
export type ReportInput = z.infer<typeof ReportQuery>
export type ListAnswersInput = z.infer<typeof ListAnswersQuery>
export type ListScansInput = z.infer<typeof ListScansQuery>
