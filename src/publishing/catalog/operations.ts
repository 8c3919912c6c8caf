import type { Operations } from '../../platform/http/operation.ts'
import { CatalogQuery, ConnectQuery } from './schemas.ts'

/** Operations that show what can be connected to a project, and how a person connects it. */
export const catalogOperations = {
  catalog: {
    id: 'integrations.catalog',
    method: 'GET',
    path: '/integrations/catalog',
    perMinute: 30,
    scope: 'read',
    summary: 'Everything that can be connected to a project, with what is connected already.',
    query: CatalogQuery,
    errors: ['not_found', 'forbidden'],
  },
  connect: {
    id: 'integrations.how_to_connect',
    method: 'GET',
    path: '/integrations/connect',
    perMinute: 30,
    scope: 'read',
    summary: 'How a person connects one integration: the page to open, and the steps there.',
    query: ConnectQuery,
    errors: ['not_found', 'forbidden'],
  },
} as const satisfies Operations
