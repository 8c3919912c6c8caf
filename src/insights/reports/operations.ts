import * as z from 'zod/mini'
import type { Operations } from '../../platform/http/operation.ts'
import { absentIfNull, means } from '../../platform/lib/fields.ts'

/** Pattern of a month: `2026-10`. */
export const MONTH = /^20\d\d-(0[1-9]|1[0-2])$/

/** Body of `POST /projects/:id/reports`. */
const MakeReport = z.object({
  month: means(
    'Month that is over in the project’s time zone: `2026-10`.',
    z.optional(absentIfNull(z.string().check(z.regex(MONTH, { error: 'must be a month, such as 2026-10' })))),
    'the last month',
  ),
})

export type MakeReportInput = z.infer<typeof MakeReport>

/** Operations that make and list the monthly reports of a project. */
export const reportOperations = {
  make: {
    id: 'reports.make',
    method: 'POST',
    path: '/projects/:id/reports',
    perMinute: 10,
    scope: 'write',
    scopeReason: 'everybody with the link sees the figures',
    summary:
      'Makes the report of a month: figures that stay as they are, and a new link to their page. An earlier link to the same report ends.',
    success: [201],
    json: MakeReport,
    bodyOptional: true,
    errors: ['not_found', 'forbidden'],
  },
  list: {
    id: 'reports.list',
    method: 'GET',
    path: '/projects/:id/reports',
    perMinute: 30,
    scope: 'read',
    summary: 'Lists the monthly reports of a project with their figures, the newest month first, at most 24.',
    errors: ['not_found', 'forbidden'],
  },
} as const satisfies Operations
