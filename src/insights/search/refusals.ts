import type { SearchFailure } from '../../../schema/values/search.ts'
import { expiredLikeTestGrant } from '../../platform/lib/consent.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { connectOptions } from './link.ts'
import type { Failure, SearchConsole } from './port.ts'
import type { Connected } from './queries.ts'

const NAME = 'Google Search Console'

/** Returns the mark of answers whose data a stand-in made up. */
export const sandboxMark = (google: SearchConsole): { sandbox?: true } => (google.isSandbox ? { sandbox: true } : {})

const optionsFor = (ctx: Ctx, row: Connected) =>
  connectOptions(ctx, { project: row.project_id, account: row.account_id })

/** Returns the answer for a project that is not connected, or has no property yet. */
export const notConnected = async (ctx: Ctx, google: SearchConsole, row: Connected) => {
  const { url, open, mayWrite } = await optionsFor(ctx, row)
  const base = { connected: false as const, project_id: row.project_id, connect_url: url, ...sandboxMark(google) }
  if (row.connection_id !== null)
    return {
      ...base,
      message: `The Google account is connected, but no property of it covers ${row.website_url}.`,
      instructions_for_agent: `Ask the user to ${open} and choose the property${mayWrite ? `, or choose one with PUT /projects/${row.project_id}/search-console. GET /projects/${row.project_id}/search-console lists them` : ''}.`,
    }
  if (!google.isConfigured)
    return {
      ...base,
      message: 'This service has no access to Google Search Console: its operator has not set it up.',
      instructions_for_agent:
        'Go on without search data and tell the user that the operator of the service has to set up Google Search Console first. Repeating the call does not help.',
    }
  return {
    ...base,
    message: 'The project is not connected to Google Search Console.',
    instructions_for_agent: `Ask the user to ${open}, sign in to Google with the account that owns the site and allow reading Search Console. Then repeat this call.`,
  }
}

const isTestGrant = ({ granted_at: granted, failed_at: failed, failure }: Connected, now: Date): boolean =>
  granted !== null && expiredLikeTestGrant(granted, failure === 'revoked' && failed !== null ? new Date(failed) : now)

const WHY: Record<
  SearchFailure,
  (row: Connected, open: string, now: Date) => { message: string; instructions_for_agent: string }
> = {
  revoked: (row, open, now) => {
    const again = `Ask the user to ${open} and connect again. The data exists but cannot be read until then, so draw no conclusions from its absence.`
    return isTestGrant(row, now)
      ? {
          message:
            'Google no longer accepts the access that was granted: it ended on its seventh day, as Google ends access for applications in testing.',
          instructions_for_agent: `${again} Tell the user that it ends again after seven days until the operator of the service publishes its application at Google (Google Auth Platform, Audience).`,
        }
      : {
          message: 'Google no longer accepts the access that was granted: it was withdrawn or has expired.',
          instructions_for_agent: again,
        }
  },
  scope: (_, open) => ({
    message: 'The access that was granted does not include Search Console.',
    instructions_for_agent: `Ask the user to ${open}, connect again, and tick the box for Search Console on Google’s page.`,
  }),
  forbidden: (row, open) => ({
    message: `The connected Google account may not read the property ${row.property}.`,
    instructions_for_agent: `Ask the user to give the Google account access to ${row.property} in Search Console, or to ${open} and choose another property or account.`,
  }),
  disabled: () => ({
    message: 'Google’s Search Console interface is switched off for this service.',
    instructions_for_agent:
      'Tell the user that the operator of the service has to switch on the Search Console API in its Google Cloud project.',
  }),
  invalid: (row, open) => ({
    message: `Google rejects queries of the property ${row.property}.`,
    instructions_for_agent: `Ask the user to ${open} and choose the property again. If that changes nothing, tell the operator of the service what upstream says.`,
  }),
}

/** Returns the answer if Google refuses until a person acts. It has no data, not even zeros. */
export const fetchFailed = async (
  ctx: Ctx,
  google: SearchConsole,
  row: Connected & { property: string },
  failure: Pick<Failure, 'status' | 'message'> & { kind: SearchFailure },
) => {
  const { url, open } = await optionsFor(ctx, row)
  const { status, message } = failure
  return {
    connected: true as const,
    project_id: row.project_id,
    property: row.property,
    error: 'gsc_fetch_failed' as const,
    reason: failure.kind,
    ...WHY[failure.kind](row, open, ctx.now()),
    connect_url: url,
    ...(message === '' ? {} : { upstream: { name: NAME, ...(status === undefined ? {} : { status }), message } }),
    ...sandboxMark(google),
  }
}

const WHY_NOT_NOW: Partial<Record<Failure['kind'], string>> = {
  quota: 'Google’s quota is used up for now',
  unauthorized: 'Google Search Console rejects the access that Google has just given',
}

/** Returns the error if Google cannot answer now, or refuses this service's own client, which only its operator can fix. */
export const unavailable = (failure: Failure): ApiError => {
  const { status = 503, message, retryAfter = 60 } = failure
  if (failure.kind === 'client')
    return new ApiError(
      'provider_unavailable',
      'Google rejects this service’s own client. Repeating the call does not help: the operator of this service has to fix it.',
      { retryable: false, upstream: { name: NAME, status, message } },
    )
  const why = WHY_NOT_NOW[failure.kind] ?? 'Google Search Console does not respond'
  return new ApiError('provider_unavailable', `${why}. Repeat the call after ${retryAfter} s.`, {
    retry_after: retryAfter,
    upstream: { name: NAME, status, message },
  })
}

/** Returns the error for changing a connection that does not exist. */
export const noConnection = async (ctx: Ctx, row: Connected): Promise<ApiError> => {
  const { url, open } = await optionsFor(ctx, row)
  return new ApiError('not_found', 'The project is not connected to Google Search Console.', {
    connect_url: url,
    next_calls: [
      { method: 'POST', path: `/projects/${row.project_id}/search-console/connect`, why: 'Creates a connection link.' },
    ],
    instructions_for_agent: `Ask the user to ${open} and connect first.`,
  })
}
