import type { GuideConfig, SocialPlatform } from '../../../schema/values/social.ts'
import { type FieldError, invalidInput } from '../../platform/lib/errors.ts'
import { NETWORKS } from './rules.ts'
import type { GivenGuide } from './schemas.ts'

const CONFIG = 'comment_for_guide_config'
const NO_COMMENTS: readonly SocialPlatform[] = ['tiktok', 'pinterest']
const DEFAULT_MESSAGE = 'Here it is: {url}'

/** Returns the rule of a post from what a caller gave, with what it leaves out filled in. Throws 400 where the parts do not fit. */
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
    wrong.push({ field: `${CONFIG}.trigger_keyword`, message: 'is required where match_mode is keyword' })
  if (!config.custom_message.includes('{url}'))
    wrong.push({ field: `${CONFIG}.custom_message`, message: 'must contain {url}, where the link goes' })
  if (wrong.length > 0) throw invalidInput(wrong)
  return config
}

type Input = { is_comment_for_guide?: boolean | undefined; comment_for_guide_config?: GivenGuide | undefined }

/** Returns the rule a publish call asks for; null where it asks for none. Throws 400. */
export const guideOfInput = ({
  is_comment_for_guide: wanted,
  comment_for_guide_config: given,
}: Input): GuideConfig | null => {
  if (wanted === false || (wanted === undefined && given === undefined)) return null
  if (given === undefined)
    throw invalidInput([{ field: CONFIG, message: 'is required where is_comment_for_guide is true' }])
  return guideFrom(given)
}

/** Returns the reason for which a network cannot have the rule; undefined if it can. Private messages are for Instagram alone. */
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
      message: `must be public_reply on ${name}: private messages go out on Instagram alone`,
      allowed: ['public_reply'],
    }
  return undefined
}

/** Returns the message a commenter gets. */
export const guideMessage = ({ custom_message, delivery_url }: GuideConfig): string =>
  custom_message.replaceAll('{url}', () => delivery_url)
