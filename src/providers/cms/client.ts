import type { Cms, CmsFailure, CmsResult } from '../../publishing/cms.ts'
import { CMS_WRITES, type CmsMethod } from '../../publishing/cms-wire.ts'
import type { Connection } from '../../publishing/port.ts'

export type CmsBinding = { fetch: typeof fetch }

/** What a platform can do besides what every one can. */
export type CmsAbility = 'read' | 'restore' | 'hostImage'

/** How long one call may take, ms: below the hold on an article. */
const TIMEOUT_MS = 240_000

const lost = (method: CmsMethod): CmsFailure =>
  (CMS_WRITES as readonly string[]).includes(method)
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
        signal: AbortSignal.timeout(TIMEOUT_MS),
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
