import type { Scope } from '../../schema/values/accounts.ts'
import { type Api, clientOf, makeKeys, type Target } from './client.ts'

/** The lowest rate an operation has (2 a minute). */
const CALLS_PER_KEY = 2
const KEYS_AT_ONCE = 8

/** Returns the same account under a fresh key every two calls, for tables of cases longer than one key's allowance. */
export const manyKeys = (target: Target, api: Api, scopes?: readonly Scope[]): Api => {
  const ready: string[] = []
  const nextKey = async (): Promise<Api> => {
    if (ready.length === 0) ready.push(...(await makeKeys(target, api.accountId, KEYS_AT_ONCE, scopes)))
    return clientOf(target.url, ready.pop() ?? api.key, api.accountId)
  }
  let current = Promise.resolve(api)
  let used = 0
  const call: Api['call'] = async (method, path, options) => {
    if (used >= CALLS_PER_KEY) {
      used = 0
      current = current.then(nextKey)
    }
    used += 1
    return (await current).call(method, path, options)
  }
  return {
    ...api,
    call,
    get: (path, options) => call('GET', path, options),
    post: (path, body, options) => call('POST', path, { ...options, body }),
    put: (path, body, options) => call('PUT', path, { ...options, body }),
    del: (path, options) => call('DELETE', path, options),
  }
}

/** Returns a list's rows under their name in the answer. */
export const rowsOf = (body: Record<string, unknown>, name: string): Record<string, unknown>[] =>
  body[name] as Record<string, unknown>[]

/** Follows `before_id` from page to page; every row seen, in order. At most `maxPages` pages. */
export const walk = async (api: Api, path: string, name: string, maxPages = 50): Promise<Record<string, unknown>[]> => {
  const seen: Record<string, unknown>[] = []
  let next = path
  for (let page = 0; page < maxPages; page += 1) {
    const { body } = await api.get(next)
    seen.push(...rowsOf(body, name))
    if (body.before_id === null) return seen
    next = `${path}${path.includes('?') ? '&' : '?'}before_id=${String(body.before_id)}`
  }
  throw new Error(`${path} has more than ${maxPages} pages`)
}

/** Returns the message or details of a 400 for one field. */
export const fieldsOf = (body: Record<string, unknown>): unknown[] =>
  ((body.details ?? []) as { field: string }[]).map(({ field }) => field)
