import type * as z from 'zod/mini'
import { ApiError, invalidInput } from '../../platform/lib/errors.ts'
import type { Attachment } from '../../platform/lib/file-fields.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { fetchFile } from './fetch.ts'
import type { CreateImage } from './operations.ts'
import { IMAGE_TYPES, MAX_IMAGE_BYTES } from './rules.ts'
import { type HostedImage, holdImages, storeImage } from './store.ts'

/** Image to fetch. One byte more than the limit is enough to refuse it. */
const WANTED = {
  field: 'image_url',
  what: 'image',
  code: 'image_not_fetched',
  accept: 'image/*',
  timeoutMs: 15_000,
  maxBytes: MAX_IMAGE_BYTES + 1,
} as const

type ImageInput = z.infer<typeof CreateImage>

/** Throws 400 unless exactly one of the two fields is sent. */
const requireOne = ({ image_base64: file, image_url: url }: ImageInput): void => {
  if ((file === undefined) !== (url === undefined)) return
  const message = file === undefined ? 'give image_base64 or image_url' : 'give only one of image_base64 and image_url'
  throw invalidInput(['image_base64', 'image_url'].map((field) => ({ field, message })))
}

const storeFile = async (ctx: Ctx, { bytes, declared }: Attachment): Promise<HostedImage> => {
  if (declared !== undefined && !declared.startsWith('image/'))
    throw new ApiError('unsupported_image', 'The image is not taken: its data URL is not of an image type.', {
      allowed: Object.values(IMAGE_TYPES),
    })
  return await storeImage(ctx, bytes ?? new Uint8Array(0))
}

/** Fetches an address and hosts its image. Throws 400 `forbidden_url`, and 422 if no image of an accepted format is there. */
const storeCopy = async (ctx: Ctx, url: string): Promise<HostedImage> => {
  const { bytes } = await fetchFile(ctx, url, 'bytes', WANTED)
  try {
    return await storeImage(ctx, bytes)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'unsupported_image')
      throw new ApiError('image_not_fetched', `The address did not answer with an image. ${error.message}`, {
        ...error.extras,
        retryable: false,
      })
    throw error
  }
}

/** Hosts an image for the account. Throws 400, 413, 415 and 422. */
export const createImage = async (ctx: Ctx, input: ImageInput) => {
  requireOne(input)
  const account = await ctx.account()
  const { image_base64: file, image_url: url } = input
  const image = file ? await storeFile(ctx, file) : await storeCopy(ctx, url ?? '')
  const answer = { url: image.url, width: image.width, height: image.height }
  await ctx.batch(
    {
      holdImages: holdImages({ accountId: account.id, images: [image], now: ctx.now(), if: 'always' }),
      kept: ctx.keepAnswer(answer)('always'),
    },
    { unaudited: 'an image is addressed by its bytes: nothing that was there is changed' },
  )
  return answer
}
