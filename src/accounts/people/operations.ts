import * as z from 'zod/mini'
import { PROJECT_ROLES } from '../../../schema/values/people.ts'
import type { Operations } from '../../platform/http/operation.ts'
import { id, isoTime, label, means, text } from '../../platform/lib/fields.ts'

const MAX_NAME = 100
const MAX_EMAIL = 254

/** The scopes that a key can give to the keys it makes. */
const MADE_BY_KEYS = ['read', 'draft'] as const

/** Body of `POST /keys`. */
const MakeKey = z.object({
  name: means('Purpose of the key.', text(MAX_NAME, 1)),
  scope: means('Permissions of the key. Only people can create keys with `write` and `admin`.', label(MADE_BY_KEYS)),
  expires_at: means(
    'Time when the key expires. Without an offset it is UTC.',
    z.optional(z.nullable(isoTime())),
    'valid until it is revoked',
  ),
})

/** Body of `POST /invitations`. A key hands on less than it has: a member could change the policies that bind it. */
const Invite = z.object({
  email: means(
    'Email address to invite. An earlier invitation to this address becomes invalid.',
    text(MAX_EMAIL, 3).check(
      z.refine((value) => /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u.test(value), { error: 'must be an email address' }),
    ),
  ),
  role: means(
    '`editor`: works on the articles of the project. `client`: reads it and decides its approvals. Only people can invite members and make owners.',
    label(PROJECT_ROLES),
  ),
  project_id: means('ID of the project.', id()),
})

export type MakeKeyInput = z.infer<typeof MakeKey>
export type InviteInput = z.infer<typeof Invite>

const ADMIN = 'a person must give it to the key, with their password'

/** Endpoints for keys, invitations and copies of the account, which otherwise only people can make. */
export const peopleOperations = {
  makeKey: {
    id: 'keys.create',
    method: 'POST',
    path: '/keys',
    perMinute: 10,
    scope: 'admin',
    scopeReason: ADMIN,
    summary:
      'Creates a key with the scope `read` or `draft`. The key is returned only once. Only people can create keys with a wider scope.',
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
    summary: 'Revokes a key of the account immediately. Keys of applications are revoked in the settings.',
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
      'Invites a person to one project as an editor or a client. Only people can invite members. The invitation is sent by email and is valid for seven days.',
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
      'Starts an export of the whole account. An email is sent when it is ready. An owner downloads it in the settings.',
    success: [202],
    errors: ['forbidden', 'edit_conflict'],
  },
} as const satisfies Operations
