import { hideSecrets } from '../../platform/lib/foreign-answers.ts'
import { errorFields, type Log } from '../../platform/runtime/log.ts'
import type { Cms, CmsFailure, CmsMethod, CmsResult, RunCmsCall } from '../../publishing/target/cms-adapter.ts'
import type { Connection } from '../../publishing/target/publish-target.ts'
import { type CallWatch, quotable } from './http.ts'

/** Returns the same CMS without secrets in its results: a provider may repeat in an error what it was sent. */
export const hidingSecrets = (cms: Cms, secrets: readonly (string | undefined)[]): Cms => {
  const hide = (text: string): string => hideSecrets(text, secrets)
  const clean = <T>(result: CmsResult<T>): CmsResult<T> => {
    if (result.kind !== 'done') return { ...result, reason: hide(result.reason) }
    return result.notes ? { ...result, notes: result.notes.map(hide) } : result
  }
  const {
    read,
    hasUpdate,
    build,
    pull,
    closePull,
    schema,
    traffic,
    listPosts,
    readPost,
    restore,
    unpublish,
    hostImage,
    placeKey,
    importsImages,
    linksCover,
    discard,
  } = cms
  return {
    probe: async () => clean(await cms.probe()),
    find: async (query) => clean(await cms.find(query)),
    create: async (article) => clean(await cms.create(article)),
    update: async (...given) => clean(await cms.update(...given)),
    ...(read ? { read: async (remoteId) => clean(await read(remoteId)) } : {}),
    ...(hasUpdate ? { hasUpdate: async (...given) => clean(await hasUpdate(...given)) } : {}),
    ...(build ? { build: async (remoteId) => clean(await build(remoteId)) } : {}),
    ...(pull ? { pull: async (...given) => clean(await pull(...given)) } : {}),
    ...(closePull ? { closePull: async (...given) => clean(await closePull(...given)) } : {}),
    ...(schema ? { schema: async () => clean(await schema()) } : {}),
    ...(traffic ? { traffic: async (day) => clean(await traffic(day)) } : {}),
    ...(listPosts ? { listPosts: async (cursor) => clean(await listPosts(cursor)) } : {}),
    ...(readPost ? { readPost: async (ref) => clean(await readPost(ref)) } : {}),
    ...(restore ? { restore: async (...given) => clean(await restore(...given)) } : {}),
    ...(unpublish ? { unpublish: async (remoteId, article) => clean(await unpublish(remoteId, article)) } : {}),
    ...(discard ? { discard } : {}),
    ...(importsImages ? { importsImages } : {}),
    ...(linksCover ? { linksCover } : {}),
    ...(placeKey ? { placeKey: async (key) => clean(await placeKey(key)) } : {}),
    ...(hostImage ? { hostImage: async (image) => clean(await hostImage(image)) } : {}),
  }
}

type Hide = (text: string) => string

/** Returns a result with a note on anything the site printed around its answers. */
const printedNotes = <T>(result: CmsResult<T>, platform: string, watch: CallWatch, hide: Hide): CmsResult<T> => {
  if (result.kind !== 'done' || watch.printed.size === 0) return result
  const notes = [...watch.printed].map((words) => `${platform} printed something around its answer: ${hide(words)}`)
  return { ...result, notes: [...(result.notes ?? []), ...notes] }
}

/** Returns a result with the fact that an earlier request of a refused call changed something. */
const partly = <T>(result: CmsResult<T>, watch: CallWatch): CmsResult<T> =>
  result.kind === 'refused' && watch.hasChanged ? { ...result, wasWritten: true } : result

/**
 * Returns the failure of a call whose adapter threw: `unknown` if a write was sent, else a refusal.
 *
 * The refusal is not retried, because the same input throws again.
 */
const thrownFailure = (error: unknown, platform: string, watch: CallWatch, hide: Hide): CmsFailure => {
  const words = hide(quotable(error instanceof Error ? error.message : String(error)))
  return watch.hasWritten
    ? {
        kind: 'unknown',
        reason: `The work at ${platform} broke off (${words}). It is not known whether the change was made.`,
      }
    : {
        kind: 'refused',
        code: 'validation',
        reason: `The request to ${platform} could not be made (${words}). Nothing was changed there.`,
        retryable: false,
      }
}

type Adapters = (connection: Connection, watch: CallWatch) => Cms | undefined
type Call = (...args: never[]) => Promise<CmsResult<unknown>>

/** Returns the function that runs calls of adapters. An exception of an adapter becomes a typed failure. */
export const cmsRunner =
  (adapterOf: Adapters, log: Log): RunCmsCall =>
  async ({ connection, method, args }) => {
    const watch: CallWatch = { isProbe: method === 'probe', hasWritten: false, hasChanged: false, printed: new Set() }
    const hide: Hide = (text) => hideSecrets(text, Object.values(connection.secrets))
    try {
      const call = adapterOf(connection, watch)?.[method satisfies CmsMethod] as Call | undefined
      return call && partly(printedNotes(await call(...(args as never[])), connection.platform, watch, hide), watch)
    } catch (error) {
      log('error', 'cms.threw', { platform: connection.platform, method, ...errorFields(error) })
      return thrownFailure(error, connection.platform, watch, hide)
    }
  }
