import type { GuideConfig, MediaFile, SocialPlatform } from '../../../schema/values/social.ts'
import { ApiError, type FieldError, invalidInput } from '../../platform/lib/errors.ts'
import { checkPublicUrl } from '../../platform/lib/urls.ts'
import type { Settings } from '../../platform/runtime/env.ts'
import type { GivenGuide, GivenMedia, PublishPostsInput } from './operations.ts'
import { NETWORKS } from './rules.ts'

const VIDEO = /\.(mp4|mov|m4v)$/i

/** Returns the files of a post from a caller's input. A bare address is a picture unless its path ends like a video's. */
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

/** Throws 400 `forbidden_url` for files at addresses that are not public. Files hosted here are allowed. */
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

const CONFIG = 'comment_for_guide_config'
const NO_COMMENTS: readonly SocialPlatform[] = ['tiktok', 'pinterest']
const DEFAULT_MESSAGE = 'Here it is: {url}'

/** Returns the rule of a post from a caller's input, with missing parts filled in. Throws 400 if the parts do not fit. */
export const guideFrom = (given: GivenGuide, before?: GuideConfig): GuideConfig => {
  const url = given.delivery_url ?? before?.delivery_url
  if (url === undefined) throw invalidInput([{ field: `${CONFIG}.delivery_url`, message: 'is required' }])
  const config: GuideConfig = {
    match_mode: given.match_mode ?? before?.match_mode ?? 'keyword',
    trigger_keyword: (given.trigger_keyword === undefined ? before?.trigger_keyword : given.trigger_keyword) || null,
    delivery_method: given.delivery_method ?? before?.delivery_method ?? 'dm',
    delivery_url: url,
    custom_message: given.custom_message || before?.custom_message || DEFAULT_MESSAGE,
  }
  const wrong: FieldError[] = []
  if (config.match_mode === 'keyword' && config.trigger_keyword === null)
    wrong.push({ field: `${CONFIG}.trigger_keyword`, message: 'is required if match_mode is keyword' })
  if (!config.custom_message.includes('{url}'))
    wrong.push({ field: `${CONFIG}.custom_message`, message: 'must contain {url}, which the link replaces' })
  if (wrong.length > 0) throw invalidInput(wrong)
  return config
}

type Input = { is_comment_for_guide?: boolean | undefined; comment_for_guide_config?: GivenGuide | undefined }

/** Returns the rule in a publish call; null if there is none. Throws 400. */
export const guideOfInput = ({
  is_comment_for_guide: wanted,
  comment_for_guide_config: given,
}: Input): GuideConfig | null => {
  if (wanted === false || (wanted === undefined && given === undefined)) return null
  if (given === undefined)
    throw invalidInput([{ field: CONFIG, message: 'is required if is_comment_for_guide is true' }])
  return guideFrom(given)
}

/** Returns the reason why a network does not support the rule; undefined if it does. Only Instagram has private messages. */
export const guideMisfit = (platform: SocialPlatform, config: GuideConfig): FieldError | undefined => {
  const { name } = NETWORKS[platform]
  if (NO_COMMENTS.includes(platform))
    return {
      field: 'is_comment_for_guide',
      message: `is not possible on ${name}: comments there cannot be answered by a rule`,
    }
  if (config.delivery_method === 'dm' && platform !== 'instagram')
    return {
      field: `${CONFIG}.delivery_method`,
      message: `must be public_reply on ${name}: private messages are possible only on Instagram`,
      allowed: ['public_reply'],
    }
  return undefined
}

/** Returns the message for a commenter. */
export const guideMessage = ({ custom_message, delivery_url }: GuideConfig): string =>
  custom_message.replaceAll('{url}', () => delivery_url)
