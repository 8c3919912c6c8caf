import * as z from 'zod/mini'
import { id, intParam, text } from '../lib/fields.ts'
import { MAX_PROMPT, MIN_PROMPT } from './rules.ts'

const prompt = () => text(MAX_PROMPT, MIN_PROMPT)

export const AddPrompt = z.object({ project_id: id(), prompt: prompt() })
export const RemovePrompt = z.object({ project_id: z.optional(id()), prompt: z.optional(prompt()) })
export const RemovePromptQuery = z.object({ project_id: z.optional(intParam(1)), prompt: z.optional(prompt()) })

export type AddPromptInput = z.infer<typeof AddPrompt>
export type RemovePromptInput = z.infer<typeof RemovePrompt>
