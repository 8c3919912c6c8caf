import * as z from 'zod/mini'
import { lengthParam } from '../../platform/db/paging.ts'
import { flag, intParam, noBlanks, text } from '../../platform/lib/fields.ts'

/** Search Console hands out no more rows than this. */
const MAX_START_ROW = 50_000

export const PerformanceQuery = z.object({
  project_id: intParam(1),
  days: z.optional(lengthParam()),
  limit: z.optional(lengthParam()),
  start_row: z.optional(intParam(0, MAX_START_ROW)),
  compare: z.optional(flag()),
})

export const HistoryQuery = z.object({
  project_id: intParam(1),
  page: z.optional(text(2_000, 1).check(noBlanks())),
  days: z.optional(lengthParam()),
})

/** Body of `PUT /projects/:id/search-console`. */
export const ChooseProperty = z.object({ property: text(2_000, 1) })

export type PerformanceInput = z.infer<typeof PerformanceQuery>
export type HistoryInput = z.infer<typeof HistoryQuery>
export type ChoosePropertyInput = z.infer<typeof ChooseProperty>
