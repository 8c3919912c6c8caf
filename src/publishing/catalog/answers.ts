import * as z from 'zod/mini'
import type { AnswersOf } from '../../platform/http/answers.ts'
import { body, id } from '../../platform/lib/answer-fields.ts'
import { CATEGORIES } from './entries.ts'
import type { catalogOperations } from './operations.ts'

const row = {
  key: z.string(),
  name: z.string(),
  category: z.enum(CATEGORIES),
  connected: z.boolean(),
  accounts: z.array(z.strictObject({ account_id: z.string(), account_name: z.string() })),
  connect_url: z.string(),
}

/** Fields of the answers of the catalog. */
export const catalogAnswers = {
  catalog: {
    200: body({ project_id: id(), integrations: z.array(z.strictObject(row)), note: z.optional(z.string()) }),
  },
  connect: {
    200: body({ project_id: id(), ...row, steps: z.array(z.string()), note: z.optional(z.string()) }),
  },
} satisfies AnswersOf<typeof catalogOperations>
