import type { Activity } from '../policy/rules.ts'
import type { MatchedCall } from './match.ts'

/** Effect of each operation on the outside. */
export const ACTIVITY_OF: Readonly<Record<string, Activity>> = {
  'articles.publish': 'publish',
  'articles.sync': 'sync',
  'articles.update': 'sync',
  'articles.restore': 'sync',
  'articles.rollback': 'rollback',
  'articles.unpublish': 'unpublish',
  'deliveries.replay': 'replay',
  'suggestions.publish': 'sync',
  'social.publish': 'social_post',
  'social.publish_post': 'social_post',
  'social.comment_for_guide': 'comment_guide',
  'profile.reply': 'review_reply',
  'profile.remove_reply': 'remove_reply',
  'profile.post': 'social_post',
  'crowdwork.create': 'crowdwork',
  'crowdwork.rate': 'crowdwork_rating',
}

/** Operations that change an article here, and at its site only with `sync`. */
const WITH_SYNC: ReadonlySet<string> = new Set(['articles.update', 'articles.restore'])

/** Returns the way by which a call reaches the outside; undefined if it does not, as a draft of a post. */
export const activityOf = ({ op, body }: Pick<MatchedCall, 'op' | 'body'>): Activity | undefined => {
  if (WITH_SYNC.has(op.id)) return body.sync === true ? ACTIVITY_OF[op.id] : undefined
  return op.wider && !op.wider.needs(body) ? undefined : ACTIVITY_OF[op.id]
}

/** Returns the date that a call gives a post; undefined for a call without one. */
export const dateOfPost = ({ op, body }: Pick<MatchedCall, 'op' | 'body'>): string | undefined => {
  const date = body.scheduled_for ?? body.scheduled_date
  return ACTIVITY_OF[op.id] === 'social_post' && typeof date === 'string' ? date : undefined
}

/** True if a call ends something outside, for which nobody is asked: a rule that answers comments is switched off. */
export const isSettled = ({ op, body }: Pick<MatchedCall, 'op' | 'body'>): boolean => {
  const { is_active } = (body.comment_for_guide_config ?? {}) as { is_active?: boolean }
  return op.id === 'social.comment_for_guide' && (body.is_comment_for_guide === false || is_active === false)
}
