import { requestIdHeader } from '../../platform/lib/request-scope.ts'
import { guardOutsideCall } from '../../platform/runtime/dry-run.ts'
import {
  CMS_WRITES,
  type Cms,
  type CmsFailure,
  type CmsMethod,
  type CmsResult,
} from '../../publishing/target/cms-adapter.ts'
import type { Connection } from '../../publishing/target/publish-target.ts'

/** Service binding of the Worker that has the adapters. */
export type CmsBinding = { fetch: typeof fetch }

/** Abilities that only some platforms have. */
export type CmsAbility =
  | 'posts'
  | 'read'
  | 'restore'
  | 'unpublish'
  | 'merge'
  | 'build'
  | 'pulls'
  | 'schema'
  | 'traffic'
  | 'hostImage'
  | 'placeKey'
  | 'importsImages'
  | 'linksCover'

/**
 * Time limits of one call, ms.
 *
 * A search, a read, the images and a write together end within the lease on an article. So no other run takes the article over during a
 * write.
 */
export type CallTimeouts = { asking: number; image: number; writing: number }
export const CALL_TIMEOUT_MS: CallTimeouts = { asking: 45_000, image: 50_000, writing: 100_000 }
/** Limits for a CMS that first starts the project, which may take a minute and a half. */
export const COLD_CALL_TIMEOUT_MS: CallTimeouts = { asking: 120_000, image: 120_000, writing: 160_000 }

const timeoutOf = (method: CmsMethod, timeouts: CallTimeouts): number => {
  if (method === 'hostImage') return timeouts.image
  return isWriting(method) ? timeouts.writing : timeouts.asking
}

const isWriting = (method: CmsMethod): boolean => (CMS_WRITES as readonly string[]).includes(method)

const lost = (method: CmsMethod): CmsFailure =>
  isWriting(method)
    ? { kind: 'unknown', reason: 'The call to the CMS did not end. It is not known whether the change was made.' }
    : { kind: 'refused', code: 'unavailable', reason: 'The call to the CMS did not end.', retryable: true }

/** Returns the refusal of a call that the adapters' Worker rejected. The CMS was not called. */
const notTaken = (status: number): CmsFailure => ({
  kind: 'refused',
  code: 'unexpected_answer',
  reason: `The call to the CMS could not be made (${status}). Nothing was changed there.`,
  retryable: false,
})

/** Returns a CMS whose adapter runs in a separate Worker, so that the other Workers stay small. */
export const cmsClient = (
  binding: CmsBinding,
  connection: Connection,
  abilities: readonly CmsAbility[],
  timeouts: CallTimeouts = CALL_TIMEOUT_MS,
): Cms => {
  const call = async <T>(method: CmsMethod, ...args: unknown[]): Promise<CmsResult<T>> => {
    guardOutsideCall(() => ({ to: connection.platform, call: method }))
    try {
      const response = await binding.fetch('http://cms/call', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...requestIdHeader() },
        // JSON has no undefined, and an absent last argument is not null.
        body: JSON.stringify({ connection, method, args: args.filter((arg) => arg !== undefined) }),
        signal: AbortSignal.timeout(timeoutOf(method, timeouts)),
      })
      if (response.status === 400 || response.status === 404) return notTaken(response.status)
      return response.ok ? ((await response.json()) as CmsResult<T>) : lost(method)
    } catch {
      return lost(method)
    }
  }
  const can = (ability: CmsAbility): boolean => abilities.includes(ability)
  return {
    probe: () => call('probe'),
    find: (query) => call('find', query),
    create: (article) => call('create', article),
    update: (...given) => call('update', ...given),
    ...(can('read') ? { read: (remoteId: string) => call('read', remoteId) } : {}),
    ...(can('merge') ? { hasUpdate: (...given) => call('hasUpdate', ...given) } : {}),
    ...(can('build') ? { build: (remoteId: string) => call('build', remoteId) } : {}),
    ...(can('pulls')
      ? { pull: (...given) => call('pull', ...given), closePull: (...given) => call('closePull', ...given) }
      : {}),
    ...(can('schema') ? { schema: () => call('schema') } : {}),
    ...(can('traffic') ? { traffic: (day: string) => call('traffic', day) } : {}),
    ...(can('posts')
      ? { listPosts: (cursor) => call('listPosts', cursor), readPost: (ref) => call('readPost', ref) }
      : {}),
    ...(can('restore') ? { restore: (...given) => call('restore', ...given) } : {}),
    ...(can('unpublish') ? { unpublish: (remoteId, article) => call('unpublish', remoteId, article) } : {}),
    ...(can('importsImages') ? { importsImages: true as const } : {}),
    ...(can('linksCover') ? { linksCover: true as const } : {}),
    ...(can('placeKey') ? { placeKey: (key: string) => call<{ location: string }>('placeKey', key) } : {}),
    ...(can('hostImage') ? { hostImage: (image) => call('hostImage', image) } : {}),
  }
}
