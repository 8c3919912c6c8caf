import * as z from 'zod/mini'
import { PLANS, SCOPES } from '../../../schema/values/accounts.ts'
import { ARTICLE_PLANS, ONBOARDING_STATES, SITE_SCAN_STATES } from '../../../schema/values/projects.ts'
import {
  type AnswersOf,
  body,
  count,
  id,
  instant,
  means,
  message,
  page,
  projectId,
  selfExplanatory,
} from '../../platform/http/answers.ts'
import { COST_UNITS } from '../../platform/http/operation.ts'
import type { projectOperations } from './operations.ts'
import { detail, planListing, row, settings } from './settings-answer.ts'

const budget = z.strictObject({
  used: means('For slots: active projects of the account. For a limit: amount used.', z.number()),
  limit: means('Limit of the key. Null: no limit.', z.nullable(z.number())),
})

const budgets = {
  article_credits: means('Number of articles that the writer can still start. Each uses one credit.', budget),
  scans: means('AI visibility scans.', budget),
  dollars: means('Crowdwork in dollars, without the provider’s fees.', budget),
}

const key = z.strictObject({
  id: means('ID of the key, as in `key:7` of the audit log. Null for a call without a key.', z.nullable(id())),
  name: selfExplanatory(z.string()),
  scopes: means(
    '`read`, and the widest scope of the key. `draft` also writes what is neither visible outside nor paid for. `write` allows everything. `admin` also creates keys, invitations and exports.',
    z.array(z.enum(SCOPES)),
  ),
  expires_at: means('Time when the key expires. Null: never.', z.nullable(instant())),
  budgets: means(
    'Use of the key this month (UTC) against the limits that a person set. A call beyond a limit returns 402 `key_budget_used`. Started work counts even if it fails later.',
    z.strictObject(budgets),
  ),
})

const onboarding = (status: z.ZodMiniType, more: z.core.$ZodShape = {}) =>
  body({
    project_id: projectId(),
    status: means(
      '`started`: onboarding is running. `already_onboarded`: the project has articles. `skipped_byok`: the plan has no writer.',
      status,
    ),
    message: message(),
    ...more,
  })

const slots = z.strictObject({
  used: means('Number of used slots: active projects of the account.', count()),
  total: means('Number of slots of the account.', count()),
})
const moved = (status: 'Active' | 'Archived') =>
  body({
    project_id: projectId(),
    status: selfExplanatory(z.literal(status)),
    project_slots: means('Project slots of the account. Each active project uses one.', slots),
    message: message(),
  })

/** Progress of a project's setup. */
export const setup = () =>
  z.strictObject({
    site_scan: means(
      '`pending`: not started yet. `completed`: settings that the site provides are filled in.',
      z.enum(SITE_SCAN_STATES),
    ),
    site_scan_error: means('If the scan `failed`: the reason, and what to do. Otherwise null.', z.nullable(z.string())),
    site_scan_note: means(
      'Sitemaps without any URL and the reason for each, a note that there is no sitemap, or that the site has more URLs than are read. Otherwise null.',
      z.nullable(z.string()),
    ),
    onboarding: means(
      '`failed`: the last attempt ended without a plan. `completed`: the month is planned.',
      z.enum([...ONBOARDING_STATES, 'failed']),
    ),
    onboarding_error: means(
      'Reason why the last attempt ended without a plan, and what to do. Otherwise null, and null after a restart.',
      z.nullable(z.string()),
    ),
    planned: means(
      'Number of articles that the last onboarding planned. Null until one is completed.',
      z.nullable(count()),
    ),
    wanted: means('Articles per month in the plan at that time. Null until one is completed.', z.nullable(count())),
    note: means(
      'Reason why fewer articles were planned than wanted, or a note that the keywords were not measured. Otherwise null.',
      z.nullable(z.string()),
    ),
    next_calls: means(
      'Calls to make after a failed scan. Otherwise empty.',
      z.array(
        z.strictObject({
          method: selfExplanatory(z.literal('POST')),
          path: means('Path to append to the base URL.', z.string()),
          why: selfExplanatory(z.string()),
        }),
      ),
    ),
  })

/** Answers of the operations on projects. */
export const projectAnswers = {
  list: {
    200: page({
      projects: means(
        'Active projects, newest first. Archived projects are not included.',
        z.array(z.strictObject(row)),
      ),
    }),
  },
  create: {
    201: body({
      project_id: projectId(),
      website_url: means('Saved URL, without query and without a slash at the end.', z.string()),
      backlink_credits: means(
        '3. 0 if the account already had them for this site, or for as many projects as it has slots.',
        count(),
      ),
      project_slots: means('Project slots of the account. Each active project uses one.', slots),
      message: message(),
      next_step: means('Recommended next calls, as text for people and agents.', z.string()),
      settings_applied: means('Settings that were saved, by their current names.', z.array(z.string())),
    }),
    200: body({
      project_id: projectId(),
      website_url: means('Saved URL, without query and without a slash at the end.', z.string()),
      already_existed: means(
        'True if an active project has this site. Nothing was created or changed.',
        z.literal(true),
      ),
      message: message(),
    }),
  },
  get: {
    200: body({
      project: selfExplanatory(detail),
      settings: means('All current settings. Change them with `PUT /projects/:id`.', settings),
      article_plan: means('Number of planned articles per month, and the other plans to choose from.', planListing),
      setup: means('Setup progress of the project.', setup()),
    }),
  },
  update: {
    200: body({
      project_id: projectId(),
      updated_fields: means(
        'Settings that were saved, by their current names. Empty if all sent settings are read-only.',
        z.array(z.string()),
      ),
      updated_columns: means('Columns that store these settings. Several settings can share one.', z.array(z.string())),
      message: message(),
      planned_articles: means(
        'Effect of the new `timezone` or `publish_time` on articles with a date. Absent if there is none.',
        z.optional(
          z.strictObject({
            moved: means('Articles planned for a day. They stay on that day and follow the new time.', count()),
            read_otherwise: means(
              'Articles planned for an exact time, which does not change. Only their local time is different.',
              count(),
            ),
          }),
        ),
      ),
      planned_posts: means(
        'Effect of the new `timezone` or `publish_time` on social posts that wait for a date. Absent if there is none.',
        z.optional(
          z.strictObject({
            moved: means('Posts planned for a day. They stay on that day and follow the new time.', count()),
            read_otherwise: means(
              'Posts planned for an exact time, which does not change. Only their local time is different.',
              count(),
            ),
          }),
        ),
      ),
      ignored: means('Sent names that the operation does not know.', z.array(z.string())),
      notes: means('One sentence about each name in `ignored`.', z.record(z.string(), z.string())),
    }),
  },
  articlePlan: {
    200: body({
      project_id: projectId(),
      plan: means(
        'Value for `POST /projects/:id/article-plan`: the number of articles per month.',
        z.literal([...ARTICLE_PLANS]),
      ),
      articles_per_month: selfExplanatory(count()),
      articles_per_day: means(
        'Articles per month ÷ 30, rounded up. 0 without a plan. Only the article plan changes it.',
        count(),
      ),
      message: message(),
    }),
  },
  onboarding: {
    202: onboarding(z.literal('started'), {
      poll: means('Path to `GET` until the articles appear. Append it to the base URL.', z.string()),
      status_path: means('Path to `GET` for `setup`. Append it to the base URL.', z.string()),
    }),
    200: onboarding(z.enum(['already_onboarded', 'skipped_byok'])),
  },
  scan: {
    202: body({
      project_id: projectId(),
      status: means(
        '`started`: the scan has started. `already_running`: a scan is running, so no second one was started.',
        z.enum(['started', 'already_running']),
      ),
      message: message(),
      status_path: means('Path to `GET` for `setup`. Append it to the base URL.', z.string()),
    }),
  },
  archive: { 200: moved('Archived') },
  unarchive: { 200: moved('Active') },
  account: {
    200: z.union([
      body({
        account_id: selfExplanatory(id()),
        plan: means(
          '`pro` and `accelerator` include the writer. `agentic_free` does not include keyword data of the service.',
          z.enum(PLANS),
        ),
        article_credits: means('Number of articles that the writer can still start. Each uses one credit.', count()),
        credits_refill_on: means(
          'First day of the next month (UTC), YYYY-MM-DD. Null on a plan without article credits.',
          z.nullable(z.string()),
        ),
        project_slots: means('Project slots of the account. Each active project uses one.', slots),
        provider_dollars: means(
          'US dollars that the service’s own providers charged for the account this month (UTC): AI scans and keyword data. `limit`: most of the plan, for each slot.',
          z.strictObject({
            used: selfExplanatory(z.number()),
            limit: means(
              'Most a month. A call that may cost more than the rest returns 402 `provider_budget_used`.',
              z.number(),
            ),
            resets_on: means('Day on which the count begins again (UTC).', z.string()),
          }),
        ),
        key: means('API key of this call.', key),
        limits: means(
          'Rate limits of each operation, per key.',
          z.array(
            z.strictObject({
              operation: means('ID of the operation, as in this reference.', z.string()),
              per_minute: means('Calls allowed in 60 seconds. Further calls return 429.', count()),
            }),
          ),
        ),
        costs: means(
          'Costs of calls, apart from the rate limit. Operations that are not listed cost nothing.',
          z.array(
            z.strictObject({
              operation: means('ID of the operation, as in this reference.', z.string()),
              unit: means(
                '`article_credits`. `scans`: of a project’s day. `dollars`: at the crowdwork provider. `project_slots`. `screenshots`: of the account’s day. `provider_dollars`: charged by a provider to the account’s own keys.',
                z.enum(COST_UNITS),
              ),
              amount: means('Amount per call. Null if it depends on the call; see `note`.', z.nullable(count())),
              note: means('The cost in words.', z.string()),
            }),
          ),
        ),
        pages: means(
          'URLs of pages for tasks that only people can do.',
          z.strictObject({
            keys: means('Page on which people create and revoke keys.', z.string()),
            people: means('Page on which owners invite people and change their roles.', z.string()),
            plan: means(
              '`pro` and `accelerator` include the writer. `agentic_free` does not include keyword data of the service.',
              z.string(),
            ),
            applications: means('Page on which people disconnect applications.', z.string()),
            export: means('Page on which owners export or delete the account.', z.string()),
          }),
        ),
      }),
      body({
        key: means('API key of this call.', z.optional(key)),
        usage: means(
          'Use of the key in this month. Present only if `include` names it.',
          z.optional(z.strictObject({ month: means('Month (UTC), such as `2026-11`.', z.string()), ...budgets })),
        ),
      }),
    ]),
  },
  businessContext: {
    200: body({
      business_name: means('Name of the business. Empty until it is sent or the site scan finds it.', z.string()),
      website_url: means('URL of the project’s website.', z.string()),
      description: means('`business_description` of the settings. May be empty.', z.string()),
      competitors: means('Domains, including their subdomains, that articles must not link to.', z.array(z.string())),
      ai_instructions: means('Instructions to follow in every article. Empty if there are none.', z.string()),
      language: means('Language of the articles.', z.string()),
      target_audience: means('Audience segments, separated by commas. May be empty.', z.string()),
      internal_links_per_article: means(
        'Number of links to other pages of the site that an article should have, 1 to 5.',
        z.int(),
      ),
    }),
  },
} satisfies AnswersOf<typeof projectOperations>
