import * as z from 'zod/mini'
import type { Operations } from '../../platform/http/operation.ts'
import { intParam, text } from '../../platform/lib/fields.ts'

const CatalogQuery = z.object({ project_id: intParam(1), category: z.optional(text(100)) })

const ConnectQuery = z.object({ project_id: intParam(1), integration: text(100, 1) })

export type CatalogInput = z.infer<typeof CatalogQuery>
export type ConnectInput = z.infer<typeof ConnectQuery>

/** Operations that list the integrations of a project and show how a person connects them. */
export const catalogOperations = {
  catalog: {
    id: 'integrations.catalog',
    method: 'GET',
    path: '/integrations/catalog',
    perMinute: 30,
    scope: 'read',
    summary: 'Lists all integrations for a project, and which are connected.',
    query: CatalogQuery,
    errors: ['not_found', 'forbidden'],
  },
  connect: {
    id: 'integrations.how_to_connect',
    method: 'GET',
    path: '/integrations/connect',
    perMinute: 30,
    scope: 'read',
    summary: 'Returns how a person connects an integration: the page to open, and the steps.',
    query: ConnectQuery,
    errors: ['not_found', 'forbidden'],
  },
} as const satisfies Operations
