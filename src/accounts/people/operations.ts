import type { Operations } from '../../platform/http/operation.ts'
import { Invite, MakeKey } from './schemas.ts'

const ADMIN = 'a person gives it to a key on purpose, after the password'

/** Endpoints of what else only people do: keys, invitations, copies of the account. */
export const peopleOperations = {
  makeKey: {
    id: 'keys.create',
    method: 'POST',
    path: '/keys',
    perMinute: 10,
    scope: 'admin',
    scopeReason: ADMIN,
    summary:
      'Makes a key with the scope `read` or `draft`. It is shown once. Keys with a wider scope are made by people.',
    success: [201],
    json: MakeKey,
    errors: ['forbidden'],
  },
  revokeKey: {
    id: 'keys.delete',
    method: 'DELETE',
    path: '/keys/:id',
    perMinute: 10,
    scope: 'admin',
    scopeReason: ADMIN,
    summary: 'Revokes a key of the account, at once and everywhere. Keys behind applications end in the settings.',
    errors: ['not_found', 'forbidden'],
  },
  invite: {
    id: 'invitations.create',
    method: 'POST',
    path: '/invitations',
    perMinute: 10,
    scope: 'admin',
    scopeReason: ADMIN,
    summary:
      'Invites a person into the account as a member, or as an editor or a client of one project. The invitation is mailed and holds for seven days.',
    success: [201],
    json: Invite,
    errors: ['not_found', 'forbidden'],
  },
  makeExport: {
    id: 'exports.create',
    method: 'POST',
    path: '/exports',
    perMinute: 3,
    typicalSeconds: 60,
    scope: 'admin',
    scopeReason: ADMIN,
    summary:
      'Has a copy of everything in the account made. An owner downloads it in the settings; a mail tells when it is ready.',
    success: [202],
    errors: ['forbidden', 'edit_conflict'],
  },
} as const satisfies Operations
