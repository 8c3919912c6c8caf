import * as z from 'zod/mini'
import { APPROVAL_KINDS, APPROVAL_STATUSES } from '../../../schema/values/approvals.ts'
import { pagingParams } from '../../platform/db/paging.ts'
import { intParam, labels } from '../../platform/lib/fields.ts'

export const ListApprovals = z.object({
  project_id: z.optional(intParam(1)),
  status: z.optional(labels(APPROVAL_STATUSES)),
  kind: z.optional(labels(APPROVAL_KINDS)),
  article_id: z.optional(intParam(1)),
  ...pagingParams(),
})

export type ListApprovalsInput = z.infer<typeof ListApprovals>
