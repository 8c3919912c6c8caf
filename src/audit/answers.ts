import * as z from 'zod/mini'
import type { AnswersOf } from '../http/answers.ts'
import { id, instant, page } from '../lib/answer-fields.ts'
import type { auditOperations } from './operations.ts'

const entry = z.strictObject({
  id: id(),
  at: instant(),
  actor: z.string(),
  action: z.string(),
  subject: z.string(),
  detail: z.record(z.string(), z.unknown()),
})

/** What the audit log answers. */
export const auditAnswers = {
  list: { 200: page({ entries: z.array(entry) }) },
} satisfies AnswersOf<typeof auditOperations>
