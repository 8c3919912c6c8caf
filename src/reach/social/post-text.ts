import type { SocialPlatform } from '../../../schema/values/social.ts'
import { storableText } from '../../platform/lib/text.ts'
import { fittingText, misfit } from './rules.ts'

/** Facts about an article for a post. */
type Told = { title: string; description: string; url: string; instructions: string; written?: string | undefined }

const MAX_TAGS = 5

/** Hashtags that the project's instructions name. */
const tagsIn = (instructions: string): string[] =>
  [...new Set(instructions.match(/(?<![\p{L}\p{N}_&#])#[\p{L}\p{N}_]{2,50}/gu) ?? [])].slice(0, MAX_TAGS)

/**
 * Returns the text of a post about an article: title and description as far as they fit with the link, then hashtags if there
 * is room.
 *
 * The instructions name the hashtags. Words that a model wrote for the network replace title and description. The text has no
 * fact that the article does not have.
 */
export const textAbout = (
  platform: SocialPlatform,
  { title, description, url, instructions, written }: Told,
): string => {
  const own = storableText(written ?? '').trim()
  if (own !== '') return fittingText(platform, own, url)
  const wording =
    description === '' || description.startsWith(title) ? description || title : `${title}\n\n${description}`
  const tags = tagsIn(instructions).join(' ')
  const whole = tags === '' ? wording : `${wording}\n\n${tags}`
  if (misfit(platform, { content: whole, link: url, media: [] }) === undefined) return whole
  const short = tags === '' ? title : `${title}\n\n${tags}`
  if (tags !== '' && misfit(platform, { content: short, link: url, media: [] }) === undefined) return short
  return fittingText(platform, wording, url)
}
