import * as z from 'zod/mini'
import type { AnswersOf } from '../http/answers.ts'
import { body, id } from '../lib/answer-fields.ts'
import type { visibilityOperations } from './operations.ts'

const prompt = (...statuses: [string, ...string[]]) =>
  body({ status: z.enum(statuses), prompt: z.string(), project_id: id(), message: z.string() })

/** What the operations of AI visibility answer. */
export const visibilityAnswers = {
  addPrompt: { 200: prompt('added', 'duplicate') },
  removePrompt: { 200: prompt('removed') },
} satisfies AnswersOf<typeof visibilityOperations>
