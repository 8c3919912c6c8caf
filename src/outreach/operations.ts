import type { Operations } from '../http/operation.ts'
import { SyncMirror } from './schemas.ts'

/** Endpoints of the outreach mirror. */
export const outreachOperations = {
  entitlement: {
    id: 'outreach.entitlement',
    method: 'GET',
    path: '/outreach/entitlement',
    perMinute: 30,
    scope: 'read',
    summary: 'Whether the account may sync an outreach mirror.',
    errors: ['beta_closed'],
  },
  sync: {
    id: 'outreach.sync',
    method: 'POST',
    path: '/outreach/sync',
    perMinute: 10,
    scope: 'write',
    summary:
      'Mirrors rows of the caller’s outreach database by their ids: 1,000 of each kind at most. The same rows again change nothing, and older ones never overwrite newer.',
    json: SyncMirror,
    errors: ['no_fields', 'beta_closed', 'not_entitled'],
  },
} as const satisfies Operations
