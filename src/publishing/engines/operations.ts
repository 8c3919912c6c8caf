import * as z from 'zod/mini'
import type { Operations } from '../../platform/http/operation.ts'
import { means } from '../../platform/lib/fields.ts'

/** Body of `POST /projects/:id/search-engines/verify`. */
const VerifyKey = z.object({
  new_key: means(
    'True: makes a new key first, if search engines refuse the present one. The old key file is then worthless.',
    z.optional(z.boolean()),
    '`false`',
  ),
})

export type VerifyKeyInput = z.infer<typeof VerifyKey>

/** Operations on what search engines are told about a project. */
export const engineOperations = {
  show: {
    id: 'engines.show',
    method: 'GET',
    path: '/projects/:id/search-engines',
    perMinute: 30,
    scope: 'read',
    summary:
      'Shows what Bing, Yandex and other search engines are told about a project by IndexNow: its key file, the hosts at which it was found, and the last reports. Google does not take part.',
    errors: ['not_found', 'forbidden'],
  },
  verify: {
    id: 'engines.verify',
    method: 'POST',
    path: '/projects/:id/search-engines/verify',
    perMinute: 5,
    typicalSeconds: 3,
    scope: 'write',
    summary:
      'Looks for the key file of IndexNow at the hosts of the project now. A WordPress plugin is asked to serve it, and it is committed into a repository. Reports that wait are sent if it is there.',
    json: VerifyKey,
    bodyOptional: true,
    errors: ['not_found', 'forbidden'],
  },
} as const satisfies Operations
