import type { Plan } from '../../../schema/values/accounts.ts'
import { KEY_PROVIDERS, type KeywordSource } from '../../../schema/values/keywords.ts'
import { setupUrl } from '../../accounts/provider-keys/keys.ts'
import { ApiError, invalidInput } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { SearchKeywordsInput } from './schemas.ts'

/** The plan brings its own keyword data, and the account has saved no key. */
export const keysRequired = (ctx: Ctx, plan: Plan): ApiError => {
  const url = setupUrl(ctx)
  return new ApiError(
    'byo_keys_required',
    'Keyword research on this plan uses your own DataForSEO or Ahrefs key, and none is saved yet. Nothing was looked up.',
    {
      plan,
      required: { any_of: [...KEY_PROVIDERS] },
      setup_url: url,
      docs_url: `${ctx.settings.publicUrl}/docs/concepts/keywords`,
      next_calls: [
        {
          method: 'GET',
          path: '/provider-keys',
          why: 'Lists the saved keys; PUT /provider-keys/dataforseo or /provider-keys/ahrefs saves one.',
        },
      ],
      instructions_for_agent: `Stop the keyword step and tell the user: keyword research on this plan needs your own DataForSEO or Ahrefs key. Save one at ${url}, then ask me to go on. Do not repeat the call before a key is saved.`,
    },
  )
}

/** The service's own keyword data was asked for on a plan that does not have it. */
export const ownKeysOnly = (ctx: Ctx, { source: _, ...input }: SearchKeywordsInput): ApiError => {
  const billing = `${ctx.settings.publicUrl}/settings/billing`
  return new ApiError('plan_required', 'The account’s plan does not include the service’s own keyword data.', {
    upgrade_url: billing,
    next_calls: [
      { method: 'POST', path: '/keywords/search', body: input, why: 'Without `source` the saved keys are used.' },
    ],
    instructions_for_agent: `Repeat the call without source, which uses the saved keys, or tell the user that the service’s own keyword data needs a larger plan, which can be chosen at ${billing}.`,
  })
}

/** Keys were asked for that are not saved. */
export const noSuchSource = (source: KeywordSource, allowed: readonly KeywordSource[]): ApiError =>
  invalidInput([
    {
      field: 'source',
      message: `no key of ${source.replace('byo_', '')} is saved: save one with PUT /provider-keys/${source.replace('byo_', '')}`,
      allowed,
    },
  ])
