import type { Proposed, WantedApproval } from '../../../schema/values/approvals.ts'
import type { GuideConfig, GuideStatus, MediaFile, SocialPlatform } from '../../../schema/values/social.ts'
import { clip } from '../../platform/lib/text.ts'
import { wallTime } from '../../platform/lib/time.ts'
import type { PostRow } from './queries.ts'
import { NETWORKS } from './rules.ts'

const iso = (at: Date | null): string | null => at?.toISOString() ?? null

type Guide = { guide: GuideConfig | null; guideStatus: GuideStatus | null; guideError: string | null }

/** Returns the rule that answers commenters, and its state. */
const guideOf = ({ guide, guideStatus, guideError }: Guide) => ({
  enabled: guide !== null && guideStatus !== 'disabled',
  config: guide,
  automation: guideStatus === null ? null : { status: guideStatus, error: guideError },
})

/** Returns a post as callers see it. */
export const postShown = (post: PostRow) => ({
  post_id: post.id,
  project_id: post.projectId,
  article_id: post.articleId,
  platform: post.platform,
  account_id: post.socialAccountId,
  content: post.content,
  link: post.link,
  media_files: post.mediaFiles,
  status: post.status,
  scheduled_for: iso(post.scheduledFor),
  published_at: iso(post.publishedAt),
  url: post.url,
  error: post.error,
  comment_for_guide: guideOf(post),
  created_at: iso(post.createdAt),
  updated_at: iso(post.updatedAt),
})

/** Returns two sentences on posts that are on their way, with the call that shows their state. */
export const pendingPostsText = (projectId: number, ids: readonly number[]): string =>
  ids.length === 1
    ? `The post is on its way. GET /social/posts/${ids[0]} shows when it is published, and its address.`
    : `The posts are on their way. GET /social/posts?project_id=${projectId} shows when each is published, and its address.`

/** Returns the note on a date that has passed, so that the post goes out now; empty without a date. */
export const passed = (date: Date | null): string =>
  date === null ? '' : `scheduled_for has passed (${date.toISOString()}), so this happens now. `

/** A post as a person reads it before it goes out. */
export type ProposedPost = {
  platform: SocialPlatform
  /** The account, as people know it. */
  account: string
  content: string
  link: string | null
  mediaFiles: readonly MediaFile[]
  options?: Record<string, unknown>
  guide: GuideConfig | null
}

const MOST_OF_TITLE = 80

/** Returns the rule that answers commenters as a sentence. */
const guideWords = (guide: GuideConfig): string => {
  const who = guide.match_mode === 'all' ? 'Everybody who comments' : `Who comments “${guide.trigger_keyword ?? ''}”`
  const how = guide.delivery_method === 'dm' ? 'gets a private message' : 'gets a public reply'
  return `${who} ${how}: ${guide.custom_message.replaceAll('{url}', () => guide.delivery_url)}`
}

const nameOf = ({ platform, account }: Pick<ProposedPost, 'platform' | 'account'>): string =>
  `${NETWORKS[platform].name}, ${account}`

/** Field of an approval that has the files of a post: the address of each in a line, with its alternative text in brackets. */
export const FILES = 'Files'

const fieldsOf = ({ link, mediaFiles, options = {}, guide }: ProposedPost): Record<string, string> => {
  const fields = {
    Link: link ?? '',
    [FILES]: mediaFiles.map(({ url, alt_text: alt }) => (alt ? `${url} (${alt})` : url)).join('\n'),
    Options: Object.keys(options).length === 0 ? '' : JSON.stringify(options),
    'Answer to comments': guide === null ? '' : guideWords(guide),
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''))
}

/** Returns the date of a post for people, in the time zone of the project; null for a post that goes out at once. */
export const dateInWords = (scheduledFor: Date | null, zone: string): string | null =>
  scheduledFor && `${wallTime(scheduledFor, zone).slice(0, 16).replace('T', ' ')} (${zone})`

/**
 * Returns posts as a person reads them: one with its fields, several one after the other.
 *
 * If `goesOut` is null, they go out at once.
 */
export const proposedPosts = (
  posts: readonly ProposedPost[],
  goesOut: string | null,
): Pick<WantedApproval, 'target' | 'proposed'> => {
  const [first] = posts
  const title = clip((first?.content ?? '').replaceAll(/\s+/g, ' ').trim(), MOST_OF_TITLE)
  const date: Record<string, string> = goesOut === null ? {} : { 'Goes out': goesOut }
  const target = posts.map(nameOf).join('; ')
  if (first && posts.length === 1)
    return { target, proposed: { title, body: first.content, format: 'text', fields: { ...fieldsOf(first), ...date } } }
  const body = posts
    .map((post) => {
      const fields = Object.entries(fieldsOf(post)).map(([name, value]) => `${name}: ${value}`)
      return [`${nameOf(post)}:`, post.content, ...fields].join('\n')
    })
    .join('\n\n')
  return { target, proposed: { title, body, format: 'text', fields: date } }
}

/** Returns the rule of a post as a person reads it. */
export const proposedGuide = (guide: GuideConfig, post: { content: string; url: string | null }): Proposed => ({
  title: clip(guideWords(guide), MOST_OF_TITLE),
  body: guideWords(guide),
  format: 'text',
  fields: { Post: post.url ?? post.content },
})

/** Returns the subject of questions to a person about a post. */
export const postSubject = (id: number): string => `social_post:${id}`
