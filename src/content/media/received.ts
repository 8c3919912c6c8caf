import type { VideoExtension } from '../../../schema/values/media.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { Upload } from '../../platform/lib/upload.ts'
import { IMAGE_TYPES } from './image-rules.ts'
import type { HostedImage } from './store.ts'
import { VIDEO_TYPES } from './video-rules.ts'

/** A video that is hosted here. */
type HostedVideo = {
  url: string
  /** Pixels, as the video is shown. */
  width: number
  height: number
  /** SHA-256 of the bytes, hex. */
  hash: string
  /** Under which it is kept; no other video has it. */
  name: string
  extension: VideoExtension
  bytes: number
}

/**
 * A picture or a video that was taken in. `store` puts it where it is served; what is stored is taken away again when the
 * upload is dropped, unless `hold` was called.
 */
type ReceivedFile = ({ kind: 'image'; image: HostedImage } | { kind: 'video'; video: HostedVideo }) & {
  store: () => Promise<void>
  hold: () => void
}

export type Received = Upload<ReceivedFile>

/** Returns the refusal of bytes that are no picture and no video of the formats taken. */
export const unsupported = (reason: string): ApiError =>
  new ApiError('unsupported_media', `The file is not taken: ${reason}.`, {
    allowed: [...Object.values(IMAGE_TYPES), ...Object.values(VIDEO_TYPES)],
  })

/** Returns the refusal of any file while the bucket does not answer. */
export const notStored = (): ApiError =>
  new ApiError('unavailable', 'Files cannot be stored at the moment. Nothing was changed; repeat the call.', {
    retry_after: 5,
  })
