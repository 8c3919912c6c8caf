/**
 * Alarms that log lines raise, by their headings in docs/operations/runbook.md.
 *
 * Each has its threshold and its consequence in `scripts/deploy/alarms/list.ts`.
 */
export type LineAlarm =
  | 'A model ends'
  | 'A provider refuses the service'
  | 'A step of the clock fails'
  | 'An account is not erased'
  | 'An account reaches its ceiling'
  | 'Dead work'
  | 'Faults'
  | 'Files are not stored'
  | 'Limits are not enforced'
  | 'Mails are not accepted'
  | 'Messages do not arrive'
  | 'Models refuse'
  | 'Payments'
  | 'Runs fail'
  | 'Unknown work'

/** Declaration of a log line: its level, and the alarm that it raises, or why it raises none. */
type Declared<Level> = { level: Level; alarm: LineAlarm } | { level: Level; quiet: string }

const event = <const Level extends 'warn' | 'error'>(level: Level, alarm: LineAlarm): Declared<Level> => ({
  level,
  alarm,
})

/** Declares a warning that raises no alarm, and states why. */
const quiet = (why: string): Declared<'warn'> => ({ level: 'warn', quiet: why })

/** Every line of the log above `info`. An event that is not in this list does not compile. */
export const EVENTS = {
  'account.dollars_used': event('warn', 'An account reaches its ceiling'),
  'account.not_erased': event('error', 'An account is not erased'),
  'project.not_erased': event('error', 'An account is not erased'),
  'archive.not_sent': event('error', 'Files are not stored'),
  'archive.put_failed': event('error', 'Files are not stored'),
  'billing.event_failed': event('error', 'Payments'),
  'billing.paid_twice': event('error', 'Payments'),
  'billing.unknown_price': event('error', 'Payments'),
  'browser.failed': event('error', 'Faults'),
  'cards.failed': event('error', 'Faults'),
  'check.failed': quiet('the command that asked for the check prints it'),
  'cms.threw': event('error', 'Faults'),
  'connect.failed': event('error', 'Faults'),
  'cron.change_not_told': quiet('the clock looks at least every hour'),
  'cron.heartbeat_failed': quiet('the monitor reports the missing call itself'),
  'cron.rest_unknown': event('warn', 'Limits are not enforced'),
  'cron.step_failed': event('error', 'A step of the clock fails'),
  'database.away': event('error', 'Faults'),
  'deferred.failed': event('error', 'Faults'),
  'gateway.failed': event('error', 'Faults'),
  'job.dead': event('error', 'Dead work'),
  'job.failed': event('error', 'Runs fail'),
  'job.give_up_failed': event('error', 'Dead work'),
  'job.unknown': event('error', 'Unknown work'),
  'jobs.failed': event('error', 'Runs fail'),
  'keywords.account_refused': event('error', 'A provider refuses the service'),
  'keywords.asked': quiet('the caller sees the reason, which may be in the own key of a customer'),
  'keywords.not_configured': event('error', 'A provider refuses the service'),
  'keywords.not_kept': quiet('the caller has the answer; the next one asks again'),
  'mail.failed': event('error', 'Mails are not accepted'),
  'mail.late': event('error', 'Mails are not accepted'),
  'mcp.no_answer': event('error', 'Faults'),
  'media.drop_failed': quiet('a file that nothing refers to stays in the bucket'),
  'media.put_failed': event('error', 'Files are not stored'),
  'models.ends': event('error', 'A model ends'),
  'models.unknown': quiet('the list is read again the next day'),
  'models.unlisted': event('error', 'A model ends'),
  'notices.not_mailed': event('error', 'Mails are not accepted'),
  'onboarding.no_keywords': quiet('the project has the reason'),
  'onboarding.provider_refused': event('error', 'A provider refuses the service'),
  'outbound.dns_away': event('warn', 'Faults'),
  'page.failed': event('error', 'Faults'),
  'page.part_failed': event('error', 'Faults'),
  'queue.not_arriving': event('error', 'Messages do not arrive'),
  'queue.offer_failed': event('error', 'Messages do not arrive'),
  'queue.refused': event('error', 'Messages do not arrive'),
  'ratelimit.away': event('warn', 'Limits are not enforced'),
  'ratelimit.slow': event('warn', 'Limits are not enforced'),
  'request.failed': event('error', 'Faults'),
  'screenshots.no_browser': event('warn', 'A provider refuses the service'),
  'search.not_disconnected': quiet('the person can withdraw the access at Google'),
  'social.not_disconnected': quiet('the person can withdraw the access at the network'),
  'social.words_not_written': quiet('the words of the article are used'),
  'stream.failed': event('error', 'Faults'),
  'texts.failed': event('error', 'Faults'),
  'undo.failed': event('error', 'Faults'),
  'visibility.model_unlisted': quiet('the daily look at the models raises the alarm'),
  'visibility.models_unknown': quiet('the list of the day before is used'),
  'writer.failed': event('error', 'Models refuse'),
  'writer.refused': event('warn', 'Models refuse'),
  'writing.card_failed': quiet('the article has no picture, and says so'),
  'writing.picture_failed': event('warn', 'Models refuse'),
  'writing.picture_not_hosted': quiet('the article says so; a fault of the bucket is a line of its own'),
  'writing.step_failed': quiet('the line of the writer has the reason'),
  'writing.video_failed': quiet('the article has no video'),
} as const satisfies Record<string, Declared<'warn' | 'error'>>

/** Names of the events of a level. */
export type EventAt<Level> = {
  [Name in keyof typeof EVENTS]: (typeof EVENTS)[Name]['level'] extends Level ? Name : never
}[keyof typeof EVENTS]
