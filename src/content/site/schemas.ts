import * as z from 'zod/mini'
import { intParam, text } from '../../platform/lib/fields.ts'

/** Query of `GET /internal-links`. */
export const InternalLinksQuery = z.object({ project_id: intParam(1), keyword: z.optional(text(500)) })

export type InternalLinksInput = z.infer<typeof InternalLinksQuery>
