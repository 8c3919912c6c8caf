import type { VideoExtension } from '../../../schema/values/media.ts'

/** The largest video taken, bytes (64 MB). */
export const MAX_VIDEO_BYTES = 64 * 1024 * 1024

/** The media type of each format. */
export const VIDEO_TYPES: Readonly<Record<VideoExtension, string>> = { mp4: 'video/mp4', mov: 'video/quicktime' }
