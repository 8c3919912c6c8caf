import type { Cms, CmsFailure, CmsResult } from '../../publishing/cms.ts'
import { CMS_WRITES, type CmsMethod } from '../../publishing/cms-wire.ts'
import type { Connection } from '../../publishing/port.ts'

export type CmsBinding = { fetch: typeof fetch }

/** What a platform can do besides what every one can. */
export type CmsAbility = 'read' | 'restore' | 'hostImage'

/**
 * How long one call may take, ms. Asking for the post, what an attempt has to spare for reading and images, the last image
 * begun and the writing all end within the hold on an article, so that nobody takes over while something is being written.
 */
export const CALL_TIMEOUT_MS = { asking: 45_000, image: 50_000, writing: 100_000 } as const

const timeoutOf = (method: CmsMethod): number => {
  if (method === 'hostImage') return CALL_TIMEOUT_MS.image
  return isWriting(method) ? CALL_TIMEOUT_MS.writing : CALL_TIMEOUT_MS.asking
}

const isWriting = (method: CmsMethod): boolean => (CMS_WRITES as readonly string[]).includes(method)

const lost = (method: CmsMethod): CmsFailure =>
  isWriting(method)
    ? { kind: 'unknown', reason: 'The call to the CMS did not end. It is not known whether the change was made.' }
    : { kind: 'refused', code: 'unavailable', reason: 'The call to the CMS did not end.', retryable: true }

/** A CMS whose adapter runs in a Worker of its own, so that the others stay small. */
export const cmsClient = (binding: CmsBinding, connection: Connection, abilities: readonly CmsAbility[]): Cms => {
  const call = async <T>(method: CmsMethod, ...args: unknown[]): Promise<CmsResult<T>> => {
    try {
      const response = await binding.fetch('http://cms/call', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ connection, method, args }),
        signal: AbortSignal.timeout(timeoutOf(method)),
      })
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
    update: (remoteId, article) => call('update', remoteId, article),
    ...(can('read') ? { read: (remoteId: string) => call('read', remoteId) } : {}),
    ...(can('restore') ? { restore: (remoteId, version) => call('restore', remoteId, version) } : {}),
    ...(can('hostImage') ? { hostImage: (image) => call('hostImage', image) } : {}),
  }
}
