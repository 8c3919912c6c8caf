import type { AuditAction } from '../../../schema/values/audit.ts'
import { PATHS } from '../../accounts/people/paths.ts'
import { sitePath } from '../menu.ts'

/** Sentences for the kinds of entries. An entry of an earlier release may have another kind, which is shown by its name. */
const SENTENCES: Readonly<Record<AuditAction, string>> = {
  'account.create': 'Opened the account',
  'account.delete': 'Asked for the account to be deleted',
  'account.export': 'Asked for a copy of the account',
  'account.keep': 'Took the deletion back',
  'account.name': 'Named the account',
  'account.subscription': 'Plan and sites changed by payment',
  'account.set': 'Those who run the service changed the account',
  'application.connect': 'Let an application in',
  'application.end': 'Ended an application',
  'approval.approved': 'Approved something',
  'approval.expired': 'An approval came too late',
  'approval.failed': 'What was approved could not be sent',
  'approval.link_made': 'Made a review link',
  'approval.link_revoked': 'Ended a review link',
  'approval.requested': 'Asked for an approval',
  'approval.returned': 'Sent something back with a comment',
  'approval.superseded': 'An approval ended, since its text was changed',
  'approval.undecided': 'Nobody decided for five days',
  'approval.used': 'Sent what was approved',
  'article.address': 'An article got the address that readers see',
  'article.create': 'Made an article',
  'article.delete': 'Put an article into the bin',
  'article.adopt': 'Adopted a post of the site',
  'article.translation': 'Joined an article with its translation',
  'article.leave_translations': 'Took an article out of its translations',
  'article.release': 'Released an adopted article',
  'changes.create': 'Made a set of changes',
  'changes.release': 'Released a set of changes',
  'changes.released': 'The set of changes was released',
  'changes.revert': 'Reverted a set of changes',
  'changes.reverted': 'The set of changes was reverted',
  'changes.stopped': 'The set of changes stopped',
  'project.move': 'Began to look for the articles at a new address of the site',
  'project.move_aside': 'Set a move of the site aside',
  'project.moved': 'Moved the site to another address',
  'project.adopt': 'Began to adopt posts of the site',
  'project.adopted': 'Adopted posts of the site',
  'article.detach': 'Detached an article from its post',
  'article.generate': 'Asked for an article to be written',
  'article.index_changed': 'Google changed whether it lists an article',
  'article.propose': 'Put an article or its change into a pull request',
  'article.publish': 'Published an article',
  'article.publish_failed': 'The site did not accept an article',
  'article.restore': 'Restored a version',
  'article.rollback': 'Put an earlier version live',
  'article.rollback_failed': 'An earlier version could not be put live',
  'article.saved_as_draft_on_its_date': 'Made a draft of a planned article on its date',
  'article.send_as_draft': 'Sent an article to the site as a draft',
  'article.sync': 'Sent changes to the site',
  'article.sync_failed': 'The site did not accept changes',
  'article.taken_by_writer': 'Began to write an article',
  'article.take_from_bin': 'Took an article out of the bin',
  'article.unpublish': 'Took an article down',
  'article.unpublish_failed': 'An article could not be taken down',
  'article.update': 'Changed an article',
  'article.waits_for_policy': 'An article waits, since the policy does not let it go out',
  'article.writing_failed': 'An article could not be written',
  'article.written': 'Wrote an article',
  'copy.attempt_failed': 'A follower did not accept a copy',
  'copy.publish': 'Sent a copy to a follower',
  'copy.take_down': 'Took a copy down',
  'credits.filled_up': 'Filled up the article credits',
  'crowdwork.create': 'Started a campaign',
  'crowdwork.rate': 'Rated work of a campaign',
  'crowdwork.register': 'Wrote down a campaign',
  'database.restored': 'Those who run the service restored the database',
  'delivery.attempt_failed': 'The site did not accept a delivery',
  'delivery.confirm': 'Marked an article with an unclear answer as published',
  'event_endpoint.create': 'Added an event endpoint',
  'event_endpoint.delete': 'Deleted an event endpoint',
  'event_endpoint.pause': 'Paused an event endpoint, since it did not accept events',
  'event_endpoint.replay': 'Had events sent again',
  'event_endpoint.resume': 'Resumed an event endpoint',
  'event_endpoint.rotate_secret': 'Made a new secret of an event endpoint',
  'event_endpoint.update': 'Changed an event endpoint',
  'integration.connect': 'Connected a site',
  'integration.disconnect': 'Disconnected a site',
  'integration.lapsed': 'The site no longer accepts its connection',
  'integration.update': 'Changed a connection',
  'job.retry': 'Those who run the service repeated a task',
  'key.confirm': 'Confirmed an API key after a restore of the database',
  'key.create': 'Made an API key',
  'key.limit': 'Set what an API key may spend',
  'key.revoke': 'Revoked an API key',
  'outreach.erase': 'Erased the contacts of outreach',
  'outreach.sync': 'Brought the contacts of outreach up to date',
  'person.address': 'Changed their mail address',
  'person.invite': 'Invited somebody',
  'person.join': 'Joined the account',
  'person.leave': 'Left the account, or was removed',
  'person.passkey_add': 'Added a passkey',
  'person.passkey_remove': 'Removed a passkey',
  'person.password': 'Changed their password',
  'person.role': 'Changed what somebody may do',
  'person.withdraw_invitation': 'Withdrew an invitation',
  'profile.post': 'Posted on the business profile',
  'profile.remove_reply': 'Took a reply to a review away',
  'profile.reply': 'Replied to a review',
  'profile.reply_refused': 'A reply to a review was refused',
  'project.archive': 'Archived a site',
  'project.export': 'Asked for the archive of a site',
  'project.import': 'Began to import a site',
  'project.article_plan': 'Chose how many articles a month',
  'project.engine_key': 'Made a new key for reports to search engines',
  'project.create': 'Added a site',
  'project.onboarded': 'Planned a month of articles',
  'project.onboarding': 'Asked for a month to be planned',
  'project.onboarding_failed': 'A month could not be planned',
  'project.deputy': 'Named a deputy for approvals, or ended that',
  'project.policy': 'Changed the policy of a site',
  'project.scan': 'Read the site',
  'project.scan_asked': 'Asked for the site to be read',
  'project.scan_failed': 'The site could not be read',
  'project.unarchive': 'Brought a site back',
  'project.delete': 'Asked for a site to be deleted',
  'project.keep': 'Kept a site that was to be deleted',
  'project.update': 'Changed settings of a site',
  'provider_key.delete': 'Deleted a provider key',
  'provider_key.save': 'Saved a provider key',
  'screenshot.take': 'Took a picture of a page',
  'search.choose_property': 'Chose the property at Google',
  'search.connect': 'Connected Search Console',
  'search.disconnect': 'Disconnected Search Console',
  'sign_in.refused': 'Somebody tried to sign in and was refused',
  'statement.change': 'Changed what a statement says',
  'statement.create': 'Registered a statement',
  'statement.delete': 'Deleted a statement',
  'report.make': 'Made a monthly report, or a new link to it',
  'report.delete': 'Deleted a monthly report',
  'report.recipients': 'Chose who gets monthly reports by mail',
  'social.comment_for_guide': 'Answered a comment under a post',
  'social.connect': 'Connected a social account',
  'social.connect_begin': 'Began to connect a social account',
  'social.delete': 'Deleted a social post',
  'social.disconnect': 'Disconnected a social account',
  'social.draft': 'Drafted a social post',
  'social.failed': 'A social post could not be published',
  'social.publish': 'Published a social post',
  'social.published': 'A social post is published',
  'social.schedule': 'Scheduled a social post',
  'suggestion.approve': 'Asked for a rewrite',
  'suggestion.create': 'Suggested a rewrite',
  'suggestion.fail': 'A rewrite could not be made',
  'suggestion.publish': 'Published a rewrite',
  'suggestion.regenerate': 'Asked for a rewrite once more',
  'suggestion.stage': 'Wrote a rewrite',
  'suggestion.supersede': 'A suggestion ended, since its article was changed',
  'suggestion.take': 'Began to rewrite an article',
  'suggestion.reject': 'Rejected a suggestion',
  'visibility.bing_import': 'Imported a report of Bing on AI answers',
  'visibility.prompt_add': 'Added a question for AI engines',
  'visibility.prompt_remove': 'Removed a question for AI engines',
  'visibility.scan': 'Asked the AI engines',
}

/** Returns the sentence for an entry: `key.create` is “Made an API key”. */
export const auditSentence = (action: string): string => {
  const known = (SENTENCES as Readonly<Record<string, string>>)[action]
  if (known !== undefined) return known
  const words = action.replaceAll(/[._]/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Kinds of entries to filter by, with their sentences. */
export const AUDIT_KINDS: readonly (readonly [action: string, sentence: string])[] = Object.entries(SENTENCES).sort(
  ([, one], [, other]) => (one < other ? -1 : 1),
)

/** True if the actor is the service itself. */
export const isService = (actor: string): boolean => actor.startsWith('job:') || actor === 'clock'

/** Returns words for an actor that has no name. */
export const actorWords = (actor: string): string => {
  if (isService(actor)) return 'the service'
  if (/^(?:person|editor):/.test(actor)) return 'a person'
  if (actor.startsWith('key:')) return `key ${actor.slice('key:'.length)}`
  return actor === 'operator' ? 'the operator of the service' : actor
}

/** Words for things whose name in the log differs from the one on pages. */
const THINGS: Readonly<Record<string, string>> = {
  account: 'the account',
  integration: 'a connection',
  project: 'a site',
  visibility_prompt: 'a question for AI engines',
}

/** Returns words for the subject of an entry that has no name: `social_post:3` is “social post 3”. */
export const subjectWords = (subject: string): string => {
  const [, kind = subject, id = ''] = /^([a-z_]+):(.*)$/.exec(subject) ?? []
  const known = THINGS[kind]
  if (known !== undefined) return known
  return `${kind === 'person' ? 'a person' : kind.replaceAll('_', ' ')}${/^\d+$/.test(id) ? ` ${id}` : ''}`
}

/** Pages that show things of the account, by their kind in the log. */
const ACCOUNT_PAGES: Readonly<Record<string, string>> = {
  account: PATHS.settings,
  export: PATHS.archives,
  import: PATHS.archives,
  integration: PATHS.integrations,
  invitation: PATHS.people,
  key: PATHS.keys,
  person: PATHS.people,
  provider_key: PATHS.providerKeys,
  event_endpoint: PATHS.eventEndpoints,
  social_account: PATHS.social,
}

/** Pages of a site that show one thing, by its kind in the log. */
const SITE_THINGS: Readonly<Record<string, string>> = {
  approval: 'approvals',
  article: 'articles',
  delivery: 'deliveries',
  suggestion: 'suggestions',
}

/** Returns the path of the page that shows an entry's subject; undefined if none does. `site` is the subject's active site. */
export const subjectPath = (subject: string, site: number | undefined): string | undefined => {
  const [kind = '', id = ''] = subject.split(':')
  const page = SITE_THINGS[kind]
  if (site === undefined) return ACCOUNT_PAGES[kind]
  if (page !== undefined) return sitePath(site, `${page}/${id}`)
  if (kind === 'project') return sitePath(site)
  return kind === 'social_post' ? sitePath(site, 'social') : undefined
}
