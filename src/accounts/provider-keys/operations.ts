import * as z from 'zod/mini'
import { KEY_PROVIDERS } from '../../../schema/values/keywords.ts'
import type { Operations } from '../../platform/http/operation.ts'
import { headerToken, label, means } from '../../platform/lib/fields.ts'

/** The provider in a path. */
const Provider = label(KEY_PROVIDERS)

/** Body of `PUT /provider-keys/:provider`: the secrets of the provider's key. */
export const SaveProviderKey = z.object({
  login: means('With `dataforseo`: login.', z.optional(headerToken(1_000))),
  password: means(
    'With `dataforseo`: API password, which is different from the account password.',
    z.optional(headerToken(1_000)),
  ),
  api_key: means('With `ahrefs`: API key.', z.optional(headerToken(1_000))),
})

export type SaveProviderKeyInput = z.infer<typeof SaveProviderKey>

/** Endpoints of callers' own keys of keyword providers. */
export const providerKeyOperations = {
  list: {
    id: 'provider_keys.list',
    method: 'GET',
    path: '/provider-keys',
    perMinute: 30,
    scope: 'read',
    summary: 'Lists the account’s own keys for keyword providers, without the secrets.',
    errors: [],
  },
  save: {
    id: 'provider_keys.save',
    method: 'PUT',
    path: '/provider-keys/:provider',
    perMinute: 10,
    costs: [{ unit: 'provider_dollars', amount: 0, note: 'no credit; the check at the provider is free' }],
    scope: 'write',
    summary:
      'Saves the account’s own key for a provider and replaces the previous one. `dataforseo` takes `login` and `password`; `ahrefs` takes `api_key`. The provider checks the key first, at no cost. A rejected key is not saved.',
    params: { provider: Provider },
    json: SaveProviderKey,
    errors: ['byo_keys_invalid', 'provider_unavailable'],
  },
  remove: {
    id: 'provider_keys.delete',
    method: 'DELETE',
    path: '/provider-keys/:provider',
    perMinute: 10,
    scope: 'write',
    summary: 'Deletes the account’s own key for a provider.',
    params: { provider: Provider },
    errors: ['not_found'],
  },
} as const satisfies Operations
