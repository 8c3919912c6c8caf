import * as z from 'zod/mini'
import { KEY_PROVIDERS } from '../../../schema/values/keywords.ts'
import { headerToken, label } from '../../platform/lib/fields.ts'

/** The provider in a path. */
export const Provider = label(KEY_PROVIDERS)

/** Body of `PUT /provider-keys/:provider`: what that provider's keys are made of. */
export const SaveProviderKey = z.object({
  login: z.optional(headerToken(1_000)),
  password: z.optional(headerToken(1_000)),
  api_key: z.optional(headerToken(1_000)),
})

export type SaveProviderKeyInput = z.infer<typeof SaveProviderKey>
