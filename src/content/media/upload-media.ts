import { and, eq, type SQL } from 'drizzle-orm'
import type * as z from 'zod/mini'
import { hostedVideos } from '../../../schema/media.ts'
import { readWithProject } from '../../accounts/projects/scope.ts'
import type { Db } from '../../platform/db/client.ts'
import { createRoom, type Room } from '../../platform/http/room.ts'
import { ApiError, invalidInput } from '../../platform/lib/errors.ts'
import { Upload } from '../../platform/lib/file-fields.ts'
import type { Ctx, Deps } from '../../platform/runtime/ctx.ts'
import { fetchFile, notFetched } from './fetch.ts'
import type { UploadMedia } from './operations.ts'
import { intakeTo, type Received } from './receive.ts'
import { MAX_VIDEO_BYTES, MEDIA_PATH } from './rules.ts'
import { holdImages } from './store.ts'

/** Selects the account's oldest video with this hash. */
const videoOfHash = (db: Db, owner: SQL, hash: string) =>
  db
    .select({
      name: hostedVideos.name,
      extension: hostedVideos.extension,
      bytes: hostedVideos.bytes,
      width: hostedVideos.width,
      height: hostedVideos.height,
    })
    .from(hostedVideos)
    .where(and(eq(hostedVideos.accountId, owner), eq(hostedVideos.hash, hash)))
    .orderBy(hostedVideos.createdAt)
    .limit(1)

type Input = z.infer<typeof UploadMedia>

/** Time limit for fetching a file of up to 64 MB. */
const FETCH_TIMEOUT_MS = 60_000
/** Memory for fetched files, in addition to the memory for sent files. */
const FETCH_ROOM_BYTES = 26 * 1024 * 1024

const wanted = (field: string) =>
  ({
    field,
    what: 'file',
    code: 'media_not_fetched',
    accept: 'image/*, video/*',
    timeoutMs: FETCH_TIMEOUT_MS,
    maxBytes: MAX_VIDEO_BYTES + 1_024 * 1_024,
  }) as const

type Source = { file: Received } | { field: string; url: string }

/** Returns the sent file, or the address to fetch. Throws 400 unless exactly one is given. */
const sourceOf = ({ file, media_url: url }: Input): Source => {
  if ((file === undefined) === (url === undefined)) {
    const message = file === undefined ? 'give a file or media_url' : 'give only one of file and media_url'
    throw invalidInput(['file', 'media_url'].map((field) => ({ field, message })))
  }
  if (file instanceof Upload) return { file: file as Received }
  return file === undefined
    ? { field: 'media_url', url: url ?? '' }
    : { field: 'file.download_url', url: file.download_url }
}

/** Fetches an address and receives its file like a sent one. Throws 422 if it is not of an accepted format. */
const receiveCopy = async (ctx: Ctx, deps: Deps, room: Room, { field, url }: { field: string; url: string }) => {
  const { stream } = await fetchFile(ctx, url, 'stream', wanted(field))
  if (!stream) throw new Error('an answer that was asked for as a stream is none')
  try {
    return await intakeTo(deps)(stream.chunks, room)
  } catch (error) {
    if (!(error instanceof ApiError)) throw notFetched(wanted(field), 'its address broke off while it answered')
    if (error.code !== 'unsupported_media' && error.code !== 'unsupported_image') throw error
    throw new ApiError('media_not_fetched', `The address did not answer with a picture or video. ${error.message}`, {
      ...error.extras,
      retryable: false,
    })
  } finally {
    await stream.letGo()
  }
}

type Media = { type: 'image' | 'video'; url: string; size: number; width: number; height: number }

const answerOf = ({ type, url, size, width, height }: Media) => ({
  media: { type, s3_url: url, url, size, width, height },
})

/** Stores the file and records its account. If it is not known whether the record was written, the file stays. */
const save = async (ctx: Ctx, accountId: number, { file }: Received) => {
  await file.store()
  const made = file.kind === 'image' ? file.image : file.video
  const answer = answerOf({ ...made, type: file.kind, size: made.bytes })
  try {
    await ctx.batch(
      {
        holdImages:
          file.kind === 'image'
            ? holdImages({ accountId, images: [file.image], now: ctx.now(), if: 'always' })
            : ctx.db.insert(hostedVideos).values({ ...file.video, accountId, createdAt: ctx.now() }),
        kept: ctx.keepAnswer(answer)('always'),
      },
      {
        unaudited:
          'a file that no post has yet, or an image that is addressed by its bytes: nothing that was there is changed',
      },
    )
  } catch (error) {
    if (error instanceof ApiError && error.code === 'unavailable') file.hold()
    throw error
  }
  file.hold()
  return answer
}

/**
 * Creates the verb that receives a picture or video for posts. Create it once per Worker, because fetched files share their
 * memory.
 *
 * A video that the account sent before keeps its address. Throws 400, 404, 403, 413, 415, 422, 503.
 */
export const mediaUploader = (deps: Deps) => {
  const room = createRoom(deps.wait, FETCH_ROOM_BYTES)
  return async (ctx: Ctx, input: Input) => {
    const source = sourceOf(input)
    const digest = 'file' in source ? source.file.digest : ''
    const { results } = await readWithProject(ctx, input.project_id, (owner) => videoOfHash(ctx.db, owner, digest))
    const account = await ctx.account()
    const upload = 'file' in source ? source.file : await receiveCopy(ctx, deps, room, source)
    try {
      const isLookedUp = 'file' in source || upload.file.kind === 'image'
      const [known] = isLookedUp ? results : await ctx.read((owner) => videoOfHash(ctx.db, owner, upload.digest))
      if (!known) return await save(ctx, account.id, upload)
      const url = `${ctx.settings.publicUrl}${MEDIA_PATH}/${known.name}.${known.extension}`
      return answerOf({ ...known, type: 'video', url, size: known.bytes })
    } finally {
      // A sent file is dropped at the end of the request.
      if (!('file' in source)) ctx.defer(upload.drop())
    }
  }
}
