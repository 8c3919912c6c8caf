import type { SQL } from 'drizzle-orm'
import type { Plan } from '../../../schema/values/accounts.ts'
import {
  KEY_PROVIDERS,
  type KeptKeyword,
  type KeyProvider,
  type KeywordSource,
} from '../../../schema/values/keywords.ts'
import { readWithProject } from '../../accounts/projects/scope.ts'
import {
  keyFailure,
  noteKeyUse,
  openKey,
  providerUnavailable,
  sealedKeys,
  setupUrl,
} from '../../accounts/provider-keys/keys.ts'
import type { ProviderFailure } from '../../accounts/provider-keys/port.ts'
import { PLAN_INCLUDES } from '../../platform/accounts/plans.ts'
import { dollarsRefusal, isBeyond, providerDollars } from '../../platform/accounts/provider-dollars.ts'
import { countryName, WORLDWIDE } from '../../platform/lib/countries.ts'
import { ApiError, invalidInput } from '../../platform/lib/errors.ts'
import { DEFAULT_LANGUAGE } from '../../platform/lib/languages.ts'
import type { Account, Ctx } from '../../platform/runtime/ctx.ts'
import {
  type Asked,
  askOnce,
  type KeptAnswer,
  keptFor,
  type Place,
  placeOf,
  type Question,
  usableOf,
} from './ask-once.ts'
import { comparable, type KeywordProvider, type KeywordProviders, type Market, marketOf } from './market.ts'
import type { SearchKeywordsInput } from './operations.ts'

/** Returns the error for an account without saved keys whose plan needs them. */
const keysRequired = (ctx: Ctx, plan: Plan): ApiError => {
  const url = setupUrl(ctx)
  return new ApiError(
    'byo_keys_required',
    'Keyword research on this plan uses your own DataForSEO or Ahrefs key, and none is saved yet. Nothing was looked up.',
    {
      plan,
      required: { any_of: [...KEY_PROVIDERS] },
      setup_url: url,
      docs_url: `${ctx.settings.publicUrl}/docs/how/search#keywords`,
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

/** Returns the error for a request for the service's own keyword data on a plan without it. */
const ownKeysOnly = (ctx: Ctx, { source: _, ...input }: SearchKeywordsInput): ApiError => {
  const billing = `${ctx.settings.publicUrl}/settings/billing`
  return new ApiError('plan_required', 'The account’s plan does not include the service’s own keyword data.', {
    upgrade_url: billing,
    next_calls: [
      { method: 'POST', path: '/keywords/search', body: input, why: 'Without `source` the saved keys are used.' },
    ],
    instructions_for_agent: `Repeat the call without source, which uses the saved keys, or tell the user that the service’s own keyword data needs a larger plan, which can be chosen at ${billing}.`,
  })
}

/** Returns the error for a `source` whose key is not saved. */
const noSuchSource = (source: KeywordSource, allowed: readonly KeywordSource[]): ApiError =>
  invalidInput([
    {
      field: 'source',
      message: `no key of ${source.replace('byo_', '')} is saved: save one with PUT /provider-keys/${source.replace('byo_', '')}`,
      allowed,
    },
  ])

/** Default of `limit`: the keyword itself and 20 others. */
const USUAL = 21
const MOST = 50
/** Most that a search costs at the service's own provider, dollars: two lists of keywords (https://dataforseo.com/pricing, 2026-11-25). */
const SEARCH_USD = 0.03
/** Provider with which the service itself has an account. */
const OWN: KeyProvider = 'dataforseo'

type SealedKey = { provider: KeyProvider; sealedSecrets: string; rejected: string | null }
type Dollars = { used: number; limit: number }
type Loaded = { keys: SealedKey[]; place: Place; kept: KeptAnswer[]; dollars: Dollars | undefined }

const NOWHERE: Place = { language: DEFAULT_LANGUAGE, region: WORLDWIDE, region_key: WORLDWIDE.toLowerCase() }

/** Returns the account's keys, the place of the question and the stored answers, in one round trip. */
const load = async (ctx: Ctx, keyword: string, projectId: number | undefined): Promise<Loaded> => {
  const queries = (owner: SQL) => ({
    keys: sealedKeys(ctx.db, owner),
    places: placeOf(ctx.db, projectId),
    kept: keptFor(ctx.db, owner, keyword, projectId, ctx.now()),
    dollars: providerDollars(ctx.db, owner, ctx.now()),
  })
  const {
    keys,
    places,
    kept,
    dollars: [dollars],
  } = projectId === undefined ? await ctx.read(queries) : (await readWithProject(ctx, projectId, queries)).results
  return { keys, place: places.rows[0] ?? NOWHERE, kept: kept.rows, dollars }
}

/**
 * Returns the source to use: the one the caller names, or the plan's. Throws 402 if the plan excludes it, 400 if its key is not
 * saved.
 */
const sourceOf = (
  ctx: Ctx,
  { plan }: Account,
  keys: readonly SealedKey[],
  input: SearchKeywordsInput,
): KeywordSource => {
  const { source: wanted } = input
  const saved = KEY_PROVIDERS.filter((name) => keys.some(({ provider }) => provider === name))
  const own = saved.map((name): KeywordSource => `byo_${name}`)
  const includesService = PLAN_INCLUDES[plan].keywords
  if (!includesService && own.length === 0) throw keysRequired(ctx, plan)
  if (wanted === 'service' && !includesService) throw ownKeysOnly(ctx, input)
  const allowed: KeywordSource[] = includesService ? ['service', ...own] : own
  if (wanted !== undefined && !allowed.includes(wanted)) throw noSuchSource(wanted, allowed)
  return wanted ?? allowed[0] ?? 'service'
}

const providerOf = (source: KeywordSource): KeyProvider => (source === 'byo_ahrefs' ? 'ahrefs' : OWN)

/** Returns a note if the numbers are not exactly for the requested country; undefined otherwise. */
const noteOf = (place: Place, market: Market & { isKnown: boolean }, country: string | null): string | undefined => {
  if (country === null) return `There are no keyword lists in ${place.language}, so all countries were searched.`
  if (!market.isKnown)
    return `The region “${place.region}” is not a country, so the numbers are for ${countryName(country)}. Set keyword_region to a country.`
  if (country !== market.country)
    return `There are no keywords in ${place.language} for ${countryName(market.country)}; the numbers are for ${countryName(country)}.`
  return undefined
}

const rowOf = ({ keyword, searchVolume, difficulty, intent }: KeptKeyword) => ({
  keyword,
  search_volume: searchVolume,
  keyword_difficulty: difficulty,
  intent,
})

/** Returns a provider opened with the caller's key, or else the service's own. Throws 503 if the service has none. */
const openProvider = async (
  ctx: Ctx,
  providers: KeywordProviders,
  account: Account,
  key: SealedKey | undefined,
): Promise<KeywordProvider> => {
  if (key) return providers.opened(key.provider, await openKey(ctx, account.id, key))
  if (providers.service) return providers.service
  ctx.log('error', 'keywords.not_configured')
  const reason = 'No provider of keyword data is set up for this service.'
  throw providerUnavailable(OWN, { kind: 'failed', code: 'permanent', reason })
}

/** Returns the error for a provider's failure. Faults of the service's own account are also logged for the operator. */
const refusalOf = (ctx: Ctx, account: Account, key: SealedKey | undefined, failure: ProviderFailure): Error => {
  if (!key) {
    if (failure.code === 'auth' || failure.code === 'billing')
      ctx.log('error', 'keywords.account_refused', { provider: OWN, code: failure.code, status: failure.status })
    return providerUnavailable(OWN, failure)
  }
  if (failure.code === 'auth') ctx.defer(noteKeyUse(ctx, account.id, key, failure.reason))
  return keyFailure(ctx, key.provider, failure)
}

/**
 * Returns a keyword with its numbers, then related ones. Throws 400, 402, 404, 403 for the project, 503.
 *
 * Answers are stored for seven days per keyword, region and language. Answers that a caller's own keys paid for are stored for
 * that account only.
 */
export const searchKeywords = async (ctx: Ctx, providers: KeywordProviders, input: SearchKeywordsInput) => {
  const keyword = comparable(input.keyword)
  const limit = Math.min(input.limit ?? USUAL, MOST)
  const { keys, place, kept, dollars } = await load(ctx, keyword, input.project_id)
  const account = await ctx.account()
  const source = sourceOf(ctx, account, keys, input)
  const key = source === 'service' ? undefined : keys.find(({ provider }) => provider === providerOf(source))
  const isSandbox = providers.isSandbox(providerOf(source))
  const market = marketOf(place.language, place.region)
  const question: Question = {
    keyword,
    language: place.language,
    region: place.region_key,
    provider: `${providerOf(source)}${isSandbox ? ' sandbox' : ''}`,
    accountId: key ? account.id : null,
  }
  const found = kept.find((one) => one.provider === question.provider && one.is_mine === (key !== undefined))
  const ask = async () => {
    if (!key && dollars && isBeyond(ctx, account.id, dollars, SEARCH_USD))
      throw dollarsRefusal(ctx, dollars, SEARCH_USD)
    const provider = await openProvider(ctx, providers, account, key)
    return await askOnce(ctx, question, { wanted: limit, payer: key ? undefined : account.id }, () =>
      provider.search(market, keyword, limit),
    )
  }
  const answered: Asked | ProviderFailure = usableOf(found, limit) ?? (await ask())
  if (answered.kind === 'failed') throw refusalOf(ctx, account, key, answered)
  if (key && key.rejected !== null && !answered.cached) ctx.defer(noteKeyUse(ctx, account.id, key, null))
  const note = noteOf(place, market, answered.country)
  return {
    keywords: answered.rows.map(rowOf),
    count: answered.rows.length,
    limit,
    source,
    language: place.language,
    region: place.region,
    country: answered.country,
    cached: answered.cached,
    ...(note === undefined ? {} : { note }),
    ...(isSandbox ? { sandbox: true as const } : {}),
  }
}
