import * as z from 'zod/mini'
import { ARTICLE_PLANS, PROJECT_STATUSES, PUBLISHING_STATUSES } from '../../../schema/values/projects.ts'
import { count, id, instant, means, selfExplanatory } from '../../platform/http/answers.ts'
import { shownSettings } from './setting-names.ts'

/** Article plan of a project. Null if none is chosen. */
const articlePlan = z.nullable(z.literal([...ARTICLE_PLANS]))

/** Fields of a project in lists. */
export const row = {
  ID: means('ID of the project: `:id` in paths, `project_id` elsewhere.', id()),
  BusinessName: means('Name of the business. Empty until it is sent or the site scan finds it.', z.string()),
  WebsiteUrl: means('URL of the website, without a slash at the end. It never changes.', z.string()),
  BusinessDescription: means(
    'Description of the business and its customers. Empty until it is sent or the site scan finds it.',
    z.string(),
  ),
  Language: means('Language of the articles.', z.string()),
  Status: means(
    '`Archived`: the project uses no slot, and nothing in it is published or scanned.',
    z.enum(PROJECT_STATUSES),
  ),
  BacklinkCredits: means(
    'Credits that the project can pay with for received links. See `GET /backlinks/status`.',
    z.int(),
  ),
  ArticlesPerDay: means('Articles per month ÷ 30, rounded up. 0 without an article plan.', count()),
  BecklinksNetworkParticipation: means(
    'True if the project takes part in the backlink exchange (`settings.backlinks_network`).',
    z.enum(['Yes', 'No']),
  ),
  PublishingStatus: means(
    'Action on the date of a planned article: it is published, stays in this service, or is sent to the target as a draft.',
    z.enum(PUBLISHING_STATUSES),
  ),
  PublishTime: means('Time of day at which planned articles are published, HH:MM in `Timezone`.', z.string()),
  Timezone: means('IANA name of the time zone in which dates without an offset are read and shown.', z.string()),
  CreatedAt: selfExplanatory(instant()),
}

/** A project with its stored fields. */
export const detail = z.strictObject({
  ...row,
  SitemapUrl: means('URL of the sitemap. Empty if unknown.', z.string()),
  BlogRootUrl: means('URL of the blog’s start page. Empty if unknown.', z.string()),
  TargetAudience: means('Audience segments, one per entry.', z.array(z.string())),
  PrimaryLocation: means('Location that the business serves. May be empty.', z.string()),
  ArticlePlan: means('Articles per month. Null until a plan is chosen.', articlePlan),
  UpdatedAt: means(
    'Time of the last change to settings, article plan, onboarding or `Status`. Site scans do not change it.',
    instant(),
  ),
})

/** Current settings of a project. */
export const settings = z.strictObject({
  ...shownSettings(),
  articles_per_day: means(
    'Articles per month ÷ 30, rounded up. 0 without a plan. Only the article plan changes it.',
    count(),
  ),
})

/** Article plans to choose from. */
export const planListing = z.strictObject({
  current: means('Articles per month. Null until a plan is chosen.', articlePlan),
  recommended: means(
    'Plan that onboarding uses if none was chosen. Null if the account has the plan `agentic_free`.',
    articlePlan,
  ),
  articles_per_month: means('The same as `current`. Null without an article plan.', z.nullable(count())),
  available: means(
    'All article plans, fewest articles first.',
    z.array(
      z.strictObject({
        plan: means(
          'Value for `POST /projects/:id/article-plan`: the number of articles per month.',
          z.literal([...ARTICLE_PLANS]),
        ),
        label: means('Display name of the plan.', z.string()),
        articles_per_month: selfExplanatory(count()),
        included: means(
          'True if the account’s plan includes it. Otherwise choosing it returns 402 `plan_not_included`.',
          z.boolean(),
        ),
      }),
    ),
  ),
})
