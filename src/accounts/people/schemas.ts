import * as z from 'zod/mini'
import { PROJECT_ROLES } from '../../../schema/values/people.ts'
import { id, isoTime, label, text } from '../../platform/lib/fields.ts'

const MAX_NAME = 100
const MAX_EMAIL = 254

/** The scopes that a key can give to the keys it makes. */
const MADE_BY_KEYS = ['read', 'draft'] as const

/** Body of `POST /keys`. */
export const MakeKey = z.object({
  name: text(MAX_NAME, 1),
  scope: label(MADE_BY_KEYS),
  expires_at: z.optional(z.nullable(isoTime())),
})

/** Body of `POST /invitations`. Only a person makes others owners. `project_id` is for an editor and a client. */
export const Invite = z.object({
  email: text(MAX_EMAIL, 3).check(
    z.refine((value) => /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u.test(value), { error: 'must be an email address' }),
  ),
  role: z.optional(label(['member', ...PROJECT_ROLES])),
  project_id: z.optional(z.nullable(id())),
})

export type MakeKeyInput = z.infer<typeof MakeKey>
export type InviteInput = z.infer<typeof Invite>
