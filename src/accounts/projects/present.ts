import type { projects } from '../../../schema/projects.ts'
import { SERVICE_IMAGE_HOSTING } from '../../../schema/values/projects.ts'
import { articlesPerDay } from './rules.ts'
import { SETTINGS } from './settings.ts'

export type ProjectRow = Omit<typeof projects.$inferSelect, 'topicVector'>

/** Returns a project as lists show it. */
export const projectRow = (p: ProjectRow) => ({
  ID: p.id,
  BusinessName: p.businessName,
  WebsiteUrl: p.websiteUrl,
  BusinessDescription: p.businessDescription,
  Language: p.language,
  Status: p.status,
  BacklinkCredits: p.backlinkCredits,
  ArticlesPerDay: articlesPerDay(p.articlePlan),
  BecklinksNetworkParticipation: p.backlinksNetwork ? 'Yes' : 'No',
  PublishingStatus: p.publishingStatus,
  PublishTime: p.publishTime,
  Timezone: p.timezone,
  CreatedAt: p.createdAt.toISOString(),
})

/** Returns one project in full: the fields of a list, and more. */
export const projectDetail = (p: ProjectRow) => ({
  ...projectRow(p),
  SitemapUrl: p.sitemapUrl,
  BlogRootUrl: p.blogRootUrl,
  TargetAudience: p.targetAudience,
  PrimaryLocation: p.primaryLocation,
  ArticlePlan: p.articlePlan,
  UpdatedAt: p.updatedAt.toISOString(),
})

const settingValue = (p: ProjectRow, name: string): unknown => {
  const place = SETTINGS[name]?.place
  if (!place) return undefined
  const columns = p as Record<string, unknown>
  if ('column' in place) return columns[place.column]
  const merged = columns[place.merged] as Record<string, unknown>
  return name in merged ? merged[name] : place.fallback
}

/** Returns the current value of every writable setting, and `articles_per_day`. */
export const projectSettings = (p: ProjectRow, serviceName: string): Record<string, unknown> => {
  const settings = Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, settingValue(p, name)]))
  const hosting = settings.image_hosting === SERVICE_IMAGE_HOSTING ? serviceName : settings.image_hosting
  const budget = p.crowdworkBudget === null ? null : p.crowdworkBudget / 100
  return {
    ...settings,
    image_hosting: hosting,
    crowdwork_budget: budget,
    articles_per_day: articlesPerDay(p.articlePlan),
  }
}

/** Returns the facts about the business that a writer needs. */
export const businessContext = (p: ProjectRow) => ({
  business_name: p.businessName,
  website_url: p.websiteUrl,
  description: p.businessDescription,
  competitors: p.competitorWebsites,
  ai_instructions: p.aiInstructions ?? '',
  language: p.language,
  target_audience: p.targetAudience.join(', '),
  internal_links_per_article: p.internalLinksPerArticle,
})

/** Columns with the progress of a project's setup. */
type SetupRow = Pick<
  ProjectRow,
  | 'id'
  | 'siteScanState'
  | 'siteScanError'
  | 'onboardingState'
  | 'onboardingError'
  | 'onboardingPlanned'
  | 'onboardingWanted'
  | 'onboardingNote'
>

/** Returns the progress of the project's setup. Errors give the reason for the last failure; that of a scan also gives the remedy. */
export const projectSetup = (p: SetupRow) => ({
  site_scan: p.siteScanState,
  site_scan_error:
    p.siteScanState !== 'failed' || p.siteScanError === null
      ? null
      : `${p.siteScanError} Start another scan with POST /projects/${p.id}/scan.`,
  site_scan_note: p.siteScanState === 'completed' ? p.siteScanError : null,
  // A failed onboarding is stored as `not_started` with its error, since it can be started again.
  onboarding:
    p.onboardingState === 'not_started' && p.onboardingError !== null ? ('failed' as const) : p.onboardingState,
  onboarding_error: p.onboardingError,
  planned: p.onboardingPlanned,
  wanted: p.onboardingWanted,
  note: p.onboardingNote,
  next_calls:
    p.siteScanState === 'failed'
      ? [{ method: 'POST' as const, path: `/projects/${p.id}/scan`, why: 'Scans the site again.' }]
      : [],
})
