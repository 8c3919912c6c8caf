import { SOCIAL_PLATFORMS, type SocialPlatform } from '../../../schema/values/social.ts'
import { PLATFORM_ALIASES } from './rules.ts'

/** Returns the network a caller names; undefined for none. */
export const networkOf = (given: string): SocialPlatform | undefined => {
  const name = given.trim().toLowerCase()
  if (Object.hasOwn(PLATFORM_ALIASES, name)) return PLATFORM_ALIASES[name]
  return SOCIAL_PLATFORMS.find((platform) => platform === name)
}
