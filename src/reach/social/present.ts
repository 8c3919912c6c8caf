import type { GuideConfig, GuideStatus } from '../../../schema/values/social.ts'
import type { PostRow } from './queries.ts'

const iso = (at: Date | null): string | null => at?.toISOString() ?? null

type Guide = { guide: GuideConfig | null; guideStatus: GuideStatus | null; guideError: string | null }

/** Returns the rule that answers commenters, and how it stands. */
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

/** Returns two sentences on posts that are on their way: the call that shows their state. */
export const onTheirWay = (projectId: number, ids: readonly number[]): string =>
  ids.length === 1
    ? `The post is on its way. GET /social/posts/${ids[0]} says when it is out, and its address.`
    : `The posts are on their way. GET /social/posts?project_id=${projectId} says when each is out, and its address.`

/** Returns the note on a date that has passed: it means now. */
export const passed = (date: Date | null): string =>
  date === null ? '' : `scheduled_for has passed (${date.toISOString()}), so this is done now. `
