import * as z from 'zod/mini'
import { intParam, text } from '../../platform/lib/fields.ts'

export const CatalogQuery = z.object({ project_id: intParam(1), category: z.optional(text(100)) })

export const ConnectQuery = z.object({ project_id: intParam(1), integration: text(100, 1) })

export type CatalogInput = z.infer<typeof CatalogQuery>
export type ConnectInput = z.infer<typeof ConnectQuery>
