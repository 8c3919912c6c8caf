import * as z from 'zod/mini'
import { lengthOf } from '../../platform/db/paging.ts'
import type { Operations } from '../../platform/http/operation.ts'

/** Length of the list. */
export const SHOWN = { default: 100, max: 1_000 }

/** Query of `GET /overview`. */
const Overview = z.object({ limit: lengthOf(SHOWN) })

export type OverviewInput = z.infer<typeof Overview>

/** Operation that reports the state of all projects. */
export const overviewOperations = {
  read: {
    id: 'overview',
    method: 'GET',
    path: '/overview',
    perMinute: 10,
    scope: 'read',
    summary:
      'Returns the state of all active projects, those that need a person first: failing, waiting for approval, indexed, clicks, and what goes out next.',
    query: Overview,
    errors: [],
  },
} as const satisfies Operations
