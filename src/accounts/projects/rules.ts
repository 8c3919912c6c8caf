import type { Plan } from '../../../schema/values/accounts.ts'
import { SERVICE_IMAGE_HOSTING } from '../../../schema/values/projects.ts'
import { isReservedHost } from '../../platform/lib/urls.ts'

/** Labels of the article plans, keyed by articles a month. */
const ARTICLE_PLAN_LABELS: Record<number, string> = {
  8: '8 premium articles a month',
  30: 'One article a day',
  5: '5 backlink-focused articles a month',
  60: 'Two articles a day',
  90: 'Three articles a day',
}

/** Article plans an account's plan includes; any other would cost extra. */
export const INCLUDED_PLANS: Record<Plan, readonly number[]> = {
  agentic_free: [],
  agentic: [8, 30, 5],
  pro: [8, 30, 5],
  accelerator: [8, 30, 5, 60, 90],
}

/** Recommended article plan. It is also used for the first month if none was chosen. */
const RECOMMENDED_PLAN: Record<Plan, number | null> = {
  agentic_free: null,
  agentic: 8,
  pro: 30,
  accelerator: 60,
}

/** Articles planned a month if the account's plan has no recommended article plan. */
const LEAST_PLAN = 8

/** Returns how many articles a month are planned for a project: its article plan, else the recommended one. */
export const plannedPerMonth = (articlePlan: number | null, plan: Plan): number =>
  articlePlan ?? RECOMMENDED_PLAN[plan] ?? LEAST_PLAN

/** Returns articles a day under an article plan: the month's articles spread over 30 days, rounded up; 0 without a plan. */
export const articlesPerDay = (articlePlan: number | null): number =>
  articlePlan === null ? 0 : Math.ceil(articlePlan / 30)

/** Returns all article plans, each with whether the account includes it, and the recommended one. */
export const articlePlanListing = (plan: Plan, current: number | null) => ({
  current,
  recommended: RECOMMENDED_PLAN[plan],
  articles_per_month: current,
  available: Object.entries(ARTICLE_PLAN_LABELS).map(([value, label]) => ({
    plan: Number(value),
    label,
    articles_per_month: Number(value),
    included: INCLUDED_PLANS[plan].includes(Number(value)),
  })),
})

/** Returns why a site cannot be scanned; null if it can. */
export const unscannable = (websiteUrl: string): string | null => {
  const { hostname } = new URL(websiteUrl)
  return isReservedHost(hostname)
    ? `${hostname} is a name reserved for examples, where no website can be, so there was nothing to scan.`
    : null
}

type Scanned = { websiteUrl: string; siteScanState: string; siteScannedAt: Date | null }

/** Days after which a site is scanned again. */
export const SCAN_AGAIN_DAYS = 7

/** True if a site should be scanned again: its last scan failed, or ended more than a week ago. */
export const needsScan = ({ websiteUrl, siteScanState: state, siteScannedAt: at }: Scanned, now: Date): boolean => {
  if (unscannable(websiteUrl) !== null) return false
  const isOld = at === null || now.getTime() - at.getTime() > SCAN_AGAIN_DAYS * 86_400_000
  return state === 'failed' || (state === 'completed' && isOld)
}

/** Returns the stored value of `image_hosting`; undefined if it is neither `CMS` nor the service's name, current or old. */
export const imageHostingValue = (given: string, serviceName: string): string | undefined => {
  const value = given.toLowerCase()
  if (value === 'cms') return 'CMS'
  return value === serviceName.toLowerCase() || value === 'distribb' ? SERVICE_IMAGE_HOSTING : undefined
}

/** Defaults of the settings that are stored in JSON columns. */
export const QUALITY_DEFAULTS = {
  first_person_writing: false,
  table_of_contents: false,
  avoid_formulaic_section_endings: true,
  require_operational_examples: false,
  strict_banned_phrase_guard: false,
  brand_intelligence: true,
  duplicate_content_protection: true,
}

export const IMAGE_DEFAULTS = {
  image_hosting: 'service',
  image_style: null as string | null,
  brand_color: '#000000' as string | null,
  image_prompt_instructions: '',
  title_based_featured_image: false,
}

type Stored = Record<string, unknown>

/** Returns the article-quality settings: the stored values, and defaults for the rest. */
export const qualityOf = (stored: Stored): typeof QUALITY_DEFAULTS => ({ ...QUALITY_DEFAULTS, ...stored })

/** Returns the image preferences: the stored values, and defaults for the rest. */
export const imagesOf = (stored: Stored): typeof IMAGE_DEFAULTS => ({ ...IMAGE_DEFAULTS, ...stored })

const METRIC = '(impressions?|clicks?|ctr|positions?|traffic|volume|words?)'
const THRESHOLD = new RegExp(
  [
    'threshold',
    '^optimi[sz]ation_',
    `(^|_)(min|max|minimum|maximum|low|high)_(.*_)?${METRIC}(_|$)`,
    `(^|_)${METRIC}_(.*_)?(min|max|minimum|maximum|drop|decline|floor|ceiling|below|above)(_|$)`,
    '^(striking_distance|ctr_underperform|declining_page|decline|cannibali[sz]ation|dead_page|thin_content|not_indexed)_',
  ].join('|'),
)

/** Returns a note if the name is one of an optimization threshold, which cannot be set; undefined for other names. */
export const thresholdNote = (name: string): string | undefined => {
  const snake = name
    .slice(0, 100)
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
  return THRESHOLD.test(snake)
    ? 'Optimization thresholds are applied at scan time and cannot be set, so this one was left out.'
    : undefined
}

/** First minute of the day (08:30) and number of minutes, up to 10:00, in which projects publish by default. */
const [USUAL_FROM, USUAL_MINUTES] = [8 * 60 + 30, 91]
/** Multiplier of Knuth's hash: it spreads consecutive ids. */
const SPREAD = 2_654_435_761n

/** Returns the default time of publication of a project, from a hash of its id, so that projects are not all due in one minute. */
export const usualPublishTime = (id: number): string => {
  const hash = Number(BigInt.asUintN(32, BigInt(id) * SPREAD))
  const minute = USUAL_FROM + Math.floor((hash / 2 ** 32) * USUAL_MINUTES)
  return [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':')
}

/**
 * Most that the keywords of an onboarding cost at the service's own provider, dollars: the numbers of 700 keywords, and related
 * ones of six (https://dataforseo.com/pricing, 2026-11-25).
 */
export const ONBOARDING_USD = 0.26
