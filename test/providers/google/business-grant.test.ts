import { expect, it } from 'vitest'
import { callerFor, callWith } from '../../../src/providers/google/business/api.ts'

const NOW = new Date('2026-11-25T10:00:00Z')

const ended = async (secrets: Record<string, string>): Promise<string> => {
  let told = ''
  const never = () => Promise.reject(new Error('is not asked'))
  const failure = { kind: 'revoked', message: 'Token has been expired or revoked.' } as const
  const tokens = { refresh: async () => ({ failure }) }
  const apis = { accountsUrl: '', locationsUrl: '', reviewsUrl: '', metricsUrl: '' }
  const account = {
    ...{ remoteId: 'locations/1', username: 'Shed', url: '', secrets },
    session: async () => null,
    keepSession: async () => {},
    end: async (reason: string) => {
      told = reason
    },
  }
  const call = callerFor({ ...apis, tokens, outbound: never, now: () => NOW }, account)
  const answer = await call({ url: 'https://a.example', method: 'GET' })
  expect(answer).toMatchObject({ kind: 'refused', status: 401, retryable: false, reason: told })
  return told
}

it.each([
  ['2026-11-18T09:00:00Z', true],
  ['2026-11-19T12:00:00Z', false],
  ['2026-11-01T10:00:00Z', false],
  [undefined, false],
])('a grant of %s that Google ended is reported as one of an application in testing: %s', async (granted, isTest) => {
  const told = await ended({ refresh_token: 'r', ...(granted ? { granted_at: granted } : {}) })
  expect(told).toContain('Google no longer accepts the access')
  expect(told.includes('seventh day')).toBe(isTest)
})

it.each([
  [
    { status: 'PERMISSION_DENIED', message: 'My Business API is disabled', details: [{ reason: 'SERVICE_DISABLED' }] },
    /disabled\. The operator of this service has to switch this API on/,
  ],
  [
    { status: 'PERMISSION_DENIED', message: 'No scope', details: [{ reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT' }] },
    /No scope\. Connect the profile again/,
  ],
  [{ status: 'PERMISSION_DENIED', message: 'The caller may not' }, /may not\.$/],
])('a refusal says what to do: %j', async (error, reason) => {
  const outbound = async () => ({
    kind: 'answered' as const,
    status: 403,
    headers: new Headers(),
    body: JSON.stringify({ error: { code: 403, ...error } }),
    bytes: new Uint8Array(0),
    truncated: false,
    incomplete: false,
  })
  expect(await callWith({ outbound }, 't', { url: 'https://a.example', method: 'GET' })).toMatchObject({
    kind: 'refused',
    retryable: false,
    reason: expect.stringMatching(reason),
  })
})
