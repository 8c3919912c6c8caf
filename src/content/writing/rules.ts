import type { SeoCheck, SeoReport } from '../../../schema/values/seo.ts'
import type { Outline } from './port.ts'

/** Most repair rounds of an article that failed checks. */
const MAX_REPAIRS = 2
/** Consecutive failures of steps after which a writing is given up. */
const MAX_FAILURES = 5
/** Delays after the first, second, third and fourth consecutive failure, in seconds. */
const RETRY_AFTER_S = [15, 60, 240, 900] as const
/** Longest delay that a provider may request, in seconds. */
const MAX_RETRY_AFTER_S = 3_600
/** Time in a run during which new steps may begin, ms. The longest step takes 190 s; the lease lasts 220 s. */
export const RUN_MS = 20_000

/** Checks that an article by the service must pass. */
const BLOCKING: readonly SeoCheck[] = [
  'heading_structure',
  'exchange_links',
  'competitor_links',
  'banned_phrases',
  'duplicate_content',
  'model_marks',
  'assistant_words',
  'language',
]
/** Checks worth a repair, but not a reason to reject the article. */
const WORTH_MENDING: readonly SeoCheck[] = ['keyword_in_introduction', 'keyword_in_heading', 'word_count']

/** Returns the failed checks that an article must pass. */
const blockingFailures = ({ failed }: SeoReport) => failed.filter(({ check }) => BLOCKING.includes(check))

const FELL_SHORT = {
  generate: 'The article was written, but falls short of its checks',
  scheduled: 'The article was written, but it does not go out on its date',
}

/**
 * Returns why a written article is unfit: an error in its report, or a failed check that it must pass. Undefined if it is fit.
 */
export const failureOfReport = (
  report: SeoReport,
  kind: keyof typeof FELL_SHORT,
  articleId: number,
): string | undefined => {
  const blocking = blockingFailures(report)
  const errors = report.failed.filter((one) => one.severity === 'error' || blocking.includes(one))
  if (errors.length === 0) return undefined
  const missing = errors.map(({ message, fix }) => `${message} ${fix}`).join(' ')
  const call = `/articles/${articleId}`
  return `${FELL_SHORT[kind]}: ${missing} The article credit was returned. Save the full text with PUT ${call}, or publish it as it is with POST ${call}/publish.`
}

/**
 * Returns the faults to repair after `repairs` rounds: blocking ones, and checks worth a repair.
 *
 * Without blocking faults, only the first round repairs anything.
 */
export const failuresToMend = (report: SeoReport, repairs: number): SeoReport['failed'] => {
  if (repairs >= MAX_REPAIRS) return []
  const blocking = blockingFailures(report)
  const worth = report.failed.filter(({ check }) => WORTH_MENDING.includes(check))
  return blocking.length > 0 || repairs === 0 ? [...blocking, ...worth] : []
}

/** Returns the time of the next attempt at a failed step; undefined after the last. `scale` shortens delays in development. */
export const nextTry = (
  failures: number,
  given: { now: Date; random: number; scale: number; retryAfterS?: number | undefined },
): Date | undefined => {
  const wait = RETRY_AFTER_S[failures - 1]
  if (failures >= MAX_FAILURES || wait === undefined) return undefined
  const asked = given.retryAfterS === undefined ? 0 : Math.min(given.retryAfterS, MAX_RETRY_AFTER_S)
  const seconds = Math.max(asked, (wait * (0.8 + 0.4 * given.random)) / given.scale)
  return new Date(given.now.getTime() + seconds * 1_000)
}

const HOUR_MS = 3_600_000

/**
 * Returns when to write a failed planned article again: after one hour, then six hours, then daily.
 *
 * `startedAt` is the start of the first attempt.
 */
export const writeAgainAt = (startedAt: Date, now: Date): Date => {
  const passed = now.getTime() - startedAt.getTime()
  const hours = passed < HOUR_MS ? 1 : passed < 7 * HOUR_MS ? 6 : 24
  return new Date(now.getTime() + hours * HOUR_MS)
}

/** Progress of a writing, as `GET /articles/:id` shows it. */
export type Progress = { step: number; of: number; percent: number; label: string }

/** Returns the progress after `done` of the outline's sections. Without an outline it is zero. */
export const progressOf = (outline: Outline | null, done: number, repairs = 0): Progress => {
  if (!outline) return { step: 0, of: 3, percent: 0, label: 'Planning the article' }
  const sections = outline.sections.length
  const of = sections + 2
  const step = Math.min(done, sections) + 1
  const percent = Math.min(99, Math.round((100 * step) / of) + repairs)
  if (done >= sections)
    return { step, of, percent, label: repairs > 0 ? 'Fixing what checks found' : 'Checking the article' }
  const heading = outline.sections[done]?.heading ?? ''
  return { step, of, percent, label: heading === '' ? 'Writing the introduction' : `Writing "${heading}"` }
}

/** Words added to an assembled article, by language. Languages without an entry get none. */
type Words = { related: string; more: string; visit: string }

const WORDS: Record<string, Words> = {
  English: { related: 'Related', more: 'More from', visit: 'Visit' },
  German: { related: 'Siehe auch', more: 'Mehr von', visit: 'Jetzt besuchen:' },
  French: { related: 'À lire aussi', more: 'En savoir plus :', visit: 'Visitez' },
  Spanish: { related: 'Relacionado', more: 'Más de', visit: 'Visite' },
  Italian: { related: 'Leggi anche', more: 'Di più da', visit: 'Visita' },
  Portuguese: { related: 'Veja também', more: 'Mais de', visit: 'Visite' },
  Dutch: { related: 'Zie ook', more: 'Meer van', visit: 'Bezoek' },
  Swedish: { related: 'Läs också', more: 'Mer från', visit: 'Besök' },
  Danish: { related: 'Læs også', more: 'Mere fra', visit: 'Besøg' },
  Norwegian: { related: 'Les også', more: 'Mer fra', visit: 'Besøk' },
  Polish: { related: 'Zobacz też', more: 'Więcej:', visit: 'Odwiedź:' },
}

/**
 * Returns the added words for a project's language; undefined if there are none, because other languages must not be mixed in.
 */
export const wordsOf = (language: string): Words | undefined => WORDS[language.replace(/ \(.*\)$/, '')]

const TAGS: Record<string, string> = {
  English: 'en',
  German: 'de',
  French: 'fr',
  Spanish: 'es',
  Italian: 'it',
  Portuguese: 'pt',
  Dutch: 'nl',
  Swedish: 'sv',
  Polish: 'pl',
}

/** Returns the tag of a project's language for stop words; '' if it has no list. */
export const languageTagOf = (language: string): string => TAGS[language.replace(/ \(.*\)$/, '')] ?? ''
