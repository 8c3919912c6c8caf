import * as z from 'zod/mini'
import { PLANS } from '../../../schema/values/accounts.ts'
import { OUTREACH_KINDS } from '../../../schema/values/outreach.ts'
import { type AnswersOf, body, count, means, message, selfExplanatory } from '../../platform/http/answers.ts'
import type { outreachOperations } from './operations.ts'

const counts = z.strictObject({
  persons: selfExplanatory(count()),
  identities: selfExplanatory(count()),
  leads: selfExplanatory(count()),
  actions: selfExplanatory(count()),
  suppressions: selfExplanatory(count()),
})

/** Answers of the operations of the outreach mirror. */
export const outreachAnswers = {
  entitlement: {
    200: body({
      entitled: means('True if `POST /outreach/sync` accepts rows. It does not depend on the plan.', z.boolean()),
      plan: means('Plan of the account.', z.enum(PLANS)),
      status: means('`active` if `entitled` is true.', z.enum(['active', 'inactive'])),
    }),
  },
  export: {
    200: z.union([
      z.strictObject({
        kind: means(
          'Kind of the row. Rows are ordered by kind, then by ID. `end`: last line, the export is complete.',
          z.enum(OUTREACH_KINDS),
        ),
        row: means('Row as it was sent.', z.looseObject({ id: means('Your own ID of the row.', z.string()) })),
        suppressed: means(
          'Present if a suppression covers the person, by ID, address or domain.',
          z.optional(z.literal(true)),
        ),
      }),
      z.strictObject({
        kind: means(
          'Kind of the row. Rows are ordered by kind, then by ID. `end`: last line, the export is complete.',
          z.literal('end'),
        ),
        cursor: means('Last `since` that was sent. Null if there was none.', z.nullable(z.string())),
        counts: means('Number of rows in this export, by kind.', counts),
      }),
    ]),
  },
  erase: {
    200: body({
      erased: means('Number of removed rows, by kind. All 0 if nothing was stored about the person.', counts),
      message: message(),
    }),
  },
  sync: {
    200: body({
      synced: means(
        'Number of sent rows, by kind. Includes rows that were unchanged, older or skipped as erased.',
        counts,
      ),
      cursor: means('Last `since` that was sent. Null if there was none.', z.nullable(z.string())),
    }),
  },
} satisfies AnswersOf<typeof outreachOperations>
