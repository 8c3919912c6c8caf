import type { Operations } from '../../platform/http/operation.ts'
import { ErasePerson, SyncMirror } from './schemas.ts'

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
    errors: ['beta_closed', 'not_entitled'],
  },
  export: {
    id: 'outreach.export',
    method: 'GET',
    path: '/outreach/export',
    perMinute: 10,
    scope: 'read',
    summary:
      'The whole mirror as newline-delimited JSON, a row a line as it was sent, to be synced elsewhere. The last line has the kind `end`; without it the export is not complete.',
    produces: 'application/x-ndjson',
    errors: [],
  },
  erase: {
    id: 'outreach.erase',
    method: 'POST',
    path: '/outreach/erase',
    perMinute: 10,
    scope: 'write',
    summary:
      'Erases a person by id or by address, with everything that belongs to them. Only hashes are kept, so that no later sync brings them back.',
    json: ErasePerson,
    errors: [],
  },
} as const satisfies Operations
