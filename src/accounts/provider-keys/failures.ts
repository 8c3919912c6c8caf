import type { KeyProvider } from '../../../schema/values/keywords.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { ProviderFailure } from './port.ts'

/** Names of the providers, for people. */
export const PROVIDER_NAMES: Readonly<Record<KeyProvider, string>> = { dataforseo: 'DataForSEO', ahrefs: 'Ahrefs' }

const RETRY_AFTER_S = 30

const upstreamOf = (provider: KeyProvider, { reason, status }: ProviderFailure) => ({
  name: provider,
  ...(status === undefined ? {} : { status }),
  message: reason,
})

/** Temporary failures. */
const PASSING: ReadonlySet<ProviderFailure['code']> = new Set(['rate_limited', 'transient'])

/**
 * Returns the error for a failed request to a provider: 400 with the provider's message if the input is wrong, else 503. Only
 * temporary failures are retryable.
 */
export const providerUnavailable = (provider: KeyProvider, failure: ProviderFailure): ApiError => {
  const name = PROVIDER_NAMES[provider]
  const upstream = upstreamOf(provider, failure)
  if (failure.code === 'invalid_input')
    return new ApiError('invalid_input', `${name} does not take this request: ${failure.reason}`, { upstream })
  if (PASSING.has(failure.code))
    return new ApiError('provider_unavailable', `${name} gives no keywords at the moment. Nothing was changed.`, {
      retry_after: failure.retryAfterS ?? RETRY_AFTER_S,
      upstream,
    })
  return new ApiError(
    'provider_unavailable',
    `${name} gives no keywords until the operator of this service fixes it. Nothing was changed; repeating the call does not help.`,
    { retryable: false, upstream },
  )
}

/** Returns the error for a caller's own key that is rejected, or whose account cannot pay. A person changes it at `setupUrl`. */
export const keysInvalid = (provider: KeyProvider, failure: ProviderFailure, setupUrl: string): ApiError => {
  const name = PROVIDER_NAMES[provider]
  const isBilling = failure.code === 'billing'
  return new ApiError(
    'byo_keys_invalid',
    isBilling
      ? `The account’s own ${name} account has nothing left to pay with, or not the subscription this needs.`
      : `${name} does not accept the account’s own key.`,
    {
      provider,
      reason: isBilling ? 'no_credit' : 'rejected',
      upstream: upstreamOf(provider, failure),
      setup_url: setupUrl,
      next_calls: [
        {
          method: 'GET',
          path: '/provider-keys',
          why: `Shows the saved keys; PUT /provider-keys/${provider} saves another.`,
        },
      ],
      instructions_for_agent: isBilling
        ? `Tell the user that their ${name} account has no credit left or lacks the subscription, and what ${name} said. Do not repeat the call before they have changed that.`
        : `Tell the user that ${name} rejected their key. Do not repeat the call before another one is saved at ${setupUrl} or with PUT /provider-keys/${provider}.`,
    },
  )
}
