import type { GuideConfig, SocialPlatform } from '../../../../schema/values/social.ts'
import { withNext } from '../../../platform/lib/text.ts'
import { guideMessage } from '../../../reach/social/input-rules.ts'
import type { FindOutcome, GuideRule, OutgoingPost, ProviderAccount, SendOutcome } from '../../../reach/social/port.ts'
import { networkOf } from '../../../reach/social/rules.ts'
import type { Account, Automation, Post } from './api.ts'

/** Returns the provider's name for a network. */
export const theirName = (platform: SocialPlatform): string => (platform === 'x' ? 'twitter' : platform)

/** Name under which the provider stores the key of a post. */
const KEY = 'galley_key'

const idOf = (reference: string | { _id: string } | undefined): string | undefined =>
  typeof reference === 'string' ? reference : reference?._id

/** Returns the accounts of one profile on networks that this service has. Accounts of other profiles are never returned. */
export const accountsIn = (profileId: string, accounts: readonly Account[]): ProviderAccount[] =>
  accounts.flatMap((account) => {
    const platform = networkOf(account.platform)
    const owner = idOf(account.profileId)
    if (!platform || owner !== profileId) return []
    const username = account.username ?? ''
    return [
      {
        platform,
        id: account._id,
        name: account.displayName ?? username,
        username,
        usable: account.isActive && account.enabled && !account.needsReconnection,
      },
    ]
  })

/** Returns the options for the network. They include the post's link if the provider has a place for it. */
const specific = ({ platform, link, options }: OutgoingPost): Record<string, unknown> => {
  if (link === null) return options
  if (platform === 'pinterest') return { link, ...options }
  if (platform === 'googlebusiness') return { callToAction: { type: 'LEARN_MORE', url: link }, ...options }
  return options
}

/** Returns the body that creates a post and publishes it at once. */
export const createBody = (post: OutgoingPost) => {
  const data = specific(post)
  return {
    content: post.text,
    mediaItems: post.media.map(({ type, url, alt_text }) => ({
      type,
      url,
      ...(alt_text ? { altText: alt_text } : {}),
    })),
    platforms: [
      {
        platform: theirName(post.platform),
        accountId: post.accountId,
        ...(Object.keys(data).length > 0 ? { platformSpecificData: data } : {}),
      },
    ],
    publishNow: true,
    metadata: { [KEY]: post.key },
  }
}

/** True if the provider's post is this one, by its key. */
export const hasOurKey = (post: Post, key: string): boolean => post.metadata?.[KEY] === key

/** Categories of failures that may not happen again. */
const PASSING: ReadonlySet<string> = new Set([
  'platform_error',
  'platform_rate_limit',
  'quota_exhausted',
  'system_error',
])

/** Returns the network's own words. If the account has lost its access and the words do not say so, adds advice. */
const reasonOf = (said: string, category: string): string =>
  category === 'auth_expired' && !/connect/i.test(said) ? withNext(said, 'Connect the account again.') : said

const UNDER_WAY: ReadonlySet<string> = new Set([
  'pending',
  'processing',
  'uploading',
  'publishing',
  'scheduled',
  'draft',
])

/** Returns the state of a post, from the provider's states of the post and of its only network. */
export const stateOfPost = (
  post: Post,
): Extract<SendOutcome & FindOutcome, { kind: 'published' | 'processing' | 'refused' }> => {
  const [network] = post.platforms
  const status = network?.status ?? post.status
  if (status === 'published') {
    const at = network?.publishedAt ? new Date(network.publishedAt) : undefined
    return {
      kind: 'published',
      remoteId: post._id,
      ...(network?.platformPostId ? { networkId: network.platformPostId } : {}),
      ...(network?.platformPostUrl ? { url: network.platformPostUrl } : {}),
      ...(at && !Number.isNaN(at.getTime()) ? { publishedAt: at } : {}),
    }
  }
  if (UNDER_WAY.has(status)) return { kind: 'processing', remoteId: post._id }
  const category = network?.errorCategory ?? ''
  return {
    kind: 'refused',
    reason: reasonOf(network?.errorMessage ?? `The network did not accept the post (${status}).`, category),
    retryable: PASSING.has(category),
    remoteId: post._id,
  }
}

/** Returns a rule in the provider's form. Each rule sends a private message, even beside a public reply. */
export const ruleBody = (config: GuideConfig) => {
  const message = guideMessage(config)
  return {
    dmMessage: message,
    ...(config.delivery_method === 'public_reply' ? { commentReply: message } : {}),
    keywords: config.match_mode === 'keyword' && config.trigger_keyword !== null ? [config.trigger_keyword] : [],
    matchMode: 'word',
  }
}

/** Returns the state of a rule that was read, compared with the wanted rule. */
export const ruleOf = (automation: Automation, config: GuideConfig): GuideRule => {
  const wanted = ruleBody(config)
  return {
    id: automation.id ?? automation._id ?? '',
    isActive: automation.isActive,
    matches:
      automation.dmMessage === wanted.dmMessage &&
      (automation.commentReply ?? undefined) === wanted.commentReply &&
      automation.keywords.join('\n') === wanted.keywords.join('\n'),
  }
}
