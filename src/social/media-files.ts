import type { MediaFile } from '../../schema/values/social.ts'
import type { GivenMedia } from './schemas.ts'

const VIDEO = /\.(mp4|mov|m4v)$/i

/** Files of a post from what a caller gave. A bare address is a picture unless its path ends like a video's. */
export const mediaOf = (given: GivenMedia): MediaFile[] =>
  given.map((file): MediaFile => {
    if (typeof file === 'string') return { type: VIDEO.test(new URL(file).pathname) ? 'video' : 'image', url: file }
    const { type, url, size, width, height, alt_text } = file
    return {
      type,
      url,
      ...(size === undefined ? {} : { size }),
      ...(width ? { width } : {}),
      ...(height ? { height } : {}),
      ...(alt_text ? { alt_text } : {}),
    }
  })
