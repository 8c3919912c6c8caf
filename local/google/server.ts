import { addDays, lastFinalDay } from '../../src/insights/search/rules.ts'
import { type Answer, html, json } from '../receiver/answers.ts'
import { type StandIn, startStandIn } from '../stand-in.ts'
import type { StandInRequest } from '../stand-in-request.ts'
import { type Accounts, consentPage, openAccounts, type Site } from './accounts.ts'
import { type Asked, faultOfFilters, rowsFor } from './analytics.ts'
import { type GivenLocation, openBusiness } from './business.ts'
import { type SiteData, type Subject, type SubjectsOf, siteData } from './data.ts'
import { type IndexStatus, openIndex } from './index-answers.ts'

/** Client of this service at the stand-in. */
export const LOCAL_GOOGLE = { clientId: 'local-client.apps.example', clientSecret: 'local-google-secret' }

/** The Google account of the samples. */
export const SAMPLE_ACCOUNT = 'owner@garden.example'

const SEARCH_SCOPE = 'https://www.googleapis.com/auth/webmasters.readonly'
const BUSINESS_SCOPE = 'https://www.googleapis.com/auth/business.manage'

export type RunningGoogle = Pick<StandIn, 'url' | 'port' | 'faults' | 'calls' | 'close'>

type Options = {
  port?: number
  dir?: string
  sites?: Site[]
  now?: () => number
  /** Absent: every site has the search data of the sample. */
  subjectsOf?: SubjectsOf
}

const fault = (code: number, status: string, reason: string, message: string): Answer =>
  json(code, { error: { code, message, status, errors: [{ message, domain: 'global', reason }] } })

const tokenFault = (status: number, error: string, said: string): Answer =>
  json(status, { error, error_description: said })

const formOf = (raw: Buffer): URLSearchParams => new URLSearchParams(raw.toString('utf8'))

const redirect = (to: string, params: Record<string, string>): Answer => {
  const url = new URL(to)
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value)
  return { status: 302, headers: { location: url.href }, body: '' }
}

const idToken = (email: string): string =>
  ['{"alg":"none"}', JSON.stringify({ sub: `sub-${email}`, email }), 'unsigned']
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.')

/** Returns the answer of a person on the consent page. */
const consent = (accounts: Accounts, form: URLSearchParams): Answer => {
  const get = (name: string) => form.get(name) ?? ''
  const state = get('state')
  if (get('allow') !== 'yes') return redirect(get('redirect_uri'), { error: 'access_denied', state })
  const email = get('email') || (accounts.emails()[0] ?? '')
  const domain = get('domain').trim()
  if (domain !== '')
    accounts.put(email, [...accounts.sitesOf(email), { siteUrl: `sc-domain:${domain}`, permissionLevel: 'siteOwner' }])
  const scope = get('scope')
    .split(' ')
    .filter((one) => one !== SEARCH_SCOPE || get('search') === 'yes')
    .filter((one) => one !== BUSINESS_SCOPE || get('business') === 'yes')
    .join(' ')
  const code = accounts.allow({ email, scope, challenge: get('code_challenge'), redirectUri: get('redirect_uri') })
  return redirect(get('redirect_uri'), { code, state, scope })
}

const tokens = (accounts: Accounts, form: URLSearchParams): Answer => {
  const get = (name: string) => form.get(name) ?? ''
  if (get('client_id') !== LOCAL_GOOGLE.clientId || get('client_secret') !== LOCAL_GOOGLE.clientSecret)
    return tokenFault(401, 'invalid_client', 'The OAuth client was not found.')
  const common = (access: string, scope: string) => ({
    access_token: access,
    expires_in: 3599,
    scope,
    token_type: 'Bearer',
  })
  if (get('grant_type') === 'refresh_token') {
    const made = accounts.refresh(get('refresh_token'))
    return made
      ? json(200, common(made.access, made.grant.scope))
      : tokenFault(400, 'invalid_grant', 'Token has been expired or revoked.')
  }
  const made = accounts.spend(get('code'), get('code_verifier'), get('redirect_uri'))
  if (!made) return tokenFault(400, 'invalid_grant', 'Malformed auth code.')
  const { grant, access, refresh } = made
  return json(200, { ...common(access, grant.scope), refresh_token: refresh, id_token: idToken(grant.email) })
}

const isDay = (text: unknown): text is string => typeof text === 'string' && /^\d{4}-\d\d-\d\d$/.test(text)

const KNOWN = new Set([
  'startDate',
  'endDate',
  'dimensions',
  'rowLimit',
  'startRow',
  'type',
  'dataState',
  'aggregationType',
  'dimensionFilterGroups',
])

/** Returns the body of a query after Google's checks, or else the error message. */
const askedIn = (body: unknown): Asked | string => {
  const given = (body ?? {}) as Record<string, unknown>
  const unknown = Object.keys(given).find((name) => !KNOWN.has(name))
  if (unknown) return `Invalid JSON payload received. Unknown name "${unknown}": Cannot find field.`
  const { startDate, endDate, dimensions = [], rowLimit = 1_000, startRow = 0 } = given as Partial<Asked>
  const { dataState = 'final', dimensionFilterGroups = [] } = given as Partial<Asked>
  if (!isDay(startDate) || !isDay(endDate)) return 'startDate and endDate are required.'
  if (startDate > endDate) return 'Invalid date range.'
  if (!dimensions.every((one) => ['query', 'page', 'date'].includes(one))) return 'Invalid dimension.'
  if (!(rowLimit >= 1 && rowLimit <= 25_000)) return 'rowLimit must be between 1 and 25000.'
  const fault = faultOfFilters(dimensionFilterGroups)
  if (fault) return fault
  return { startDate, endDate, dimensions, rowLimit, startRow, dataState, dimensionFilterGroups }
}

const INSPECTION = ['inspectionUrl', 'siteUrl', 'languageCode']

/** Returns the body of an inspection after Google's checks, or else the error message. */
const inspectionIn = (body: unknown): Record<'inspectionUrl' | 'siteUrl' | 'languageCode', string> | string => {
  const given = (body ?? {}) as Record<string, unknown>
  const unknown = Object.keys(given).find((name) => !INSPECTION.includes(name))
  if (unknown) return `Invalid JSON payload received. Unknown name "${unknown}": Cannot find field.`
  const { inspectionUrl, siteUrl, languageCode = 'en-US' } = given
  if (typeof siteUrl !== 'string' || siteUrl === '') return 'siteUrl is required.'
  if (typeof inspectionUrl !== 'string' || !URL.canParse(inspectionUrl)) return 'inspectionUrl is not a valid URL.'
  return { inspectionUrl, siteUrl, languageCode: String(languageCode) }
}

const DOMAIN = 'sc-domain:'

/** True for the sample's blog, which is on this machine. */
const isLocal = (property: string): boolean => /^https?:\/\/(127\.|localhost)/.test(property)

/** Returns a property's site, its brand, and the folder of its articles. The sample blog has them below `/posts`. */
const siteOf = (property: string): { origin: string; brand: string; folder: string } => {
  if (isLocal(property)) return { origin: new URL(property).origin, brand: 'garden room', folder: '/posts' }
  const host = property.startsWith(DOMAIN) ? property.slice(DOMAIN.length) : new URL(property).hostname
  return { origin: `https://${host}`, brand: host.split('.').at(-2) ?? host, folder: '/blog' }
}

/** True if an address belongs to a property. */
const isWithin = (property: string, url: string): boolean => {
  if (!property.startsWith(DOMAIN)) return url.startsWith(property)
  const host = URL.parse(url)?.hostname ?? ''
  return `.${host}`.endsWith(`.${property.slice(DOMAIN.length)}`)
}

/** Returns a property's data, made from the project's own keywords; undefined if it gets the sample's data. */
const ownData = (property: string, subjects: readonly Subject[] | undefined, lastDay: string): SiteData | undefined => {
  // The sample's first data are fetched while its articles are still being written: not all its keywords exist yet.
  if (!subjects || isLocal(property)) return undefined
  const { origin, brand, folder } = siteOf(property)
  const within = subjects.map((one) => ({ ...one, url: one.url && isWithin(property, one.url) ? one.url : null }))
  return siteData(origin, brand, lastDay, folder, within)
}

/** Returns the sample's data for a property. A domain also has the data of its host `blog`. */
const sampleData = (property: string, lastDay: string): SiteData => {
  const { origin, brand, folder } = siteOf(property)
  const own = siteData(origin, brand, lastDay, folder)
  if (!property.startsWith(DOMAIN)) return own
  const blog = siteData(`https://blog.${property.slice(DOMAIN.length)}`, brand, lastDay)
  return { days: own.days, facts: (day) => [...own.facts(day), ...blog.facts(day)] }
}

/**
 * Starts a stand-in for Google on 127.0.0.1, with made-up data: the consent page, the token and revocation endpoints,
 * Search Console and business profiles.
 *
 * `POST /_accounts {email, sites, locations}` adds an account, `POST /_withdraw {email}` withdraws its grants,
 * `POST /_index {url, result}` sets what the index has of an address, `POST /_sitemaps {property, sitemaps}` the sitemaps of a
 * property, `/_faults` makes it misbehave.
 */
export const startGoogle = async ({
  port = 0,
  dir,
  sites,
  now = Date.now,
  subjectsOf,
}: Options = {}): Promise<RunningGoogle> => {
  const first = sites ?? [
    { siteUrl: 'sc-domain:garden.example', permissionLevel: 'siteOwner' },
    { siteUrl: 'https://www.garden.example/', permissionLevel: 'siteFullUser' },
    { siteUrl: 'https://unverified.example/', permissionLevel: 'siteUnverifiedUser' },
  ]
  const accounts = openAccounts({ [SAMPLE_ACCOUNT]: first }, now, dir)
  const business = openBusiness(dir)
  const index = openIndex(now, dir)
  const kept = new Map<string, { made: string; data: SiteData }>()

  /** Returns a property's data for an account. They are made again after the day or the project's keywords changed. */
  const dataOf = async (property: string, email: string): Promise<SiteData> => {
    const lastDay = lastFinalDay(new Date(now()))
    const subjects = await subjectsOf?.(property, email)
    const key = `${property} ${email}`
    const made = JSON.stringify([lastDay, subjects])
    const before = kept.get(key)
    if (before?.made === made) return before.data
    const data = ownData(property, subjects, lastDay) ?? sampleData(property, lastDay)
    kept.set(key, { made, data })
    return data
  }

  /** Returns the person of a request's token if it has the scope; else Google's refusal. */
  const allowed = (request: StandInRequest, scope: string): { email: string } | { refusal: Answer } => {
    const grant = accounts.accessGrant(request.headers.authorization)
    if (!grant)
      return {
        refusal: fault(
          401,
          'UNAUTHENTICATED',
          'authError',
          'Request had invalid authentication credentials. Expected OAuth 2 access token.',
        ),
      }
    if (!grant.scope.split(' ').includes(scope))
      return {
        refusal: fault(
          403,
          'PERMISSION_DENIED',
          'insufficientPermissions',
          'Request had insufficient authentication scopes.',
        ),
      }
    return grant
  }

  const businessProfiles = (request: StandInRequest): Answer => {
    const grant = allowed(request, BUSINESS_SCOPE)
    return 'refusal' in grant ? grant.refusal : business.answer(grant.email, request)
  }

  const searchConsole = async (request: StandInRequest): Promise<Answer> => {
    const grant = allowed(request, SEARCH_SCOPE)
    if ('refusal' in grant) return grant.refusal
    const owned = accounts.sitesOf(grant.email)
    if (request.method === 'GET' && request.path === '/webmasters/v3/sites')
      return json(200, owned.length > 0 ? { siteEntry: owned } : {})
    const denied = (name: string): Answer =>
      fault(
        403,
        'PERMISSION_DENIED',
        'forbidden',
        `User does not have sufficient permission for site '${name}'. See also: https://support.google.com/webmasters/answer/2451999.`,
      )
    const isAllowed = (name: string): boolean =>
      owned.some((site) => site.siteUrl === name && site.permissionLevel !== 'siteUnverifiedUser')
    if (request.method === 'POST' && request.path === '/v1/urlInspection/index:inspect') {
      const asked = inspectionIn(request.body)
      if (typeof asked === 'string') return fault(400, 'INVALID_ARGUMENT', 'badRequest', asked)
      // An address outside of a property gets the same words as a property of somebody else.
      if (!isAllowed(asked.siteUrl) || !isWithin(asked.siteUrl, asked.inspectionUrl)) return denied(asked.siteUrl)
      return index.inspected(asked.inspectionUrl, asked.languageCode)
    }
    const [, property, what] =
      /^\/webmasters\/v3\/sites\/([^/]+)\/(searchAnalytics\/query|sitemaps)$/.exec(request.path) ?? []
    const wanted = what === 'sitemaps' ? 'GET' : 'POST'
    if (property === undefined || request.method !== wanted) return fault(404, 'NOT_FOUND', 'notFound', 'Not found.')
    const name = decodeURIComponent(property)
    if (!isAllowed(name)) return denied(name)
    if (what === 'sitemaps') return index.sitemaps(name)
    const asked = askedIn(request.body)
    if (typeof asked === 'string') return fault(400, 'INVALID_ARGUMENT', 'badRequest', asked)
    const rows = rowsFor(await dataOf(name, grant.email), asked)
    const isByPage = asked.dimensions.includes('page') || asked.dimensionFilterGroups.length > 0
    const open = addDays(lastFinalDay(new Date(now())), 1)
    // If fresh data are requested by day, Google names the first day that is not complete.
    const isOpen = asked.dataState === 'all' && asked.dimensions.includes('date') && asked.endDate >= open
    return json(200, {
      ...(rows ? { rows } : {}),
      responseAggregationType: isByPage ? 'byPage' : 'byProperty',
      ...(isOpen ? { metadata: { firstIncompleteDate: open } } : {}),
    })
  }

  const answer = (request: StandInRequest): Answer | Promise<Answer> => {
    const { method, path, raw } = request
    if (path === '/o/oauth2/v2/auth')
      return method === 'POST' ? consent(accounts, formOf(raw)) : html(200, consentPage(request.query, accounts))
    if (path === '/token' && method === 'POST') return tokens(accounts, formOf(raw))
    if (path === '/revoke' && method === 'POST')
      return accounts.revoke(formOf(raw).get('token') ?? '')
        ? json(200, {})
        : tokenFault(400, 'invalid_token', 'Token expired or revoked')
    if (path === '/_accounts' && method === 'POST') {
      const {
        email,
        sites: given,
        locations,
      } = request.body as {
        email: string
        sites: Site[]
        locations?: GivenLocation[]
      }
      accounts.put(email, given)
      if (locations) business.give(email, locations)
      return json(200, { email })
    }
    if (path === '/_index' && method === 'POST') {
      const { url, result } = request.body as { url: string; result: IndexStatus }
      index.tell(url, result)
      return json(200, {})
    }
    if (path === '/_sitemaps' && method === 'POST') {
      const { property, sitemaps } = request.body as { property: string; sitemaps: Record<string, unknown>[] }
      index.watch(property, sitemaps)
      return json(200, {})
    }
    if (path === '/_grants') return json(200, { withdrawn: accounts.isWithdrawn(request.query.get('email') ?? '') })
    if (path === '/_withdraw' && method === 'POST') {
      accounts.withdrawAll((request.body as { email: string }).email)
      return json(200, {})
    }
    return business.takes(path) ? businessProfiles(request) : searchConsole(request)
  }

  const { url, port: taken, faults, calls, close } = await startStandIn({ port, answer, posts: () => business.posts() })
  return { url, port: taken, faults, calls, close }
}
