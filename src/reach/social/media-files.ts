import type { MediaFile } from '../../../schema/values/social.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import { checkPublicUrl } from '../../platform/lib/urls.ts'
import type { Settings } from '../../platform/runtime/env.ts'
import type { GivenMedia, PublishPostsInput } from './schemas.ts'

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

type Given = Pick<PublishPostsInput, 'media_files' | 'platform_overrides'>

/** Refuses files at addresses that are not public, but for those hosted here. Throws 400 `forbidden_url`. */
export const requirePublicFiles = (
  { media_files, platform_overrides }: Given,
  { allowPrivateHosts, publicUrl }: Pick<Settings, 'allowPrivateHosts' | 'publicUrl'>,
): void => {
  const isPrivate = (url: string): boolean => {
    const checked = checkPublicUrl(url, allowPrivateHosts)
    return 'refusal' in checked && checked.refusal === 'private_host' && !url.startsWith(`${publicUrl}/media/`)
  }
  const all = [
    { field: 'media_files', files: media_files },
    ...Object.entries(platform_overrides ?? {}).map(([name, own]) => ({
      field: `platform_overrides.${name.slice(0, 50)}.media_files`,
      files: own.media_files,
    })),
  ]
  const details = all.flatMap(({ field, files = [] }) =>
    files.flatMap((file, n) =>
      isPrivate(typeof file === 'string' ? file : file.url)
        ? [{ field: `${field}.${n}`, message: 'must be a public address' }]
        : [],
    ),
  )
  if (details.length > 0)
    throw new ApiError('forbidden_url', `${details[0]?.field} must be a public address.`, { details })
}
